/**
 * Splits a YAML stream into the texts of its documents. A reader then needs memory for the tree of one document at a
 * time; the tree of a 10 MB file would take more than a gigabyte. A line that starts with `---` always starts a
 * document (YAML 1.2, 9.1.2). Pure.
 */
export interface DocumentText {
  readonly text: string;
  /** Index of the first line of the document in the stream, from 0. */
  readonly line: number;
}

const MARKER = /^---(?=[ \t\r\n]|$)/gm;
/**
 * Matches a text of comments and directives only: they belong to the document after them. Each line matches in one way
 * only, since a failed match tries every other way of every line.
 */
const WITHOUT_CONTENT = /^(?:\uFEFF?[ \t]*(?:[#%][^\n]*|\r)?(?:\n|$))*$/;

export function splitDocuments(stream: string): readonly DocumentText[] {
  const starts = [...stream.matchAll(MARKER)].map(({ index }) => index);
  if (starts[0] !== 0 && !WITHOUT_CONTENT.test(stream.slice(0, starts[0]))) starts.unshift(0);
  else starts[0] = 0;
  let line = 0;
  return starts.map((start, index) => {
    const text = stream.slice(start, starts[index + 1]);
    const first = line;
    line += countLines(text);
    return { text, line: first };
  });
}

function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
