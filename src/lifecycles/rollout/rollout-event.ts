import type { LifecycleEvent, Notification } from '../../model/event.ts';
import type { HookAttempt, HookRunPhase, Phase, Stage } from './kinds.ts';

/** The detail of a rollout event. Durations are milliseconds. */
export type RolloutEvent = {
  readonly namespace: string;
  readonly deployment: string;
} & (
  | { readonly type: 'RolloutOpened'; readonly number: number }
  | {
      readonly type: 'PhaseEntered';
      readonly number: number;
      readonly phase: Phase;
      /** Milliseconds that the phase before took; absent for the first phase. */
      readonly afterMs?: number;
      /** Absent: the phase was decided, but is not recorded yet. */
      readonly recorded?: RecordedPhase;
    }
  | {
      readonly type: 'AttemptStarted';
      readonly number: number;
      readonly stage: Stage;
      readonly attempt: number;
    }
  | {
      readonly type: 'AttemptEnded';
      readonly number: number;
      readonly stage: Stage;
      readonly attempt: number;
      readonly outcome: NonNullable<HookAttempt['outcome']>;
      readonly durationMs: number;
    }
  | {
      readonly type: 'HookEnded';
      readonly number: number;
      readonly stage: Stage;
      readonly phase: HookRunPhase;
      /** UID of the HookRun. */
      readonly uid: string;
      readonly message: string;
    }
  | { readonly type: 'GateProven'; readonly armed: boolean; readonly reason: string }
  | { readonly type: 'GateBypassed'; readonly number: number; readonly message: string }
);

/** The phase in the status of the lifecycle. */
export interface RecordedPhase {
  /** UID of the DeploymentLifecycle. */
  readonly uid: string;
  /**
   * The time at which the phase was entered. It distinguishes two entries: one rollout may enter the phase Held twice.
   */
  readonly at: string;
  /** Why the rollout failed; absent: it has not failed. */
  readonly failure?: string;
}

export type RolloutLifecycleEvent = LifecycleEvent<'rollout', RolloutEvent>;

/** Wraps an event in its envelope. Pure. `atMs`: wall clock, milliseconds since the epoch. */
export function rolloutEnvelope(detail: RolloutEvent, atMs: number): RolloutLifecycleEvent {
  const { namespace, deployment } = detail;
  const number = 'number' in detail ? [detail.number] : [];
  const notification = notificationOf(detail);
  const event: RolloutLifecycleEvent = {
    lifecycle: 'rollout',
    target: { namespace, deployment },
    point: 'stage' in detail ? detail.stage : null,
    run: [namespace, deployment, ...number].join('/'),
    attempt: 'attempt' in detail ? detail.attempt : null,
    atMs,
    detail,
    ...(notification === null ? {} : { notification }),
  };
  if (detail.type !== 'AttemptEnded') return event;
  const { outcome, durationMs } = detail;
  return {
    ...event,
    end: { outcome: outcome === 'Aborted' ? 'Cancelled' : outcome, durationMs },
  };
}

/** null: no notification is sent for the event, which is only for logs and metrics. */
function notificationOf(event: RolloutEvent): Notification | null {
  if (event.type === 'HookEnded') return ofHook(event);
  return event.type === 'PhaseEntered' ? ofPhase(event) : null;
}

/**
 * The notification about an ended hook; null: none is sent. A failure is resolved by the next run of the same stage
 * that succeeds, even in another rollout.
 */
function ofHook(event: Extract<RolloutEvent, { type: 'HookEnded' }>): Notification | null {
  const { namespace, deployment, number, stage, phase, uid } = event;
  const problem = `hook/${namespace}/${deployment}/${stage}`;
  const what = `The ${stage} hook of rollout ${number} of Deployment ${namespace}/${deployment}`;
  if (phase === 'Succeeded') {
    const message = `${what} succeeded.`;
    return { id: `${uid}/succeeded`, type: 'run.recovered', problem, state: 'clear', message };
  }
  if (phase !== 'Failed' && phase !== 'Unknown') return null;
  const message = `${what} failed: ${event.message}`;
  return { id: `${uid}/failed`, type: 'run.failed', problem, state: 'open', message };
}

function ofPhase(event: Extract<RolloutEvent, { type: 'PhaseEntered' }>): Notification | null {
  const { namespace, deployment, number, phase, recorded } = event;
  if (recorded === undefined) return null;
  const problem = `held/${namespace}/${deployment}`;
  const what = `Rollout ${number} of Deployment ${namespace}/${deployment}`;
  if (phase !== 'Held') {
    const message = `${what} is not held: its phase is ${phase}.`;
    return { id: null, type: 'rollout.resumed', problem, state: 'clear', message };
  }
  const why = recorded.failure === undefined ? '' : `: ${recorded.failure}`;
  const next = `Apply another template, or run \`lifehook rollout retry ${deployment} -n ${namespace}\`.`;
  const message = `${what} is held${why}. ${next}`;
  const id = `${recorded.uid}/${number}/held/${recorded.at}`;
  return { id, type: 'rollout.held', problem, state: 'open', message };
}
