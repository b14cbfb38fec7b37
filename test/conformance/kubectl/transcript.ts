/**
 * Transcripts of kubectl: one file per command, with the input and the output. It is both the script and the recording:
 *
 *     $ kubectl get pods            a step; lines that continue begin with "> "
 *     NAME  READY ...               output of both clusters, normalised
 *     real  | Normal Pulled         output of the real one only
 *     local | Normal Found          output of the local one only
 *     why   | no image is pulled    and why they differ
 *     [exit 1]                      the exit code, if it is not 0
 *
 * The text before the first step describes the file.
 */
import { compareLines } from './compare-lines.ts';

export type Side = 'real' | 'local';

export interface Transcript {
  readonly head: string;
  readonly steps: readonly Step[];
}

export interface Step {
  readonly command: string;
  readonly parts: readonly Part[];
}

/** Lines that both clusters print, or lines that differ. */
export type Part =
  | { readonly kind: 'same'; readonly lines: readonly string[] }
  | ({ readonly kind: 'different' } & Difference);

export interface Difference {
  readonly real: readonly string[];
  readonly local: readonly string[];
  readonly why: string;
}

/** Marks a difference without a reason yet. */
export const UNEXPLAINED = '?';

const MARKS = { real: 'real  | ', local: 'local | ', why: 'why   | ' } as const;

export function readTranscript(text: string): Transcript {
  const [head = '', ...steps] = text.split(/^(?=\$ )/m);
  return { head, steps: steps.map(readStep) };
}

function readStep(text: string): Step {
  const lines = text.trimEnd().split('\n');
  const end = lines.findIndex((line, index) => index > 0 && !/^>( |$)/.test(line));
  const command = lines
    .slice(0, end < 0 ? undefined : end)
    .map((line) => line.slice(2))
    .join('\n');
  return { command, parts: end < 0 ? [] : readParts(lines.slice(end)) };
}

function readParts(lines: readonly string[]): Part[] {
  const parts: Part[] = [];
  let open: { real: string[]; local: string[] } | null = null;
  for (const line of lines) {
    const mark = (['real', 'local', 'why'] as const).find((name) =>
      `${line} `.startsWith(MARKS[name]),
    );
    const rest = line.slice(MARKS.real.length);
    if (mark === undefined) {
      if (open !== null) throw new Error(`a difference without a reason before: ${line}`);
      parts.push({ kind: 'same', lines: [line] });
    } else if (mark === 'why') {
      parts.push({ kind: 'different', ...(open ?? { real: [], local: [] }), why: rest });
      open = null;
    } else {
      open ??= { real: [], local: [] };
      open[mark].push(rest);
    }
  }
  if (open !== null) throw new Error('a difference without a reason at the end of a step');
  return parts;
}

export function writeTranscript({ head, steps }: Transcript): string {
  return [head.trimEnd(), '', ...steps.map(writeStep)].join('\n');
}

function writeStep({ command, parts }: Step): string {
  const [first = '', ...more] = command.split('\n');
  const lines = [`$ ${first}`, ...more.map((line) => `> ${line}`), ...parts.flatMap(writePart)];
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}

function writePart(part: Part): readonly string[] {
  if (part.kind === 'same') return part.lines;
  return [
    ...part.real.map((line) => MARKS.real + line),
    ...part.local.map((line) => MARKS.local + line),
    MARKS.why + part.why,
  ];
}

/** The expected output of one of the clusters. */
export function answerOf({ parts }: Step, side: Side): readonly string[] {
  return parts.flatMap((part) => (part.kind === 'same' ? part.lines : part[side]));
}

/** The step with a new answer of one cluster. Unchanged differences keep their reasons. */
export function withAnswer(step: Step, side: Side, answer: readonly string[]): Step {
  const before = new Map(step.parts.flatMap((part) => (part.kind === 'same' ? [] : [whyOf(part)])));
  const other = answerOf(step, side === 'real' ? 'local' : 'real');
  // A step without parts has no answer yet, so the new answer stands for both clusters.
  const answers = side === 'real' ? [answer, other] : [other, answer];
  const [real = [], local = []] = step.parts.length === 0 ? [answer, answer] : answers;
  const parts = compareLines(real, local).map((part): Part => {
    if (part.kind === 'same') return part;
    return { ...part, why: before.get(keyOf(part)) ?? UNEXPLAINED };
  });
  return { command: step.command, parts };
}

const whyOf = (difference: Difference): [string, string] => [keyOf(difference), difference.why];

function keyOf({ real, local }: Pick<Difference, Side>): string {
  return JSON.stringify([real, local]);
}
