/**
 * The events that the statuses still contain, equal to those that were emitted when the statuses were written. A new
 * leader emits them, because the last leader may have exited before it emitted them. Pure.
 */
import type { DeploymentLifecycle, HookRun, RolloutStatus } from './kinds.ts';
import {
  type RecordedPhase,
  type RolloutEvent,
  rolloutEnvelope,
  type RolloutLifecycleEvent,
} from './rollout-event.ts';

export interface Recorded {
  readonly lifecycles: readonly DeploymentLifecycle[];
  readonly runs: readonly HookRun[];
  /** Wall clock, milliseconds; hooks that ended before this time are left out. */
  readonly sinceMs: number;
}

/** The events: first of the phases, and after them the ends of hooks in the order of their times. */
export function recordedEvents({ lifecycles, runs, sinceMs }: Recorded): RolloutLifecycleEvent[] {
  const ends = runs.flatMap(endOf).filter(({ atMs }) => atMs >= sinceMs);
  return [...lifecycles.flatMap(phaseOf), ...ends.toSorted((one, other) => one.atMs - other.atMs)];
}

export function recordedPhase(
  { metadata }: DeploymentLifecycle,
  { phaseStartedAt: at, failure }: RolloutStatus,
): RecordedPhase {
  const { uid = '' } = metadata ?? {};
  return { uid, at, ...(failure === undefined ? {} : { failure: failure.message }) };
}

function phaseOf(lifecycle: DeploymentLifecycle): RolloutLifecycleEvent[] {
  const { metadata, spec, status } = lifecycle;
  const { rollout } = status ?? {};
  if (rollout === undefined) return [];
  const { number, phase } = rollout;
  const about = { namespace: metadata?.namespace ?? '', deployment: spec.deploymentName };
  const recorded = recordedPhase(lifecycle, rollout);
  const event = { type: 'PhaseEntered', ...about, number, phase, recorded } as const;
  const atMs = Date.parse(rollout.phaseStartedAt);
  return Number.isNaN(atMs) ? [] : [rolloutEnvelope(event, atMs)];
}

function endOf(run: HookRun): RolloutLifecycleEvent[] {
  const event = endedEvent(run);
  const { finishedAt = '' } = run.status ?? {};
  return event === null ? [] : [rolloutEnvelope(event, Date.parse(finishedAt))];
}

/** null: the hook has not ended. */
export function endedEvent({ metadata, spec, status }: HookRun): RolloutEvent | null {
  const { phase, message = '' } = status ?? {};
  if (phase === undefined || phase === 'Running') return null;
  const { deploymentName: deployment, rollout: number, stage } = spec;
  const { namespace = '', uid = '' } = metadata ?? {};
  const about = { namespace, deployment, number, stage };
  return { type: 'HookEnded', ...about, phase, uid, message };
}
