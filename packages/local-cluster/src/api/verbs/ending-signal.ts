import { LinkedSignal } from '../../../../../src/platform/linked-signal.ts';
import type { CancelSignal, Timers } from '../../../../../src/platform/platform.ts';

/** A signal that also aborts after a time; whoever is done before aborts it, and no timer is left. */
export function endingSignal(outer: CancelSignal, timers: Timers, afterMs: number): LinkedSignal {
  const signal = new LinkedSignal(outer);
  const callOff = timers.after(afterMs, signal.abort);
  if (signal.aborted) callOff();
  else signal.addEventListener('abort', callOff);
  return signal;
}
