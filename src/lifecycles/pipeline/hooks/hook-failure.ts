/** Determines the effect of a failed hook on the pipeline, and its message for the user. Pure. */
import type { AttemptResult, RunOutcome } from '../../../model/attempt.ts';
import { exitCodeOf } from '../../../model/exit-code.ts';
import { shellWords } from '../../../model/shell-words.ts';
import type { PipelineHook } from './model.ts';

export interface HookFailure {
  readonly hook: PipelineHook;
  /** null: the hook did not start, so that there is no record of its run. */
  readonly runId: string | null;
  readonly outcome: Exclude<RunOutcome, 'Succeeded'>;
  /** The exit code of the hook, for messages and `--exit-code-from-hook` (PIPE-W4, PIPE-CASE19). */
  readonly exitCode: number;
  /**
   * LHL201: the message has the address, position and reason, the last lines of output and, if the hook has started,
   * the command that reruns it.
   */
  readonly message: string;
}

const TIMED_OUT = 124;
const INTERRUPTED = 130;
const FAILED = 1;

/** Maximum number of output lines in a message; below: of UTF-16 units. */
const LAST_LINES = 10;
const LAST_UNITS = 2_048;

export function hookFailure(
  run: Pick<HookFailure, 'hook' | 'runId'>,
  outcome: HookFailure['outcome'],
  last: { readonly result: AttemptResult | null; readonly reason: string },
): HookFailure {
  const { hook, runId } = run;
  const { result } = last;
  const { file, line, column } = hook.at;
  const rows = [
    `${file}:${line}:${column}: error LHL201: The hook ${nameOf(hook)} failed: ${result?.reason ?? last.reason}`,
    `  command: ${shellWords(hook.action.command)}`,
    ...lastLines(result).map((text) => `  | ${text}`),
    ...(runId === null ? [] : [`  again: lifehook pipeline rerun ${runId}`]),
  ];
  return { hook, runId, outcome, exitCode: exitCode(outcome, result), message: rows.join('\n') };
}

function nameOf({ address, name }: PipelineHook): string {
  return name === address ? address : `${address} (${name})`;
}

/**
 * The exit code that a failed hook gives to its command. Worked examples: exit 3 gives 3; a kill by SIGKILL gives 137;
 * a missed deadline gives 124; refused values after exit 0 give 1.
 */
function exitCode(outcome: HookFailure['outcome'], result: AttemptResult | null): number {
  if (outcome === 'TimedOut') return TIMED_OUT;
  if (outcome === 'Cancelled') return INTERRUPTED;
  const own = result === null ? null : exitCodeOf(result);
  return own === null || own === 0 ? FAILED : own;
}

/** The last lines of stderr, or of stdout if stderr is empty. */
function lastLines(result: AttemptResult | null): string[] {
  if (result === null) return [];
  const said = result.stderr.text.trim() === '' ? result.stdout.text : result.stderr.text;
  return said
    .slice(-LAST_UNITS)
    .trimEnd()
    .split('\n')
    .slice(-LAST_LINES)
    .filter((text) => text !== '');
}
