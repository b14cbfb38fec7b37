/** What a row of probe results means. Pure; thresholds as of the Kubernetes API. */
import type { Probe } from 'kubernetes-types/core/v1.js';

export type ProbeKind = 'startup' | 'liveness' | 'readiness';

/** `verdict`: what counts now; the numbers are of the latest unbroken row. */
export interface ProbeState {
  readonly verdict: 'unknown' | 'passing' | 'failing';
  readonly successes: number;
  readonly failures: number;
}

export const freshProbe: ProbeState = { verdict: 'unknown', successes: 0, failures: 0 };

/**
 * Worked example, failureThreshold 3, successThreshold 1: fail, fail leave an unknown one unknown and a
 * passing one passing; the third fail makes it failing; one success makes it passing again.
 */
export function addResult(state: ProbeState, succeeded: boolean, probe: Probe): ProbeState {
  const successes = succeeded ? state.successes + 1 : 0;
  const failures = succeeded ? 0 : state.failures + 1;
  const row = { successes, failures };
  if (successes >= (probe.successThreshold ?? 1)) return { verdict: 'passing', ...row };
  if (failures >= (probe.failureThreshold ?? 3)) return { verdict: 'failing', ...row };
  return { verdict: state.verdict, ...row };
}
