/**
 * The arithmetic of a stop. Pure.
 *
 *  POD-G1 The grace period begins before the preStop hook, and the hook spends from it.
 *  POD-G2 TERM is sent when the hook has ended or the grace is used up, whichever is first: min(sleep, grace).
 *  POD-G3 Between TERM and KILL there are at least two seconds, also when the hook has eaten all of it.
 *  POD-G4 A later and shorter grace moves the end forward; nothing ever moves it back.
 */

/** What is left between TERM and KILL at the least, seconds. */
export const MINIMUM_GRACE_SECONDS = 2;

export interface GraceStart {
  readonly nowMs: number;
  readonly graceSeconds: number;
  /**
   * `metadata.deletionTimestamp`, when the stop is that of a deletion: the end that the API server has
   * promised. It has whole seconds only, so the moment within the second is ours. It counts after a
   * restart of the node, which must not begin the grace anew.
   */
  readonly deletionTimestampMs: number | null;
}

/**
 * Worked example: deleted at 10.9 s with a grace of 5 s, seen at 10.95: the API says 15, which may mean
 * anything up to 16, and we say 15.95. Seen again at 13 after a restart: 16, not 18.
 */
export function graceEndMs(start: GraceStart): number {
  const { nowMs, graceSeconds, deletionTimestampMs } = start;
  const own = nowMs + graceSeconds * 1_000;
  return deletionTimestampMs === null ? own : Math.min(own, deletionTimestampMs + 1_000);
}

/**
 * When KILL follows a TERM. Whole seconds are taken off, as the kubelet does.
 *
 * Worked examples, grace 10 s from 0: no hook, TERM at 0: KILL at 10. A hook of 3.7 s: TERM at 3.7, 7 s
 * left: KILL at 10.7. A sleep of 10 s: TERM at 10, nothing left: KILL at 12.
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

/** Why a container is stopped; it decides whose grace counts. */
export type StopCause =
  | { readonly kind: 'deletion'; readonly graceSeconds: number }
  /** A failed liveness or startup probe, with a grace of the probe's own if it has one. */
  | {
      readonly kind: 'probe';
      readonly probe: 'liveness' | 'startup';
      readonly graceSeconds: number | null;
    }
  /** Its image has changed, or its resources, and it has to be restarted for them. */
  | { readonly kind: 'inPlace'; readonly why: 'definition' | 'resize' }
  /** A failed postStart hook. */
  | { readonly kind: 'postStart' }
  /** The pod is over: its deadline, or its other containers have ended. */
  | { readonly kind: 'podOver' };

/** Deletion beats the probe's, the probe's beats the pod's (POD-K12). */
export function graceSecondsOf(cause: StopCause, podGraceSeconds: number): number {
  if (cause.kind === 'deletion') return cause.graceSeconds;
  if (cause.kind === 'probe' && cause.graceSeconds !== null) return cause.graceSeconds;
  return podGraceSeconds;
}
