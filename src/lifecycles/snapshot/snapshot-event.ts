import type { LifecycleEvent } from '../../model/lifecycle-event.ts';
import type { VerdictValue } from './evidence-kinds.ts';
import type { ActionAttempt } from './attempt-kinds.ts';
import type { ExecutionHookStatus, ReleaseCause, ThawedBy } from './kinds.ts';

/** Identifies a target container of a hook. */
export interface TargetName {
  readonly namespace: string;
  readonly hook: string;
  readonly pod: string;
  readonly container: string;
}

/** The events of this lifecycle: the `detail` of their envelope. */
export type SnapshotEvent =
  | {
      readonly type: 'AttemptStarted';
      readonly target: TargetName;
      readonly action: 'pre' | 'post' | 'probe';
      /** Absent for a probe. */
      readonly attempt?: number;
    }
  | {
      readonly type: 'AttemptEnded';
      readonly target: TargetName;
      readonly action: 'pre' | 'post' | 'probe';
      readonly attempt?: number;
      readonly outcome: NonNullable<ActionAttempt['outcome']>;
      readonly durationMs: number;
    }
  | { readonly type: 'Frozen'; readonly target: TargetName }
  | {
      readonly type: 'Thawed';
      readonly target: TargetName;
      readonly by: ThawedBy;
      /** Milliseconds from the first preAction. */
      readonly frozenMs: number;
    }
  /** The thaw has failed so far, or its time is over. */
  | { readonly type: 'ThawOverdue'; readonly target: TargetName; readonly sinceMs: number }
  /** The status of a hook that the server refuses to store; null: the server has stored it. */
  | {
      readonly type: 'StatusKept';
      readonly namespace: string;
      readonly hook: string;
      readonly uid: string;
      readonly status: ExecutionHookStatus | null;
    }
  /** The container ended before a thaw was proven, although its lock does not end with it. */
  | { readonly type: 'ThawUnproven'; readonly target: TargetName; readonly reason: string }
  | {
      readonly type: 'Released';
      readonly namespace: string;
      readonly hook: string;
      readonly cause: ReleaseCause;
    }
  /** Nothing of the hook is frozen any more, and nothing will be. */
  | {
      readonly type: 'Settled';
      readonly namespace: string;
      readonly hook: string;
      /** Milliseconds since the first preAction; 0: there was none. */
      readonly sinceMs: number;
    }
  | {
      readonly type: 'CutObserved';
      readonly namespace: string;
      readonly snapshot: string;
      /** Milliseconds from the request to the cut of the last volume. */
      readonly cutMs: number;
    }
  | {
      readonly type: 'Verdict';
      readonly namespace: string;
      readonly snapshot: string;
      readonly value: VerdictValue;
      readonly reason: string;
    }
  /** The cut was never requested, so there is no verdict. */
  | {
      readonly type: 'FailedBeforeCut';
      readonly namespace: string;
      readonly snapshot: string;
      readonly reason: string;
      readonly message: string;
    };

export type SnapshotLifecycleEvent = LifecycleEvent<'snapshot', SnapshotEvent>;

export const ACTION_POINTS = { pre: 'preAction', post: 'postAction', probe: 'probe' } as const;

/** Pure. `atMs`: milliseconds of the wall clock. */
export function snapshotEnvelope(detail: SnapshotEvent, atMs: number): SnapshotLifecycleEvent {
  const about = 'target' in detail ? detail.target : detail;
  const { namespace } = about;
  const object = 'hook' in about ? { hook: about.hook } : { snapshot: about.snapshot };
  const place =
    'target' in detail ? { pod: detail.target.pod, container: detail.target.container } : {};
  const event: SnapshotLifecycleEvent = {
    lifecycle: 'snapshot',
    target: { namespace, ...object, ...place },
    point: 'action' in detail ? ACTION_POINTS[detail.action] : null,
    run: [namespace, ...Object.values(object)].join('/'),
    attempt: 'attempt' in detail ? (detail.attempt ?? null) : null,
    atMs,
    detail,
  };
  if (detail.type !== 'AttemptEnded') return event;
  return { ...event, end: { outcome: detail.outcome, durationMs: detail.durationMs } };
}
