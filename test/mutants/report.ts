/** What StrykerJS reports of one run, as the mutants that count. It only reads; judging is next door. */

type Status =
  | 'Killed'
  | 'Timeout'
  | 'Survived'
  | 'NoCoverage'
  | 'Ignored'
  | 'CompileError'
  | 'RuntimeError'
  | 'Pending';

interface Position {
  readonly line: number;
  readonly column: number;
}

/** The part of the mutation testing report schema that is read here. Lines and columns begin at 1. */
export interface StrykerReport {
  readonly files: Readonly<
    Record<
      string,
      {
        readonly source: string;
        readonly mutants: readonly {
          readonly mutatorName: string;
          readonly replacement?: string;
          readonly status: Status;
          readonly location: { readonly start: Position; readonly end: Position };
        }[];
      }
    >
  >;
}

export interface TriedMutant {
  readonly file: string;
  readonly mutator: string;
  /** The text that the mutant replaces, on one line, at most TEXT_MAX characters. */
  readonly from: string;
  /** What it puts there, in the same form. */
  readonly to: string;
  /** The source line that it starts on, trimmed. */
  readonly line: string;
  readonly lineNumber: number;
  readonly killed: boolean;
}

export const TEXT_MAX = 100;

/** Mutants that no test could run (ignored, not compiled) are left out. */
export function triedMutants({ files }: StrykerReport): TriedMutant[] {
  return Object.entries(files).flatMap(([file, { source, mutants }]) => {
    const lines = source.split('\n');
    return mutants.flatMap(({ mutatorName, replacement = '', status, location }) => {
      const killed = isKilled(status);
      if (killed === undefined) return [];
      const lineNumber = location.start.line;
      return {
        file,
        mutator: mutatorName,
        from: oneLine(textAt(lines, location.start, location.end)),
        to: oneLine(replacement),
        line: (lines[lineNumber - 1] ?? '').trim(),
        lineNumber,
        killed,
      };
    });
  });
}

function isKilled(status: Status): boolean | undefined {
  switch (status) {
    case 'Killed':
    case 'Timeout':
      return true;
    case 'Survived':
    case 'NoCoverage':
      return false;
    case 'Ignored':
    case 'CompileError':
    case 'RuntimeError':
    case 'Pending':
      return undefined;
    default:
      return status satisfies never;
  }
}

function textAt(lines: readonly string[], start: Position, end: Position): string {
  const picked = lines.slice(start.line - 1, end.line);
  const last = picked.length - 1;
  return picked
    .map((text, index) =>
      text.slice(index === 0 ? start.column - 1 : 0, index === last ? end.column - 1 : text.length),
    )
    .join('\n');
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim().slice(0, TEXT_MAX);
