import type { Clock } from '../../../platform/platform.ts';
import type { AdmittedObject } from '../guard-kinds.ts';

/**
 * The time since this process first saw the admission of an object. The webhook's process has another clock, so its
 * time of the admission is not used; another leader counts again from zero, at most until the cut deadline.
 */
export class AdmissionTimes {
  readonly #clock: Clock;
  /** By the key of the window, then by UID: milliseconds of the monotonic clock. */
  readonly #seen = new Map<string, Map<string, number>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Milliseconds by UID; an unknown UID is seen now. */
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
