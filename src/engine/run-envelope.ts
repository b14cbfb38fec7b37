import type { RunEvent } from '../model/event.ts';
import type { EventEnvelope, Lifecycle, LifecycleEvent } from '../model/lifecycle-event.ts';

/** The part of the envelope that is the same for all events of a run. */
export type RunPlace<L extends Lifecycle> = Pick<EventEnvelope, 'target' | 'point' | 'run'> & {
  readonly lifecycle: L;
};

/** Wraps an event of the engine in the envelope of its lifecycle. Pure. */
export function runEnvelope<L extends Lifecycle>(
  place: RunPlace<L>,
  detail: RunEvent,
): LifecycleEvent<L, RunEvent> {
  const attempt = 'attempt' in detail ? detail.attempt : null;
  const event = { ...place, attempt, atMs: detail.atMs, detail };
  if (detail.type !== 'AttemptSettled') return event;
  const { outcome, durationMs } = detail.result;
  return { ...event, end: { outcome, durationMs } };
}
