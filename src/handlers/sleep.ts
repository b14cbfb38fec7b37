import type { AttemptRequest } from '../engine/act.ts';
import type { AttemptResult } from '../model/attempt.ts';
import type { SleepHandler } from '../model/hook.ts';
import { makeMasker } from '../model/secrets.ts';
import type { Platform } from '../platform/platform.ts';
import { sleep } from '../platform/sleep.ts';
import { runBounded } from './bounded-work.ts';

/** Waits; ends early only at a deadline or a cancellation. */
export function runSleep(
  handler: SleepHandler,
  request: AttemptRequest,
  platform: Pick<Platform, 'clock' | 'timers'>,
): Promise<AttemptResult> {
  return runBounded(request, platform, {
    what: `The sleep of ${handler.seconds} s`,
    masker: makeMasker([]),
    run: async (signal) => {
      await sleep(platform.timers, handler.seconds * 1000, signal);
      return { succeeded: true, reason: 'is over' };
    },
  });
}
