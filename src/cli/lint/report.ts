/** Prints a lint: findings with their places, files read and files skipped, as text or as JSON. */
import { countText } from '../../model/count-text.ts';
import { formatProblem, type Problem } from '../../model/problem.ts';
import { exitCodes } from '../exit-codes.ts';
import { printable } from '../terminal-text.ts';
import type { Skipped } from './manifests/lint-manifests.ts';

export interface LintReport {
  readonly problems: readonly Problem[];
  /** The files that were read, in the order of the inputs. */
  readonly files: readonly string[];
  readonly skipped: readonly Skipped[];
}

/** A finding in JSON. It is flat, so that a spreadsheet can import it. */
export interface FlatFinding {
  readonly code: string;
  readonly severity: Problem['severity'];
  /** null: the finding has no place. */
  readonly file: string | null;
  readonly line: number | null;
  readonly column: number | null;
  /**
   * The path of the field, such as "spec.template.spec.containers[0].image"; null: the finding is about the whole file
   * or object.
   */
  readonly path: string | null;
  readonly message: string;
  readonly next: string;
}

export function lintJson({ problems, files, skipped }: LintReport): string {
  const findings = problems.map(flat);
  return `${JSON.stringify({ ...countsOf(problems), files, skipped, findings }, null, 2)}\n`;
}

/** The findings for stdout, in the format of compiler messages, which editors link. */
export function lintText({ problems, files }: LintReport): string {
  const { errors, warnings } = countsOf(problems);
  const counts = `${countText(errors, 'error')}, ${countText(warnings, 'warning')}`;
  const [subject] = files.length === 1 ? files : [countText(files.length, 'file')];
  return printable([...problems.map(formatProblem), `${subject ?? ''}: ${counts}`, ''].join('\n'));
}

/** The notes for stderr: the files that were read, if there are several, and the paths that were skipped. */
export function lintNotes({ files, skipped }: LintReport): string {
  const lines = [
    ...(files.length > 1 ? [`= read: ${shortened(files)}`] : []),
    ...byReason(skipped).map(([reason, paths]) => `= skipped: ${shortened(paths)}: ${reason}`),
  ];
  return printable(lines.map((line) => `${line}\n`).join(''));
}

export function lintExitCode(problems: readonly Problem[]): number {
  return countsOf(problems).errors > 0 ? exitCodes.failed : exitCodes.done;
}

function countsOf(problems: readonly Problem[]): { errors: number; warnings: number } {
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  return { errors, warnings: problems.length - errors };
}

function flat({ code, severity, at, path, message, next }: Problem): FlatFinding {
  return {
    code,
    severity,
    file: at?.file ?? null,
    line: at?.line ?? null,
    column: at?.column ?? null,
    path: path ?? null,
    message,
    next,
  };
}

/** Maximum number of names in one line. */
const SHOWN_MAX = 10;

function shortened(paths: readonly string[]): string {
  const rest = paths.length - SHOWN_MAX;
  const shown = paths.slice(0, SHOWN_MAX).join(', ');
  return rest > 0 ? `${shown} and ${rest} more` : shown;
}

function byReason(skipped: readonly Skipped[]): readonly (readonly [string, readonly string[]])[] {
  const groups = new Map<string, string[]>();
  for (const { path, reason } of skipped) {
    groups.set(reason, [...(groups.get(reason) ?? []), path]);
  }
  return [...groups];
}

interface Streams {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
}

/** Returns the exit code of the lint. */
export function printLint(report: LintReport, output: string, streams: Streams): number {
  if (output === 'json') streams.stdout.write(lintJson(report));
  else {
    streams.stderr.write(lintNotes(report));
    streams.stdout.write(lintText(report));
  }
  return lintExitCode(report.problems);
}
