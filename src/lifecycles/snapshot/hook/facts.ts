/**
 * The facts on which a decision about a hook depends, as one value. The hook has begun: targets and actions are fixed.
 */
import type { SessionEnd } from '../session/session.ts';
import type { ExecutionHook, ProbeStatus } from '../kinds.ts';
import type { AttemptReport } from './attempts.ts';

export interface HookFacts {
  readonly hook: ExecutionHook;
  /** Milliseconds of the wall clock. */
  readonly nowMs: number;
  /** Milliseconds since the first freeze, by the monotonic clock; null: none was recorded. */
  readonly frozenForMs: number | null;
  /** One entry for each target, in the order of the targets in the status. */
  readonly targets: readonly TargetFacts[];
  /** The reason why no freeze may start now; null: freezes may start. Set only while no freeze has started. */
  readonly blocked: Blocked | null;
  /** The probe round after the cut. */
  readonly round: Round;
}

/** One probe round over all targets of a hook. */
export type Round =
  | { readonly kind: 'none' }
  | ({ readonly kind: 'underWay' } & RoundCause)
  /** `answers` is keyed by `containerKey`. */
  | ({
      readonly kind: 'answered';
      readonly answers: ReadonlyMap<string, ProbeStatus>;
    } & RoundCause);

interface RoundCause {
  /** The token of the annotation that reported the cut. */
  readonly cutToken: string;
}

export interface Blocked {
  /**
   * WaitsForHold: another hook has frozen a target (SNAP-I9). ThawOverdue: a thaw has failed on the node of a target.
   * ThawUnproven: a volume that a target mounts may still be frozen, although the pod of that freeze was deleted.
   */
  readonly reason: 'WaitsForHold' | 'ThawOverdue' | 'ThawUnproven';
  readonly message: string;
}

export interface TargetFacts {
  readonly life: TargetLife;
  /** Whether the pod has a deletionTimestamp, whatever the state of its container. */
  readonly isTerminating: boolean;
  /** The last attempt, if the status has no outcome of it; null: there is no such attempt. */
  readonly open: OpenAttempt | null;
  /** null: the freeze is not a session. */
  readonly session: SessionFacts | null;
  /** Set if the server did not answer whether the pod exists: then nothing may be sent to a pod of that name. */
  readonly isUnread?: true;
  /** The claims that the container mounts. If the pod is not known: those in the status (only of a Kernel lock). */
  readonly claimNames: readonly string[];
}

/** The state of the selected container, identified by pod UID, container ID and restart count. */
export type TargetLife =
  | { readonly kind: 'same' }
  /** The container runs, and its pod has a deletionTimestamp: it can be thawed until the grace period ends. */
  | { readonly kind: 'terminating'; readonly reason: string }
  /** The pod exists and the container has ended, whether or not another runs in its place. */
  | { readonly kind: 'restarted'; readonly reason: string }
  /** The pod with this UID is deleted or has ended, or the container has ended in a terminating pod. */
  | { readonly kind: 'gone'; readonly reason: string };

export type OpenAttempt =
  | { readonly kind: 'underWay' }
  /** Recorded by this process but not started: it did not know whether the record was durable. */
  | { readonly kind: 'intended' }
  | { readonly kind: 'ended'; readonly report: AttemptReport }
  /** Recorded by a process that no longer runs: its end will never be reported (SNAP-G25). */
  | { readonly kind: 'unseen' };

export type SessionFacts =
  | { readonly kind: 'held' }
  | { readonly kind: 'ended'; readonly end: SessionEnd }
  /** This process does not hold the session. */
  | { readonly kind: 'absent' };
