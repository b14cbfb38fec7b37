/** Reads the fenced blocks of a Markdown document. It supports only the Markdown that our documents use. */

export interface Block {
  /** The info string: "sh", "sh system", "json". */
  readonly info: string;
  readonly text: string;
  /** The line of the opening fence, from 1. */
  readonly line: number;
  /** The `text` block after this one in the same section, without another block in between; null if there is none. */
  readonly expected: string | null;
}

export function blocksOf(markdown: string): Block[] {
  const fenced = fencedOf(markdown.split('\n'));
  return fenced.map(({ info, lines, line, section }, index) => {
    const next = fenced[index + 1];
    const follows = next?.info === 'text' && next.section === section;
    return {
      info,
      text: lines.join('\n'),
      line,
      expected: follows ? next.lines.join('\n') : null,
    };
  });
}

interface Fenced {
  readonly info: string;
  readonly lines: readonly string[];
  readonly line: number;
  /** Number of headings before the block. */
  readonly section: number;
}

/** Throws if a fence is never closed, because the rest of the document would count as code. */
function fencedOf(lines: readonly string[]): Fenced[] {
  const found: Fenced[] = [];
  let section = 0;
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    const [, fence, info = ''] = /^(`{3,}|~{3,})([^`]*)$/.exec(line) ?? [];
    if (/^#{1,6} /.test(line)) section += 1;
    if (fence !== undefined) {
      const end = lines.findIndex((other, at) => at > index && other === fence);
      if (end === -1) throw new Error(`the fence in line ${index + 1} is not closed`);
      found.push({
        info: info.trim(),
        lines: lines.slice(index + 1, end),
        line: index + 1,
        section,
      });
      index = end;
    }
  }
  return found;
}

/**
 * The first expected line that the real output does not have after the lines before it; null if it has all. "…" stands
 * for a part of a line.
 */
export function missingLine({ expected }: Block, output: string): string | null {
  let rest = output;
  for (const line of (expected ?? '').split('\n').map((one) => one.trim())) {
    const [, after] =
      new RegExp(`${quoted(line).replaceAll('…', '.*')}([^]*)$`, 'u').exec(rest) ?? [];
    if (after === undefined) return line;
    rest = after;
  }
  return null;
}

/** The text as a regular expression that matches only this text. */
export const quoted = (text: string): string => text.replaceAll(/[$()*+.?[\\\]^{|}]/gu, '\\$&');

/** Whether a block is a picture: drawn with lines and arrows, without anything that a user would type. */
export function isPicture(text: string): boolean {
  return /[─│►▼]|──/u.test(text) && !/^\s*(?:\$ |[A-Z_]+=)/mu.test(text);
}
