/**
 * With a runtime that skips hooks (crun) the wrapper keeps running: it starts the runtime as a child, forwards
 * signals, and afterwards runs the skipped hooks.
 */
import { formatProblem } from '../../../model/problem.ts';
import type { Exit } from '../../../platform/platform.ts';
import type { ShimHost, StandIn } from '../../../platform/shim-host.ts';
import { inheritedDescriptors, type Handing } from './hand-over.ts';
import { failedHookWords, hookEnds } from '../hook-runs/hook-ends.ts';
import { createStages } from '../points.ts';
import { addToFailure } from './wrapper-log.ts';
import type { Injected } from './inject-hooks.ts';

/**
 * Runs `create` of the real runtime. After a failed create, poststop hooks run (runtime.md, lifecycle steps 12 and 13).
 */
export async function createAndClean(handing: Handing, injected: Injected): Promise<void> {
  const { host, call } = handing;
  const sinceMs = host.clock.nowMs();
  const exit = await runtimeEnd(handing);
  if (exit.code !== 0) await reportHookArguments(handing, sinceMs);
  if (
    exit.code !== 0 &&
    injected.poststop.length > 0 &&
    !(await mayHaveLived(handing, sinceMs)) &&
    !(await isThere(handing))
  ) {
    const { cleanUp } = await import('./seldom.ts');
    await cleanUp(host, call.containerId ?? '', injected);
  }
  host.end(exit);
}

/** Reports the output of a failed hook: crun names only the failed program, which is the runner. */
async function reportHookArguments(
  { host, call, settings }: Handing,
  sinceMs: number,
): Promise<void> {
  const { containerId = '' } = call;
  const { spool } = settings;
  const question = { spool, containerId, stages: createStages, sinceMs };
  const words = await failedHookWords(host.files, question);
  if (words !== null) await addToFailure(host, call, words);
}

/**
 * Whether the poststop hooks may have run. A nonzero exit of `run` may also be that of the container's program. Then
 * the runtime has run the poststop hooks, and their records show it. Without the runner there are no records, and
 * running hooks twice would be worse than never.
 */
async function mayHaveLived(
  { host, call, settings: { spool, wrap } }: Handing,
  sinceMs: number,
): Promise<boolean> {
  if (call.command !== 'run') return false;
  const containerId = call.containerId ?? '';
  const question = { spool, containerId, stages: ['poststop'], sinceMs } as const;
  return !wrap || (await hookEnds(host.files, question)).length > 0;
}

/** Whether a container with this id exists. After a failed create, it is not ours: the id was in use before. */
async function isThere(handing: Handing): Promise<boolean> {
  return (await ask(handing, 'state')).code === 0;
}

/**
 * Starts the container by the real runtime. A failed poststart hook makes start fail, and the container is stopped and
 * destroyed, with its poststop hooks (OCI 1.3, runtime.md, lifecycle step 9).
 */
export async function startAndJudge(handing: Handing): Promise<void> {
  const { host, call, settings } = handing;
  const sinceMs = host.clock.nowMs();
  const exit = await runtimeEnd(handing);
  const containerId = call.containerId ?? '';
  const question = { spool: settings.spool, containerId, stages: ['poststart'], sinceMs } as const;
  const words = exit.code === 0 ? await failedHookWords(host.files, question) : null;
  if (words === null) return host.end(exit);
  const problem = formatProblem({
    code: 'LHC317',
    severity: 'error',
    message: `A poststart hook of container ${containerId} failed, so the container is stopped and deleted. ${words}`,
    next: `See its record in ${settings.spool}; "onFailure": "warn" for its file lets the container continue.`,
  });
  host.print('stderr', `lifehook-runtime: ${problem}\n`);
  await ask(handing, 'delete', '--force');
  return host.end({ code: 1, signal: null });
}

async function runtimeEnd({ host, call, runtime }: Handing): Promise<Exit> {
  const standIn = host.runInPlace(runtime, inheritedDescriptors(host, call));
  forwardSignals(host, standIn);
  return standIn.exited;
}

/** Runs another command of the runtime, for the same container. */
function ask({ host, call, runtime }: Handing, ...command: readonly string[]): Promise<Exit> {
  const argv = [runtime, ...call.globals, ...command, call.containerId ?? ''];
  return host.processes.spawn({ file: runtime, argv, env: host.env }).exited;
}

function forwardSignals(host: ShimHost, standIn: StandIn): void {
  for (const signal of forwarded) {
    host.supervision.onSignal(signal, () => {
      standIn.signal(signal);
    });
  }
}

const forwarded = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const;
