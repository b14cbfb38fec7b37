import type { LifecycleEvent } from '../../model/event.ts';
import type {
  VerdictValue,
  ActionAttempt,
  ExecutionHookStatus,
  ReleaseCause,
  ThawedBy,
} from './kinds.ts';
import type { RequiredLevel } from './required-level.ts';
import { notificationOf } from './snapshot-notification.ts';

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
      /** Number of the attempt, from 1; absent for a probe. */
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
      readonly uid: string;
      readonly by: ThawedBy;
      /** Milliseconds from the first preAction to the thaw. */
      readonly frozenMs: number;
    }
  /** The thaw of a target has failed so far, or is not done within its time. */
  | {
      readonly type: 'ThawOverdue';
      readonly target: TargetName;
      readonly uid: string;
      readonly sinceMs: number;
    }
  /** The server refuses to store the status of a hook. `status` null: the server has now stored it. */
  | {
      readonly type: 'StatusKept';
      readonly namespace: string;
      readonly hook: string;
      readonly uid: string;
      readonly status: ExecutionHookStatus | null;
    }
  /** The container of a target ended before a thaw was proven, although its lock does not end with it. */
  | {
      readonly type: 'ThawUnproven';
      readonly target: TargetName;
      readonly uid: string;
      readonly reason: string;
    }
  | {
      readonly type: 'Released';
      readonly namespace: string;
      readonly hook: string;
      readonly cause: ReleaseCause;
    }
  /** The hook has ended: none of its targets is frozen, and none will be. */
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
      /** Milliseconds from the request until the cut of the last volume was observed. */
      readonly cutMs: number;
    }
  | ({
      readonly type: 'Verdict';
      readonly value: VerdictValue;
      readonly required: RequiredLevel;
      /** Whether the verdict is as good as required. */
      readonly isReached: boolean;
    } & SnapshotEnd)
  /** The webhook of the guards has answered a request to create a snapshot. */
  | {
      readonly type: 'GuardAnswered';
      readonly namespace: string;
      /** Name of the guard; '' if none was chosen. */
      readonly guard: string;
      readonly answer: 'Admitted' | 'Unfrozen' | 'Refused';
      readonly reason: string;
      /** Kind and name of the requested object, such as "VolumeSnapshot/nightly". */
      readonly object: string;
    }
  /** A window of a guard has ended. */
  | {
      readonly type: 'WindowEnded';
      readonly namespace: string;
      readonly snapshot: string;
      readonly guard: string;
      readonly admitted: number;
      readonly reason: string;
    }
  /** The snapshot failed before the cut was requested, so it has no verdict. */
  | ({ readonly type: 'FailedBeforeCut' } & SnapshotEnd)
  | RestoreEnded
  | ScheduleEvent;

export type ScheduleEvent = AboutSchedule &
  (
    | {
        readonly type: 'ScheduleOverdue';
        /** Time since which the schedule is overdue. */
        readonly since: string;
        readonly message: string;
      }
    /** The schedule has a good snapshot, and is not overdue. */
    | {
        readonly type: 'ScheduleGood';
        /** The time of the cut. */
        readonly at: string;
      }
    | {
        readonly type: 'RehearsalEnded';
        readonly scheduledTime: string;
        /** NotRun: the rehearsal could not start. */
        readonly result: 'Passed' | 'Failed' | 'Unknown' | 'NotRun';
        readonly message: string;
      }
  );

interface AboutSchedule {
  readonly namespace: string;
  readonly schedule: string;
  readonly uid: string;
}

/** A restore is in its terminal state. */
export interface RestoreEnded {
  readonly type: 'RestoreEnded';
  readonly namespace: string;
  readonly restore: string;
  readonly uid: string;
  /** The same text for all restores of one owner. */
  readonly series: string;
  /** Whether a schedule started the restore. Then the schedule reports its result. */
  readonly isScheduled: boolean;
  readonly outcome: 'Completed' | 'Failed';
  readonly reason: string;
  readonly message: string;
  /** None: the restore has no check, or failed before it. */
  readonly verification: 'Passed' | 'Failed' | 'Unknown' | 'None';
  /** Whether the restore was a rehearsal. */
  readonly scratch: boolean;
  /** Milliseconds from the start of the restore to the end of its clean-up. */
  readonly restoreMs: number;
}

interface SnapshotEnd {
  readonly namespace: string;
  readonly snapshot: string;
  readonly uid: string;
  /** The same text for all snapshots with the same `spec.source`. */
  readonly series: string;
  readonly reason: string;
  readonly message: string;
}

export type SnapshotLifecycleEvent = LifecycleEvent<'snapshot', SnapshotEvent>;

export const ACTION_POINTS = { pre: 'preAction', post: 'postAction', probe: 'probe' } as const;

type About =
  | { readonly hook: string }
  | { readonly snapshot: string }
  | { readonly restore: string }
  | { readonly schedule: string }
  | { readonly guard: string };

function objectOf(about: About): Record<string, string> {
  if ('hook' in about) return { hook: about.hook };
  if ('restore' in about) return { restore: about.restore };
  if ('schedule' in about) return { schedule: about.schedule };
  return 'snapshot' in about ? { snapshot: about.snapshot } : { guard: about.guard };
}

/** Adds the envelope. Pure. `atMs`: milliseconds since the epoch. */
export function snapshotEnvelope(detail: SnapshotEvent, atMs: number): SnapshotLifecycleEvent {
  const about = 'target' in detail ? detail.target : detail;
  const { namespace } = about;
  const object = objectOf(about);
  const place =
    'target' in detail ? { pod: detail.target.pod, container: detail.target.container } : {};
  const notification = notificationOf(detail);
  const event: SnapshotLifecycleEvent = {
    lifecycle: 'snapshot',
    target: { namespace, ...object, ...place },
    point: 'action' in detail ? ACTION_POINTS[detail.action] : null,
    run: [namespace, ...Object.values(object)].join('/'),
    attempt: 'attempt' in detail ? (detail.attempt ?? null) : null,
    atMs,
    detail,
    ...(notification === null ? {} : { notification }),
  };
  if (detail.type !== 'AttemptEnded') return event;
  return { ...event, end: { outcome: detail.outcome, durationMs: detail.durationMs } };
}
