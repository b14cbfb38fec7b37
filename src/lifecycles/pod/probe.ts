/** The verdict on consecutive probe results. Pure; thresholds as in the Kubernetes API. */
import type { Probe } from 'kubernetes-types/core/v1.js';

export type ProbeKind = 'startup' | 'liveness' | 'readiness';

/** `verdict`: the current result; `successes` and `failures` count the latest consecutive results. */
export interface ProbeState {
  readonly verdict: 'unknown' | 'passing' | 'failing';
  readonly successes: number;
  readonly failures: number;
}

export const freshProbe: ProbeState = { verdict: 'unknown', successes: 0, failures: 0 };

/**
 * Worked example, failureThreshold 3, successThreshold 1: two failures leave an unknown verdict unknown and a passing
 * one passing; the third makes it failing; one success makes it passing again.
 */
export function addResult(state: ProbeState, succeeded: boolean, probe: Probe): ProbeState {
  const successes = succeeded ? state.successes + 1 : 0;
  const failures = succeeded ? 0 : state.failures + 1;
  const row = { successes, failures };
  if (successes >= (probe.successThreshold ?? 1)) return { verdict: 'passing', ...row };
  if (failures >= (probe.failureThreshold ?? 3)) return { verdict: 'failing', ...row };
  return { verdict: state.verdict, ...row };
}
