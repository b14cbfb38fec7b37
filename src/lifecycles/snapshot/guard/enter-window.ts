/** Brings one request into a window of its guard: joins or opens one, waits for its freeze, and records the UID. */
import { isTerminating } from '../../../controller/finalizers.ts';
import type { CancelSignal } from '../../../platform/platform.ts';
import type { Failure } from '../app/failure.ts';
import { DEFAULT_FREEZE_TIMEOUT_SECONDS } from '../names.ts';
import { CLAIMS_MAX } from '../schema/limits.ts';
import { isIn, isOverWindow } from './choose-window.ts';
import { Entering } from './entering.ts';
import type { Entered, GuardedRequest } from './entry.ts';
import type { GuardWorld } from './guard-world.ts';
import { readCutSignal } from './read-cut-signal.ts';
import { readGuardedClaims, readWindows } from './read-guards.ts';

/** Rejects if the API server does not answer. */
export async function enterWindow(
  wanted: GuardedRequest,
  world: GuardWorld,
  signal: CancelSignal,
): Promise<Entered> {
  const { asked, guard } = wanted;
  const { freezeTimeoutSeconds: seconds = DEFAULT_FREEZE_TIMEOUT_SECONDS } = guard.spec;
  const endMs = wanted.arrivedMs + seconds * 1_000;
  const [claimNames, cutSignal, windows] = await Promise.all([
    readGuardedClaims(world, guard, signal),
    readCutSignal(world, wanted, signal),
    readWindows(world, guard, signal),
  ]);
  const late = windows.find((each) => isOverWindow(each) && isIn(each, asked.uid));
  // The window `late` has admitted the UID, so `onFreezeFailure: Allow` must not record the UID in a newer window
  // (SNAP-W2).
  if (late !== undefined) return { kind: 'failed', ...LATE, window: late, cutSignal };
  const window = windows.at(-1) ?? null;
  const problem = whyNoWindow(wanted, claimNames);
  if (problem !== null) return { kind: 'failed', ...problem, window, cutSignal };
  const input = { guard, claimNames };
  return new Entering({ wanted, world, signal, input, cutSignal, window }).until(endMs, seconds);
}

/** The failure if the API server repeats the call for a request that was admitted before (SNAP-W2). */
const LATE: Failure = {
  reason: 'WindowClosed',
  message: 'the window that had admitted this request is closed, so the application may be thawed',
};

function whyNoWindow({ claims }: GuardedRequest, guarded: readonly string[]): Failure | null {
  const unbound = claims.find(({ name }) => !guarded.includes(name));
  if (unbound !== undefined) {
    const { name, claim } = unbound;
    if (claim !== null && isTerminating(claim)) {
      return { reason: 'ClaimGoing', message: `claim ${name} is being deleted` };
    }
    const message = `claim ${name} must be bound to a volume`;
    return { reason: 'ClaimNotBound', message };
  }
  if (guarded.length <= CLAIMS_MAX) return null;
  const message = `the guard selects ${guarded.length} claims, and can freeze for at most ${CLAIMS_MAX}: narrow its claimSelector`;
  return { reason: 'TooManyClaims', message };
}
