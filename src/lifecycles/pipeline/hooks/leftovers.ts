/**
 * Finds processes that a host hook leaves in its process group after its exit. A warning reports them, unless the
 * hook's `onLeftover` waits for them or terminates them. A process in another session (setsid) is a service that the
 * hook meant to start.
 */
import { graceMsMax } from '../../../handlers/command.ts';
import type { Platform, Processes, RunningProcess } from '../../../platform/platform.ts';
import { sleep } from '../../../platform/sleep.ts';
import type { HookPolicy } from './model.ts';

export interface Leftovers {
  /** Starts processes. The hook must be started through this, so that its process group is known. */
  readonly processes: Processes;
  /** Call after the exit of the hook. Returns the warning; null: no process is left, or all were terminated. */
  settle(): Promise<string | null>;
}

/**
 * Milliseconds to wait for the end of the process group. An exited process looks alive until its parent or init reaps
 * it.
 */
const REAP_MS = 250;
const POLL_MS = 10;

export function watchLeftovers(
  { onLeftover }: Pick<HookPolicy, 'onLeftover'>,
  platform: Pick<Platform, 'processes' | 'clock' | 'timers'>,
): Leftovers {
  const started: { running: RunningProcess | null } = { running: null };
  return {
    processes: {
      spawn: (spec) => {
        const untilGroupEnds = onLeftover === 'wait';
        started.running = platform.processes.spawn({ ...spec, untilGroupEnds });
        return started.running;
      },
    },
    settle: async () => {
      const { running } = started;
      if (running === null || (await endsWithin(REAP_MS, running, platform))) return null;
      if (onLeftover === 'terminate') {
        await terminate(running, platform);
        return null;
      }
      const group = `its process group ${running.pid}`;
      return `It exited and left processes running in ${group}. List them with pgrep -a -g ${running.pid}; onLeftover: terminate ends them, onLeftover: wait waits for them.`;
    },
  };
}

async function terminate(
  running: RunningProcess,
  platform: Pick<Platform, 'clock' | 'timers'>,
): Promise<void> {
  running.signalGroup('SIGTERM');
  if (await endsWithin(graceMsMax, running, platform)) return;
  running.signalGroup('SIGKILL');
  // A killed group exists for a moment more (PIPE-P8).
  await endsWithin(REAP_MS, running, platform);
}

async function endsWithin(
  limitMs: number,
  running: RunningProcess,
  { clock, timers }: Pick<Platform, 'clock' | 'timers'>,
): Promise<boolean> {
  const endMs = clock.monotonicMs() + limitMs;
  while (running.groupAlive()) {
    if (clock.monotonicMs() >= endMs) return false;
    await sleep(timers, POLL_MS);
  }
  return true;
}
