import { LifehookError } from '../../model/problem.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import { sleep } from '../../platform/sleep.ts';

/** Asks until `look` names nothing more that is left; rejects with `NotInTime` at the deadline. */
export type Until = (what: string, look: () => Promise<readonly string[]>) => Promise<void>;

export class NotInTime extends LifehookError {}

const LOOK_MS = 500;

/** One deadline for all that is waited for, from now on. */
export function deadline(seconds: number): Until {
  const { clock, timers } = nodePlatform;
  const endMs = clock.monotonicMs() + seconds * 1_000;
  return async (what, look) => {
    for (;;) {
      const left = await look();
      if (left.length === 0) return;
      if (clock.monotonicMs() > endMs) throw notInTime(what, seconds, left);
      await sleep(timers, LOOK_MS);
    }
  };
}

function notInTime(what: string, seconds: number, left: readonly string[]): NotInTime {
  return new NotInTime({
    code: 'LHK040',
    severity: 'error',
    message: `It was required that ${what} within ${seconds} s; left are: ${left.join('; ')}.`,
    next: 'see what holds it (kubectl describe) and run this again; where the controllers of the cluster cannot end it, delete their Deployment first, and this command does it itself.',
  });
}
