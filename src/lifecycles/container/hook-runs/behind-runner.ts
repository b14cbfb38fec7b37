/**
 * A hook as the child of a runner: the deadline is the runner's, so it also ends a hook whose command was
 * killed. The command only waits, takes the output, and reads how the hook ended.
 */
import type { AttemptRequest } from '../../../engine/act.ts';
import { runCaptured, runCommand, type End } from '../../../handlers/command.ts';
import { firstSignal, reachedLimit } from '../../../handlers/limits.ts';
import type { AttemptResult } from '../../../model/attempt.ts';
import type { CommandHandler } from '../../../model/hook.ts';
import type { Exit, Platform, SpawnSpec } from '../../../platform/platform.ts';
import { readReport, writeHookOrder } from './hook-order.ts';

export interface HookRunner {
  /** The argv of the runner program; the order is put behind it. */
  readonly argv: readonly string[];
  readonly endFile: string;
}

/** Without a runner the hook is our own child, and so is its deadline. */
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
  const tooLate = reachedLimit(request);
  if (tooLate !== null) return { exit: null, cause: tooLate, failure: 'it was not started' };
  const { argv, endFile } = runner;
  const { files, processes } = platform;
  await files.remove(endFile);
  const { file, argv: hookArgv } = spec;
  const order = writeHookOrder({ timeoutMs: request.timeoutMs, endFile, file, argv: hookArgv });
  const running = processes.spawn({ ...spec, file: argv[0] ?? '', argv: [...argv, ...order] });
  const cancel = (): void => {
    running.signalGroup(firstSignal('Cancelled', request));
  };
  request.signal.addEventListener('abort', cancel);
  try {
    const exit = await running.exited;
    const report = await readReport(files, endFile);
    await files.remove(endFile);
    if (report?.kind === 'ended') return report.end;
    throw new Error(`the runner of the hook ${describe(exit)} before it could say how it ended`);
  } finally {
    request.signal.removeEventListener('abort', cancel);
  }
}

function describe({ code, signal }: Exit): string {
  return signal === null ? `exited with code ${code ?? '?'}` : `was ended by ${signal}`;
}
