/**
 * What to do about a text that is no YAML, for the slips that YAML's own words do not explain: those of
 * texts that went through a word processor or were typed from memory.
 */
import { shownText } from './problem.ts';

/** A sentence in the imperative. `offset` is where the reader stopped. */
export function yamlAdvice(text: string, offset: number): string {
  const [line = '', next = ''] = text.slice(text.lastIndexOf('\n', offset - 1) + 1).split('\n');
  // A name and its value in one line are fine for the reader, which stops before the line after it.
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
