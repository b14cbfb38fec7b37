/** The findings as a person and as a program reads them. Pure. */
import type { Finding } from './finding.ts';

export interface Report {
  /** Whether no finding is an error. */
  readonly healthy: boolean;
  readonly ok: number;
  readonly warnings: number;
  readonly errors: number;
  readonly findings: readonly Finding[];
}

export function reportOf(findings: readonly Finding[]): Report {
  const count = (result: Finding['result']): number =>
    findings.filter((finding) => finding.result === result).length;
  const errors = count('error');
  const counts = { ok: count('ok'), warnings: count('warning'), errors };
  return { healthy: errors === 0, ...counts, findings };
}

export interface Printing {
  readonly paint: (result: Finding['result'], text: string) => string;
  /** Columns after which lines are broken; Infinity: nowhere. */
  readonly width: number;
}

const RESULT_WIDTH = 'warning'.length;
const GAP = '  ';
const NARROWEST = 24;

export function reportText(report: Report, printing: Printing): string {
  const { findings, ok, warnings, errors } = report;
  const checkWidth = Math.max(0, ...findings.map(({ check }) => check.length));
  const indent = RESULT_WIDTH + checkWidth + 2 * GAP.length;
  const width = Math.max(NARROWEST, printing.width - indent);
  const lines = findings.flatMap(({ check, result, found, next }) => {
    const text = [...broken(found, width), ...(next === undefined ? [] : nextLines(next, width))];
    return text.map((line, index) => {
      if (index > 0) return `${' '.repeat(indent)}${line}`;
      const head = printing.paint(result, result.padEnd(RESULT_WIDTH));
      return `${head}${GAP}${check.padEnd(checkWidth)}${GAP}${line}`;
    });
  });
  const summary = `${ok} ok, ${counted(warnings, 'warning')}, ${counted(errors, 'error')}.`;
  return `${[...lines, '', summary].join('\n')}\n`;
}

/** A command stays in one piece, to be copied. */
function nextLines(next: string, width: number): string[] {
  return broken(`Next: ${next}`, COMMAND.test(next) ? Infinity : width);
}

const COMMAND = /^(lifehook|kubectl|export|kill) /u;

function counted(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}

/** Between words; one that is longer than a line, as a command or a path may be, stays whole. */
function broken(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && longer.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = longer;
    }
  }
  return [...lines, line];
}
