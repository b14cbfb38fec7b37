/**
 * Compares a `console` block with real output. The block has commands after "$ ", each followed by its whole output,
 * which is compared line by line.
 *
 * Parts that change from run to run are not compared: times, ids, ports, durations and column widths. "…" stands for a
 * part of a line or, alone in a line, for any lines. A last line "^C" means that the reader presses Ctrl-C after all
 * output before it. Pure.
 */
import { quoted } from './markdown.ts';

export interface TranscriptStep {
  readonly command: string;
  /** Expected output without the line "^C". */
  readonly shown: readonly string[];
  readonly isInterrupted: boolean;
}

/** @throws Error for a block that does not begin with a command. */
export function stepsOf(text: string): readonly TranscriptStep[] {
  const [before, ...parts] = `\n${text}`.split('\n$ ');
  if (before !== '' || parts.length === 0)
    throw new Error('it has to begin with "$ " and a command');
  return parts.map((part) => {
    const [command = '', ...lines] = part.split('\n');
    const isInterrupted = lines.at(-1) === '^C';
    return { command, shown: isInterrupted ? lines.slice(0, -1) : lines, isInterrupted };
  });
}

const ID = /\b[0-9a-f]{8}\b/g;

const CHANGING: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, 'TIME'],
  [ID, 'ID'],
  [/(?<=127\.0\.0\.1:)\d+/g, 'PORT'],
  [/\b\d+(?:\.\d+)?(?= s\b)|(?<=\+)\d+\.\d+/g, 'SECONDS'],
  [/(?<=\S) +/g, ' '],
];

/** The difference between the shown and the real output; null if there is none. */
export function differenceOf(shown: readonly string[], output: string): string | null {
  const printed = output.trimEnd().split('\n').map(settled);
  const text = printed.map((line) => `${line}\n`).join('');
  const wrong = shown.findIndex(
    (_line, index) => !patternOf(shown.slice(0, index + 1), '').test(text),
  );
  if (wrong !== -1) return `"${shown[wrong] ?? ''}" does not come, or not in its place`;
  return patternOf(shown, '$').test(text) ? null : 'more comes than is shown';
}

/** The real id for each shown id, because a later command may name one. */
export function idsOf(shown: readonly string[], output: string): ReadonlyMap<string, string> {
  const came = [...output.matchAll(ID)].map(([id]) => id);
  const reported = [...shown.join('\n').matchAll(ID)].map(([id]) => id);
  return new Map(reported.map((id, index) => [id, came[index] ?? id]));
}

function settled(line: string): string {
  return CHANGING.reduce((text, [what, name]) => text.replaceAll(what, name), line.trimEnd());
}

function patternOf(lines: readonly string[], end: string): RegExp {
  const parts = lines.map((line) =>
    line.trim() === '…' ? '(?:.*\\n)*' : `${quoted(settled(line)).replaceAll('…', '.*')}\\n`,
  );
  return new RegExp(`^${parts.join('')}${end}`, 'u');
}
