import type { Clock } from '../../../platform/platform.ts';
import type { AdmittedObject } from '../kinds.ts';

interface Running {
  readonly requestedAt: string;
  /**
   * Milliseconds of the monotonic clock when this process first saw the request; `elapsedMs`: age of the request then.
   */
  readonly seenMs: number;
  readonly elapsedMs: number;
}

/**
 * The time since the cut of each snapshot was requested. The wall clock is read once for each cut, for the time before
 * this process knew the request. From then on the monotonic clock counts.
 */
export class CutTimes {
  readonly #clock: Clock;
  readonly #running = new Map<string, Running>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whole milliseconds; undefined: no cut is requested. */
  elapsedMs(key: string, requestedAt: string | undefined): number | undefined {
    if (requestedAt === undefined) return undefined;
    const seenMs = this.#clock.monotonicMs();
    const known = this.#running.get(key);
    if (known?.requestedAt === requestedAt) {
      return Math.floor(known.elapsedMs + seenMs - known.seenMs);
    }
    const elapsedMs = Math.max(0, this.#clock.nowMs() - Date.parse(requestedAt));
    this.#running.set(key, { requestedAt, seenMs, elapsedMs });
    return elapsedMs;
  }

  forget(key: string): void {
    this.#running.delete(key);
  }
}

/**
 * The time since this process first saw the admission of an object.
 *
 * The webhook may run in another process, with another clock, so the time that it recorded is not used. Another leader
 * counts from zero again, at most until the cut deadline.
 */
export class AdmissionTimes {
  readonly #clock: Clock;
  /** Keyed by the key of the window, then by UID. Values: milliseconds of the monotonic clock. */
  readonly #seen = new Map<string, Map<string, number>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns the milliseconds of each UID. The time of a UID that is not known yet starts now. */
  of(key: string, admitted: readonly AdmittedObject[]): (uid: string) => number {
    const nowMs = this.#clock.monotonicMs();
    const before = this.#seen.get(key);
    const now = new Map(admitted.map(({ uid }) => [uid, before?.get(uid) ?? nowMs]));
    if (now.size > 0) this.#seen.set(key, now);
    return (uid) => nowMs - (now.get(uid) ?? nowMs);
  }

  forget(key: string): void {
    this.#seen.delete(key);
  }
}
