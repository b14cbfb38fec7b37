/**
 * What a host hook leaves running in its process group when it has exited: a warning says so, unless its `onLeftover`
 * waits for it or terminates it. A process in a session of its own (setsid) is a service that the hook meant to start.
 */
import { graceMsMax } from '../../../handlers/command.ts';
import type { Platform, Processes, RunningProcess } from '../../../platform/platform.ts';
import { sleep } from '../../../platform/sleep.ts';
import type { HookPolicy } from './model.ts';

export interface Leftovers {
  /** To start the hook with. */
  readonly processes: Processes;
  /** Once the hook has exited: what a warning says; null: nothing is left, or it was terminated. */
  settle(): Promise<string | null>;
}

/** Until a process that has exited is reaped, by its own parent or by init, it looks alive. */
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
