/** What a decision about a hook rests on, as one value. The hook is begun: targets and actions are fixed. */
import type { SessionEnd } from '../session/session.ts';
import type { ExecutionHook, ProbeStatus } from '../kinds.ts';
import type { AttemptReport } from './attempt.ts';

export interface HookFacts {
  readonly hook: ExecutionHook;
  /** Wall clock. */
  readonly nowMs: number;
  /** For how long something is frozen, by a clock that nobody sets; null: nothing is. */
  readonly frozenForMs: number | null;
  /** In the order of the status. */
  readonly targets: readonly TargetFacts[];
  /** Why no freeze may begin now; null: it may. Asked only while nothing was begun. */
  readonly blocked: Blocked | null;
  /** The questions after the cut. */
  readonly round: Round;
}

/** One round of questions, of all targets of a hook. */
export type Round =
  | { readonly kind: 'none' }
  | { readonly kind: 'underWay' }
  /** By `containerKey`. */
  | { readonly kind: 'answered'; readonly answers: ReadonlyMap<string, ProbeStatus> };

export interface Blocked {
  /**
   * WaitsForHold: another hook has frozen a target (SNAP-I9). ThawOverdue: a failed thaw on a target's node. ThawUnproven: a
   * volume that a target mounts may still be frozen, though the pod that it was frozen in is deleted.
   */
  readonly reason: 'WaitsForHold' | 'ThawOverdue' | 'ThawUnproven';
  readonly message: string;
}

export interface TargetFacts {
  readonly life: TargetLife;
  /** Its pod has a deletionTimestamp, whatever has become of its container. */
  readonly isTerminating: boolean;
  /** Of its last attempt, if that has no outcome in the status; null: there is none such. */
  readonly open: OpenAttempt | null;
  /** null: its freeze is no session. */
  readonly session: SessionFacts | null;
  /** The server did not say whether its pod is there: nothing may be sent to whatever has its name. */
  readonly isUnread?: true;
  /** The claims that its container mounts, as far as its pod is known. */
  readonly claimNames: readonly string[];
}

/** The container that was chosen, by UID, container ID and count of restarts. */
export type TargetLife =
  | { readonly kind: 'same' }
  /** It runs, and its pod has a deletionTimestamp: it can be thawed for as long as the grace period lasts. */
  | { readonly kind: 'terminating'; readonly reason: string }
  /** Its pod is there, and the container has ended since, whether another runs in its place or not. */
  | { readonly kind: 'restarted'; readonly reason: string }
  /** The pod with this UID is deleted, or the container has ended in a pod that never restarts it. */
  | { readonly kind: 'gone'; readonly reason: string };

export type OpenAttempt =
  | { readonly kind: 'underWay' }
  /** Recorded by this process, which has not begun it: it did not know whether the record was durable. */
  | { readonly kind: 'intended' }
  | { readonly kind: 'ended'; readonly report: AttemptReport }
  /** Recorded by somebody who is not there any more: nobody will tell its end (SNAP-G25). */
  | { readonly kind: 'unseen' };

export type SessionFacts =
  | { readonly kind: 'held' }
  | { readonly kind: 'ended'; readonly end: SessionEnd }
  /** This process does not hold it. */
  | { readonly kind: 'absent' };
