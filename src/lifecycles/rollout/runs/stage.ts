/**
 * One stage of one rollout: its request, its facts, and the next step. `decideStage` is pure; `carryOutStage` carries
 * out its decision.
 *
 *  ROLL-S1 An attempt is in the HookRun before its pod is created, and its outcome before our finalizer is removed.
 *  ROLL-S2 A pod is created only if the server's own HookRun has the attempt open, and the server's own list has no
 *     other hook pod of the Deployment alive (ROLL-L2, ROLL-L3).
 *  ROLL-S3 An attempt whose pod was deleted without a recorded end is Unknown, and is not run again.
 *  ROLL-S4 Nothing here blocks: a step that takes time is a `wait` with its reason.
 *  ROLL-S5 A pod of that name counts by its recorded UID, or before that by the token of the attempt.
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

/** The input of a stage. It is used when the HookRun is opened, and for each new pod. */
export interface StageRequest {
  readonly deployment: Deployment;
  /** The owner of the HookRun. */
  readonly lifecycle: DeploymentLifecycle;
  readonly number: number;
  readonly stage: Stage;
  readonly direction: Direction;
  readonly digest: string;
  /** The template that is rolled out: the hook's pod is built from it. */
  readonly template: PodTemplateSpec;
  readonly fromRevision?: string;
  readonly toRevision?: string;
  readonly hook: LifecycleHook;
  /** From the start of the stage. */
  readonly deadlineSeconds: number;
  /** The ReplicaSet of the template; it owns the pods once it exists (ROLL-DH19). null: it does not exist yet. */
  readonly replicaSet: ReplicaSet | null;
}

/** Why a stage must end early. */
export interface StageAbort {
  /** NewRollout, AbortedByUser, … One word in CamelCase; it becomes the HookRun's reason. */
  readonly reason: string;
  readonly message: string;
}

export interface StageFacts {
  /** null: it is not open yet. Its name is that of `hookRunName`. */
  readonly run: HookRun | null;
  readonly request: StageRequest;
  /** All hook pods of this Deployment, including those of other stages and numbers (label OF_DEPLOYMENT_UID). */
  readonly pods: readonly Pod[];
  readonly nowMs: number;
  readonly abort: StageAbort | null;
}

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

/** Each step contains all that `carryOutStage` needs. */
export type StageStep =
  /** Creates the HookRun, before anything else. */
  | { readonly kind: 'openRun'; readonly request: StageRequest }
  /** Starts the stage's deadline, although nothing can begin yet (ROLL-C6). */
  | { readonly kind: 'startClock'; readonly run: HookRun; readonly reason: string }
  /** Records that the attempt is about to start. */
  | {
      readonly kind: 'recordIntent';
      readonly run: HookRun;
      readonly attempt: number;
      readonly reason: string;
    }
  /** Creates its pod; an existing one of that name is adopted if it has the token of the attempt. */
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
  /** waitsFor: what prevents its pod from starting; null: nothing any more. */
  | {
      readonly kind: 'recordWait';
      readonly run: HookRun;
      readonly attempt: number;
      readonly waitsFor: string | null;
    }
  /** Asks the server for a pod that the list, which may lag, does not have. If there is none, the attempt has ended. */
  | {
      readonly kind: 'lookForPod';
      readonly run: HookRun;
      readonly attempt: number;
      readonly ifMissing: AttemptEnd;
      readonly abort: StageAbort | null;
    }
  /** Deletes a pod because of a deadline, a timeout or an abort, or because its outcome is recorded. */
  | { readonly kind: 'deletePod'; readonly pod: Pod; readonly reason: string }
  /** `pod`: the pod whose log is read; null: none. If the outcome settles the run, one write records both. */
  | {
      readonly kind: 'recordOutcome';
      readonly run: HookRun;
      readonly attempt: number;
      readonly pod: Pod | null;
      readonly end: AttemptEnd;
      readonly abort: StageAbort | null;
    }
  | { readonly kind: 'removeFinalizer'; readonly pod: Pod }
  /** patch: the body of a merge patch. */
  | { readonly kind: 'changeOwner'; readonly pod: Pod; readonly patch: JsonObject }
  | { readonly kind: 'settleRun'; readonly run: HookRun; readonly settlement: Settlement }
  /** untilMs null: until something changes. The reason is for users: "hook pod web-1-pre-1 waits: ErrImagePull: …". */
  | { readonly kind: 'wait'; readonly untilMs: number | null; readonly reason: string }
  | ({ readonly kind: 'settled'; readonly run: HookRun } & Settlement);
