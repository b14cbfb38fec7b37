/**
 * Puts all mutants of some files into their code at once, each behind a switch. The mutators are those of StrykerJS.
 */
import { Instrumenter, type File } from '@stryker-mutator/instrumenter';
import { readFileSync } from 'node:fs';

import type { LineRange } from './changes.ts';

export interface Mutant {
  readonly id: string;
  readonly file: string;
  readonly mutator: string;
  /** The replaced text, on one line of at most TEXT_MAX characters. */
  readonly from: string;
  /** The replacement, in the same form. */
  readonly to: string;
  /** The source line on which the mutant starts, trimmed. */
  readonly line: string;
  readonly lineNumber: number;
}

export interface Instrumented {
  /** The code with the switches, by file. */
  readonly code: ReadonlyMap<string, string>;
  readonly mutants: readonly Mutant[];
}

/** Lines and columns count from 0. */
interface Position {
  readonly line: number;
  readonly column: number;
}

export const TEXT_MAX = 100;

/** If `ranges` are given, only the mutants inside them. */
export async function instrument(
  files: readonly string[],
  ranges: readonly LineRange[] = [],
): Promise<Instrumented> {
  const sources = new Map(files.map((name) => [name, readFileSync(name, 'utf8')]));
  const options = { plugins: null, excludedMutations: [], ignorers: [] };
  const result = await new Instrumenter(silent).instrument(
    [...sources].map(([name, content]) => ({ name, content, mutate: mutateOf(name, ranges) })),
    options,
  );
  const mutants = result.mutants.map(({ id, fileName, mutatorName, replacement, location }) => {
    const lines = (sources.get(fileName) ?? '').split('\n');
    return {
      id,
      file: fileName,
      mutator: mutatorName,
      from: oneLine(textAt(lines, location.start, location.end)),
      to: oneLine(replacement),
      line: (lines[location.start.line] ?? '').trim(),
      lineNumber: location.start.line + 1,
    };
  });
  return { code: new Map(result.files.map(({ name, content }) => [name, content])), mutants };
}

function mutateOf(name: string, ranges: readonly LineRange[]): File['mutate'] {
  if (ranges.length === 0) return true;
  return ranges
    .filter(({ file }) => file === name)
    .map(({ first, last }) => ({
      start: { line: first - 1, column: 0 },
      end: { line: last - 1, column: Number.MAX_SAFE_INTEGER },
    }));
}

function textAt(lines: readonly string[], start: Position, end: Position): string {
  const picked = lines.slice(start.line, end.line + 1);
  const last = picked.length - 1;
  return picked
    .map((text, index) =>
      text.slice(index === 0 ? start.column : 0, index === last ? end.column : text.length),
    )
    .join('\n');
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim().slice(0, TEXT_MAX);

const no = (): boolean => false;
const nothing = (): void => {};

const silent: ConstructorParameters<typeof Instrumenter>[0] = {
  isTraceEnabled: no,
  isDebugEnabled: no,
  isInfoEnabled: no,
  isWarnEnabled: no,
  isErrorEnabled: no,
  isFatalEnabled: no,
  trace: nothing,
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  fatal: nothing,
};
