/**
 * The times of a stop.
 *
 *  POD-G1 The grace period begins before the preStop hook, and includes it.
 *  POD-G2 TERM is sent when the hook has ended or the grace period is over, whichever is first.
 *  POD-G3 At least two seconds pass between TERM and KILL, even if the hook has used up the grace period.
 *  POD-G4 A later request with a shorter grace period makes the end of a stop earlier. Nothing makes it later.
 */
import type { Pod } from 'kubernetes-types/core/v1.js';

import type { Clock } from '../../platform/platform.ts';

/** Seconds; the shortest time between TERM and KILL. */
export const MINIMUM_GRACE_SECONDS = 2;

export interface GraceStart {
  readonly nowMs: number;
  readonly graceSeconds: number;
  /**
   * `metadata.deletionTimestamp` if the cause is a deletion: the end that the API server has promised. It prevents a
   * restarted node from starting the grace period again. It has whole seconds only, so up to one second may be added.
   * null: another cause.
   */
  readonly deletionTimestampMs: number | null;
}

/**
 * End of the grace period, on the wall clock. Worked example: a pod is deleted at 10.9 s with a grace period of 5 s,
 * and the node sees that at 10.95 s. The API says 15, which means any time up to 16, and the result is 15.95. A node
 * that sees the deletion again at 13 s, after a restart, gets 16, not 18.
 */
export function graceEndMs(start: GraceStart): number {
  const { nowMs, graceSeconds, deletionTimestampMs } = start;
  const own = nowMs + graceSeconds * 1_000;
  return deletionTimestampMs === null ? own : Math.min(own, deletionTimestampMs + 1_000);
}

/**
 * The time of KILL, from that of TERM. The rest of the grace period is rounded up to whole seconds, as by the kubelet.
 *
 * Worked examples, grace period of 10 s from 0: no hook, TERM at 0: KILL at 10. A hook of 3.7 s: TERM at 3.7, 7 s left:
 * KILL at 10.7. A sleep of 10 s: TERM at 10, nothing left: KILL at 12.
 */
export function killAtMs({
  termAtMs,
  graceEndsAtMs,
}: {
  readonly termAtMs: number;
  readonly graceEndsAtMs: number;
}): number {
  const left = Math.ceil((graceEndsAtMs - termAtMs) / 1_000);
  return termAtMs + Math.max(MINIMUM_GRACE_SECONDS, left) * 1_000;
}

/** The cause of a stop, which determines the grace period. */
export type StopCause =
  | { readonly kind: 'deletion'; readonly graceSeconds: number }
  /** A liveness or startup probe failed. graceSeconds: the grace period of the probe; null: the probe sets none. */
  | {
      readonly kind: 'probe';
      readonly probe: 'liveness' | 'startup';
      readonly graceSeconds: number | null;
    }
  /** The image or the resources have changed, and the container must be restarted for that. */
  | { readonly kind: 'inPlace'; readonly why: 'definition' | 'resize' }
  /** The postStart hook failed. */
  | { readonly kind: 'postStart' }
  /**
   * The pod terminates without a deletion: its deadline passed, an init container failed, or the main containers have
   * ended.
   */
  | { readonly kind: 'podOver' };

/**
 * The grace period in seconds. That of a deletion has precedence over that of a probe, and that of a probe over the
 * pod's (POD-K12).
 */
export function graceSecondsOf(cause: StopCause, podGraceSeconds: number): number {
  if (cause.kind === 'deletion') return cause.graceSeconds;
  if (cause.kind === 'probe' && cause.graceSeconds !== null) return cause.graceSeconds;
  return podGraceSeconds;
}

/** End of the grace period of a stop that begins now, in milliseconds on the monotonic clock of `GraceClock`. */
export function stopEndMs(cause: StopCause, { metadata, spec }: Pod, clock: Clock): number {
  const nowMs = clock.nowMs();
  const podGraceSeconds = spec?.terminationGracePeriodSeconds ?? 30;
  // For a deleted pod the grace period of the deletion applies to every stop, even one with another cause.
  const { deletionTimestamp: deleted, deletionGracePeriodSeconds } = metadata ?? {};
  const counts: StopCause =
    deleted === undefined
      ? cause
      : { kind: 'deletion', graceSeconds: deletionGracePeriodSeconds ?? 0 };
  const endMs = graceEndMs({
    nowMs,
    graceSeconds: graceSecondsOf(counts, podGraceSeconds),
    deletionTimestampMs: deleted === undefined ? null : Date.parse(deleted),
  });
  return clock.monotonicMs() + (endMs - nowMs);
}

/**
 * The end of a stop's grace period, in milliseconds on the monotonic clock, which changes of the wall clock do not
 * affect. It can be made earlier during the stop (POD-G4).
 */
export class GraceClock {
  #endsAtMs: number;
  readonly #listeners = new Set<() => void>();

  constructor(endsAtMs: number) {
    this.#endsAtMs = endsAtMs;
  }

  get endsAtMs(): number {
    return this.#endsAtMs;
  }

  shortenTo(endsAtMs: number): void {
    if (endsAtMs >= this.#endsAtMs) return;
    this.#endsAtMs = endsAtMs;
    for (const listener of this.#listeners) listener();
  }

  /** Returns a function that removes the listener. */
  onShortened(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }
}
