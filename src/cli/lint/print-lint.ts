import { lintExitCode, lintJson, lintNotes, type LintReport, lintText } from './report.ts';

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
