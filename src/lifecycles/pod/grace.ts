/**
 * The times of a stop.
 *
 *  POD-G1 The grace period begins before the preStop hook, and includes it.
 *  POD-G2 TERM is sent when the hook has ended or the grace is used up, whichever is first: min(sleep, grace).
 *  POD-G3 At least two seconds pass between TERM and KILL, even if the hook has used up the grace.
 *  POD-G4 A later, shorter grace moves the end forward; nothing ever moves it back.
 */
import type { Pod } from 'kubernetes-types/core/v1.js';

import type { Clock } from '../../platform/platform.ts';

/** Least time between TERM and KILL, seconds. */
export const MINIMUM_GRACE_SECONDS = 2;

export interface GraceStart {
  readonly nowMs: number;
  readonly graceSeconds: number;
  /**
   * `metadata.deletionTimestamp` if the cause is a deletion: the end that the API server has promised. It has whole
   * seconds only, so up to one second may be added. It prevents a restarted node from beginning the grace anew. null:
   * another cause.
   */
  readonly deletionTimestampMs: number | null;
}

/**
 * Worked example: deleted at 10.9 s with a grace of 5 s, seen at 10.95: the API says 15, which may mean any time up to
 * 16, and the result is 15.95. Seen again at 13 after a restart: 16, not 18.
 */
export function graceEndMs(start: GraceStart): number {
  const { nowMs, graceSeconds, deletionTimestampMs } = start;
  const own = nowMs + graceSeconds * 1_000;
  return deletionTimestampMs === null ? own : Math.min(own, deletionTimestampMs + 1_000);
}

/**
 * The time of KILL after a TERM. The rest of the grace is rounded up to whole seconds, as the kubelet does.
 *
 * Worked examples, grace 10 s from 0: no hook, TERM at 0: KILL at 10. A hook of 3.7 s: TERM at 3.7, 7 s left: KILL at
 * 10.7. A sleep of 10 s: TERM at 10, nothing left: KILL at 12.
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

/** Why a container is stopped; it determines the grace period. */
export type StopCause =
  | { readonly kind: 'deletion'; readonly graceSeconds: number }
  /** A failed liveness or startup probe; graceSeconds: that of the probe; null: it has none. */
  | {
      readonly kind: 'probe';
      readonly probe: 'liveness' | 'startup';
      readonly graceSeconds: number | null;
    }
  /** Its image or its resources have changed, and it must be restarted for them. */
  | { readonly kind: 'inPlace'; readonly why: 'definition' | 'resize' }
  /** A failed postStart hook. */
  | { readonly kind: 'postStart' }
  /** The pod terminates for another reason: its deadline passed, or its other containers have ended. */
  | { readonly kind: 'podOver' };

/** The grace of a deletion beats that of the probe, and the probe's beats the pod's (POD-K12). */
export function graceSecondsOf(cause: StopCause, podGraceSeconds: number): number {
  if (cause.kind === 'deletion') return cause.graceSeconds;
  if (cause.kind === 'probe' && cause.graceSeconds !== null) return cause.graceSeconds;
  return podGraceSeconds;
}

/** End of the grace period of a stop that begins now, on the clock of `GraceClock`. */
export function stopEndMs(cause: StopCause, { metadata, spec }: Pod, clock: Clock): number {
  const nowMs = clock.nowMs();
  const podGraceSeconds = spec?.terminationGracePeriodSeconds ?? 30;
  // For a deleted pod the grace of the deletion counts, whatever the cause of the stop.
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
 * The end of a stop's grace period, in milliseconds on the monotonic clock, so that changes of the wall clock do not
 * affect it. It can be shortened during the stop (POD-G4).
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
