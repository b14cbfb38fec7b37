/**
 * One stage of one rollout: its request, its facts, and its steps. `decideStage` is pure, and `carryOutStage` carries
 * out its decision.
 *
 *  ROLL-S1 An attempt is recorded in the HookRun before its pod is created. Its outcome is recorded before Lifehook's
 *     finalizer is removed.
 * ROLL-S2 A pod is created only after two reads from the server. They show that the attempt is open in the HookRun, and
 * that no other hook pod of the Deployment is alive (ROLL-L2, ROLL-L3).
 *  ROLL-S3 An attempt whose pod was deleted without a recorded end is Unknown, and is not run again.
 *  ROLL-S4 Nothing here blocks: a step that takes time is a `wait` with its reason.
 *  ROLL-S5 A pod of the right name is recognised by its recorded UID. Before the UID is recorded, it is recognised by
 *     the token of the attempt.
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

/** The input of a stage, which is needed when the HookRun is opened and for each new pod. */
export interface StageRequest {
  readonly deployment: Deployment;
  /** The owner of the HookRun. */
  readonly lifecycle: DeploymentLifecycle;
  readonly number: number;
  readonly stage: Stage;
  readonly direction: Direction;
  readonly digest: string;
  /** The template of this rollout, from which the hook's pod is built. */
  readonly template: PodTemplateSpec;
  readonly fromRevision?: string;
  readonly toRevision?: string;
  readonly hook: LifecycleHook;
  /** Seconds from the start of the stage. */
  readonly deadlineSeconds: number;
  /** The ReplicaSet of the template, which owns the pods once it exists (ROLL-DH19). null: it does not exist yet. */
  readonly replicaSet: ReplicaSet | null;
}

/** Why a stage must end early; the reason becomes that of the HookRun. */
export interface StageAbort {
  /** One word in CamelCase, such as NewRollout or AbortedByUser. It becomes the HookRun's reason. */
  readonly reason: string;
  readonly message: string;
}

export interface StageFacts {
  /** null: the HookRun is not created yet. Its name is that of `hookRunName`. */
  readonly run: HookRun | null;
  readonly request: StageRequest;
  /** All hook pods of Deployments of this name, with those of other stages and numbers (label OF_DEPLOYMENT). */
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

/** The next step, with everything that `carryOutStage` needs for it. */
export type StageStep =
  /** Creates the HookRun, before anything else. */
  | { readonly kind: 'openRun'; readonly request: StageRequest }
  /** Starts the deadline of the stage while no attempt can begin yet (ROLL-C6). */
  | { readonly kind: 'startClock'; readonly run: HookRun; readonly reason: string }
  /** Records that the attempt is about to start. */
  | {
      readonly kind: 'recordIntent';
      readonly run: HookRun;
      readonly attempt: number;
      readonly reason: string;
    }
  /** Creates the pod of the attempt. An existing pod of that name is adopted if it has the token of the attempt. */
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
  /** waitsFor: what prevents the pod from starting; null: nothing prevents it any more. */
  | {
      readonly kind: 'recordWait';
      readonly run: HookRun;
      readonly attempt: number;
      readonly waitsFor: string | null;
    }
  /**
   * Asks the server for a pod that the cache does not have, because the cache may be outdated. If there is no such pod,
   * the attempt has ended.
   */
  | {
      readonly kind: 'lookForPod';
      readonly run: HookRun;
      readonly attempt: number;
      readonly ifMissing: AttemptEnd;
      readonly abort: StageAbort | null;
    }
  /** Deletes a pod, because of a deadline, a timeout or an abort, or because its outcome is recorded. */
  | { readonly kind: 'deletePod'; readonly pod: Pod; readonly reason: string }
  /**
   * Records the outcome of an attempt. `pod`: the pod whose log is read; null: no log is read. If the outcome settles
   * the run, one write records both.
   */
  | {
      readonly kind: 'recordOutcome';
      readonly run: HookRun;
      readonly attempt: number;
      readonly pod: Pod | null;
      readonly end: AttemptEnd;
      readonly abort: StageAbort | null;
    }
  | { readonly kind: 'removeFinalizer'; readonly pod: Pod }
  /** Changes the owner of a pod. patch: the body of a merge patch. */
  | { readonly kind: 'changeOwner'; readonly pod: Pod; readonly patch: JsonObject }
  | { readonly kind: 'settleRun'; readonly run: HookRun; readonly settlement: Settlement }
  /**
   * Waits. untilMs null: until something changes. The reason is for users: "hook pod web-1-pre-1 waits: ErrImagePull:
   * …".
   */
  | { readonly kind: 'wait'; readonly untilMs: number | null; readonly reason: string }
  | ({ readonly kind: 'settled'; readonly run: HookRun } & Settlement);
