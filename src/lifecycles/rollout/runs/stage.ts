/**
 * One stage of one rollout: what is asked for, what is known of it, and the one next thing to do. `decideStage`
 * is pure; `carryOutStage` does what it says.
 *
 *  ROLL-S1 An attempt is in the HookRun before its pod is made, and its outcome before our finalizer goes.
 *  ROLL-S2 A pod is made only where the server's own HookRun has the attempt open, and the server's own list has
 *     no other hook pod of the Deployment alive (ROLL-L2, ROLL-L3).
 *  ROLL-S3 A pod that was there and is gone without a recorded end is Unknown, and is not run again.
 *  ROLL-S4 Nothing of this waits: what takes time is a `wait` with its reason.
 */
import type { Deployment, ReplicaSet } from 'kubernetes-types/apps/v1.js';
import type { Pod, PodTemplateSpec } from 'kubernetes-types/core/v1.js';

import type { JsonObject } from '../../../kube/object.ts';
import type {
  DeploymentLifecycle,
  Direction,
  HookAttempt,
  HookRun,
  HookRunPhase,
  LifecycleHook,
  Stage,
} from '../kinds.ts';

/** What the stage is to run, and for whom. It counts when the HookRun is opened, and for each new pod. */
export interface StageRequest {
  readonly deployment: Deployment;
  /** Owns the HookRun. */
  readonly lifecycle: DeploymentLifecycle;
  /** Of the rollout. */
  readonly number: number;
  readonly stage: Stage;
  readonly direction: Direction;
  readonly digest: string;
  /** What is rolled out: the hook's pod is made from it. */
  readonly template: PodTemplateSpec;
  readonly fromRevision?: string;
  readonly toRevision?: string;
  readonly hook: LifecycleHook;
  /** From the stage's beginning. */
  readonly deadlineSeconds: number;
  /** Of the template, once there is one: it owns the pods from then on (ROLL-DH19). */
  readonly replicaSet: ReplicaSet | null;
}

/** Why a stage is to end before its time. */
export interface StageAbort {
  /** NewRollout, AbortedByUser, … One word in CamelCase; it becomes the HookRun's reason. */
  readonly reason: string;
  readonly message: string;
}

export interface StageFacts {
  /** null: it is not open yet. Named by `hookRunName`. */
  readonly run: HookRun | null;
  readonly request: StageRequest;
  /** All hook pods of this Deployment, of other stages and numbers too (label OF_DEPLOYMENT_UID). */
  readonly pods: readonly Pod[];
  readonly nowMs: number;
  readonly abort: StageAbort | null;
}

/** How an attempt ended. */
export interface AttemptEnd extends Pick<
  HookAttempt,
  'exitCode' | 'signal' | 'reason' | 'message'
> {
  readonly outcome: NonNullable<HookAttempt['outcome']>;
}

export interface Settlement {
  readonly phase: Exclude<HookRunPhase, 'Running'>;
  readonly reason: string;
  readonly message: string;
}

/** Each holds all that `carryOutStage` needs. */
export type StageStep =
  /** The HookRun, before anything else. */
  | { readonly kind: 'openRun'; readonly request: StageRequest }
  /** Nothing can begin yet, and the stage's time runs (ROLL-C6). */
  | { readonly kind: 'startClock'; readonly run: HookRun; readonly reason: string }
  /** Attempt n is to be made. */
  | {
      readonly kind: 'recordIntent';
      readonly run: HookRun;
      readonly attempt: number;
      readonly reason: string;
    }
  /** Its pod; one of that name that is ours is taken over. */
  | {
      readonly kind: 'createPod';
      readonly run: HookRun;
      readonly request: StageRequest;
      readonly attempt: number;
    }
  | {
      readonly kind: 'recordPod';
      readonly run: HookRun;
      readonly attempt: number;
      readonly pod: Pod;
    }
  /** What keeps its pod from starting; null: nothing any more. */
  | {
      readonly kind: 'recordWait';
      readonly run: HookRun;
      readonly attempt: number;
      readonly waitsFor: string | null;
    }
  /** It is not in the list, which may lag: the server is asked. Where it knows none, that is the end. */
  | {
      readonly kind: 'lookForPod';
      readonly run: HookRun;
      readonly attempt: number;
      readonly ifMissing: AttemptEnd;
      readonly abort: StageAbort | null;
    }
  /** For us: because of a deadline, a timeout, an abort, or since its outcome is recorded. */
  | { readonly kind: 'deletePod'; readonly pod: Pod; readonly reason: string }
  /** `pod`: to read its log; null: there is none. Settles the run in the same write, where that follows. */
  | {
      readonly kind: 'recordOutcome';
      readonly run: HookRun;
      readonly attempt: number;
      readonly pod: Pod | null;
      readonly end: AttemptEnd;
      readonly abort: StageAbort | null;
    }
  | { readonly kind: 'removeFinalizer'; readonly pod: Pod }
  /** The body of a merge patch. */
  | { readonly kind: 'changeOwner'; readonly pod: Pod; readonly patch: JsonObject }
  | { readonly kind: 'settleRun'; readonly run: HookRun; readonly settlement: Settlement }
  /** null: until something changes. The reason is for people: "hook pod web-1-pre-1 waits: ErrImagePull: …". */
  | { readonly kind: 'wait'; readonly untilMs: number | null; readonly reason: string }
  | ({ readonly kind: 'settled'; readonly run: HookRun } & Settlement);
