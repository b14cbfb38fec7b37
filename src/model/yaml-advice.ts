/**
 * The advice for an invalid YAML text, for mistakes that the parser's message does not explain: those of
 * texts that were edited in a word processor or typed from memory.
 */
import { shownText } from './problem.ts';

/** A sentence in the imperative. `offset`: where the parser stopped. */
export function yamlAdvice(text: string, offset: number): string {
  const [line = '', next = ''] = text.slice(text.lastIndexOf('\n', offset - 1) + 1).split('\n');
  // A name and its value in one line are valid for the parser, which stops before the next line.
  const dashed = [line, next].map((one) => /^\s*-([A-Za-z][\w-]*:.*)$/.exec(one)?.[1]);
  const item = dashed.find((one) => one !== undefined);
  if (item !== undefined) {
    return `Put a blank after the dash of each item of the list: "- ${shownText(item.trim())}".`;
  }
  if (/^ *\t/.test(line)) return 'Indent with blanks: YAML does not allow tabs there.';
  if (/[\u2018\u2019\u201C\u201D]/.test(line)) {
    return 'Write straight quotes, " or \', instead of the typographic ones.';
  }
  return 'Correct the text at this place.';
}
