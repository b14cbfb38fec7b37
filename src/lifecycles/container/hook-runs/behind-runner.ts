/**
 * Runs a hook as the child of a runner, which enforces the deadline even after the lifehook command was killed. This
 * command only waits for the runner, takes the output, and reads the hook's result.
 */
import type { AttemptRequest } from '../../../engine/act.ts';
import { runCaptured, runCommand, type End } from '../../../handlers/command.ts';
import { firstSignal, reachedLimit } from '../../../handlers/limits.ts';
import type { AttemptResult } from '../../../model/attempt.ts';
import type { CommandHandler } from '../../../model/hook.ts';
import { exitText } from '../../../platform/error-text.ts';
import type { Exit, Platform, RunningProcess, SpawnSpec } from '../../../platform/platform.ts';
import { procTable } from '../../../store/process-table.ts';
import { readReport, writeHookOrder } from './hook-order.ts';

export interface HookRunner {
  /** The argv of the runner program; the arguments of the hook order are appended. */
  readonly argv: readonly string[];
  readonly endFile: string;
}

/**
 * Runs the command of a hook behind the hook runner. Without a runner the hook is our own child, and we enforce its
 * deadline.
 */
export function runHookCommand(
  handler: CommandHandler,
  request: AttemptRequest,
  { platform, runner }: { platform: Platform; runner: HookRunner | undefined },
): Promise<AttemptResult> {
  if (runner === undefined) return runCommand(handler, request, platform);
  return runCaptured(handler, request, {
    clock: platform.clock,
    toEnd: (spec) => toEnd(spec, request, { platform, runner }),
  });
}

async function toEnd(
  spec: SpawnSpec,
  request: AttemptRequest,
  { platform, runner }: { platform: Platform; runner: HookRunner },
): Promise<End> {
  const { argv, endFile } = runner;
  const { files, processes } = platform;
  const { file, argv: hookArgv } = spec;
  const by = await procTable(files).self();
  const order = writeHookOrder({ timeoutMs: request.timeoutMs, by, endFile, file, argv: hookArgv });
  const runnerSpec = { ...spec, file: argv[0] ?? '', argv: [...argv, ...order] };
  for (let begun = 1; ; begun += 1) {
    await files.remove(endFile);
    const tooLate = reachedLimit(request);
    if (tooLate !== null) return { exit: null, cause: tooLate, failure: 'it was not started' };
    const exit = await exitOf(processes.spawn(runnerSpec), request);
    const report = await readReport(files, endFile);
    await files.remove(endFile);
    if (report?.kind === 'ended') return report.end;
    // The runner writes a report before it starts the hook. Without a report, the hook has not started.
    const neverBegun = report === null && exit.signal !== null;
    if (neverBegun && begun < startsMax) continue;
    throw new Error(
      `the runner of the hook ${exitText(exit)} before it reported the result of the hook`,
    );
  }
}

/**
 * Maximum number of starts of the runner. A runner that has just been forked is in the process group of the command for
 * a moment, so a signal to that group, as from a terminal, kills it too.
 */
const startsMax = 3;

async function exitOf(running: RunningProcess, request: AttemptRequest): Promise<Exit> {
  const cancel = (): void => {
    running.signalGroup(firstSignal('Cancelled', request));
  };
  request.signal.addEventListener('abort', cancel);
  try {
    return await running.exited;
  } finally {
    request.signal.removeEventListener('abort', cancel);
  }
}
