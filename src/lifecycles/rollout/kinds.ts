/**
 * The kinds of the rollout lifecycle as they stand in the API (`lifehook.dev/v1alpha1`). Codes are
 * headings in docs/requirements/rollout.md. Times are RFC 3339 with microseconds unless said otherwise; seconds are whole numbers.
 */
import type {
  Affinity,
  EnvFromSource,
  EnvVar,
  LocalObjectReference,
  PodTemplateSpec,
  ResourceRequirements,
  SecurityContext,
  Toleration,
} from 'kubernetes-types/core/v1.js';

import type { Condition } from '../../controller/conditions.ts';
import type { KubeObject, Resource } from '../../kube/object.ts';
import { makeResource } from '../../kube/resources.ts';

export type Stage = 'pre' | 'mid' | 'post';

/** What a failed hook means for its rollout (ROLL-DH1). */
export type LifecycleHookFailurePolicy = 'Abort' | 'Retry' | 'Ignore';

export interface LifecycleHook {
  /** Retry if not said (ROLL-DH5). */
  failurePolicy?: LifecycleHookFailurePolicy;
  /** Of one attempt, from the creation of its pod; 1 to 86400. Absent: the stage's own deadline alone. */
  timeoutSeconds?: number;
  execNewPod: ExecNewPodHook;
}

/** ROLL-DH2. The pod has what the container would have had; what stands here comes over it. */
export interface ExecNewPodHook {
  /** In place of the image's entrypoint; absent: that of the container in the template. */
  command?: string[];
  /** In place of the image's command; absent together with `command`: those of the container in the template. */
  args?: string[];
  /** Over the container's own; the same name wins (ROLL-DH8). */
  env?: EnvVar[];
  /** A container or an init container of the template: its image and all that it has (ROLL-DH6, ROLL-DH22). */
  containerName: string;
  /** Names of the template's volumes; those that it does not have are ignored; none: none is copied (ROLL-DH7). */
  volumes?: string[];
  /** Of the pod, beside ours. None may match the Deployment's selector (ROLL-E24). */
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  overrides?: HookPodOverrides;
}

/** In place of what the template has (ROLL-C28). */
export interface HookPodOverrides {
  serviceAccountName?: string;
  nodeSelector?: Record<string, string>;
  tolerations?: Toleration[];
  affinity?: Affinity;
  imagePullSecrets?: LocalObjectReference[];
  priorityClassName?: string;
  runtimeClassName?: string;
  envFrom?: EnvFromSource[];
  resources?: ResourceRequirements;
  securityContext?: SecurityContext;
  terminationGracePeriodSeconds?: number;
}

export interface DeploymentLifecycleSpec {
  /** Of the same namespace. One lifecycle per Deployment: the older one counts. Cannot be changed. */
  deploymentName: string;
  /** For Deployments with the strategy RollingUpdate (ROLL-DH3). The policy Abort is not for its post. */
  rollingUpdate?: { pre?: LifecycleHook; post?: LifecycleHook };
  /** For Deployments with the strategy Recreate (ROLL-DH4). */
  recreate?: { pre?: LifecycleHook; mid?: LifecycleHook; post?: LifecycleHook };
  /** What follows an abort: Hold if not said. */
  onAbort?: 'Hold' | 'Rollback';
  /** What a deletion of the lifecycle makes of a template that is held: Restore if not said. */
  onDelete?: 'Restore' | 'Release';
  /** Who stamps a changed template: Admission if not said. */
  gate?: 'Admission' | 'PausedAtRest';
  /** Hook pods that are kept after their rollout (ROLL-DH20): 1 and 3 if not said; 0 to 100. */
  podsKept?: { succeeded?: number; failed?: number };
}

export interface DeploymentLifecycle extends KubeObject {
  spec: DeploymentLifecycleSpec;
  status?: DeploymentLifecycleStatus;
}

export type Phase =
  | 'Pre'
  | 'Draining'
  | 'Mid'
  | 'Releasing'
  | 'Progressing'
  | 'Post'
  | 'Restoring'
  | 'RollingBack'
  | 'Done'
  | 'Failed'
  | 'Held'
  | 'RolledBack';

export type Direction = 'Rollout' | 'Rollback';

export interface DeploymentLifecycleStatus {
  observedGeneration?: number;
  /** Of the Deployment that is kept: another one of the same name begins anew. */
  deploymentUID?: string;
  /** The open one, or the last. */
  rollout?: RolloutStatus;
  /** The template that may run, whatever becomes of its ReplicaSet (ROLL-C14). */
  released?: ReleasedTemplate;
  /** Of the last rollouts (at most 10), the open one too, by number. */
  history?: RolloutRecord[];
  /** Of templates whose rollout was aborted, the last ones. */
  abortedDigests?: string[];
  /** Armed, Progressing, Failed, GateBypassed. */
  conditions?: Condition[];
}

export interface ReleasedTemplate {
  /** The rollout's; what ran before the lifecycle came is given the next one that is free. */
  number: number;
  digest: string;
  template: PodTemplateSpec;
  /** Its rollout was replaced before it was complete: who goes back to it rolls it out, with its hooks. */
  unfinished?: boolean;
  /** Of the Deployment when it was released, for people and for hooks. */
  revision?: string;
}

export interface RolloutStatus {
  number: number;
  phase: Phase;
  direction: Direction;
  /** sha256 of the canonical template, hex. */
  digest: string;
  template: PodTemplateSpec;
  fromRevision?: string;
  toRevision?: string;
  startedAt: string;
  /** When the present phase began: deadlines count from here. */
  phaseStartedAt: string;
  /** When the release was asked for. */
  releasedAt?: string;
  /** lastUpdateTime of a Progressing condition that was there before the release, and says nothing of it (ROLL-E10). */
  staleProgress?: string;
  finishedAt?: string;
  /** Pods that are waited for: of a drain, or of a fence. */
  waitingFor?: string;
  failure?: RolloutFailure;
  /** Why it ended as it did, where that is not its failure: Completed, Reverted, NoHooks. */
  reason?: string;
}

/** What is kept of a rollout when the next one is open. */
export interface RolloutRecord {
  number: number;
  direction: Direction;
  digest: string;
  fromRevision?: string;
  toRevision?: string;
  startedAt: string;
  releasedAt?: string;
  finishedAt?: string;
  /** Of its failure; else why it ended as it did. */
  reason?: string;
  /** In their order (the last 16); the last one is its outcome. */
  phases: PhaseRecord[];
}

export interface PhaseRecord {
  phase: Phase;
  startedAt: string;
}

export interface RolloutFailure {
  stage?: Stage;
  /** PreHookFailed, DeadlineExceeded, DrainDeadlineExceeded, AbortedByUser, AbortedBefore, ProgressDeadlineExceeded, … */
  reason: string;
  message: string;
  at: string;
}

/** What one stage of one rollout runs, and what came of it. Made before its first pod; owned by its lifecycle. */
export interface HookRun extends KubeObject {
  spec: HookRunSpec;
  status?: HookRunStatus;
}

export interface HookRunSpec {
  deploymentName: string;
  deploymentUID: string;
  lifecycleName: string;
  rollout: number;
  stage: Stage;
  direction: Direction;
  digest: string;
  fromRevision?: string;
  toRevision?: string;
  /** As it was when the stage began: a later change of the lifecycle does not reach it. */
  hook: LifecycleHook;
  /** From the stage's beginning (ROLL-DH16). */
  deadlineSeconds: number;
}

export type HookRunPhase =
  | 'Running'
  | 'Succeeded'
  | 'Failed'
  /** Failed, and the policy says that it does not matter. */
  | 'Ignored'
  /** By a new rollout or by a person. */
  | 'Aborted'
  /** A pod went without telling its end: nobody knows what it did, and it is not run again. */
  | 'Unknown';

export interface HookRunStatus {
  phase: HookRunPhase;
  startedAt: string;
  finishedAt?: string;
  /** HookFailed, DeadlineExceeded, NewRollout, AbortedByUser, ContainerNotFound, PodRefused, PodNameTaken, … */
  reason?: string;
  message?: string;
  /** How many there were. */
  attemptCount: number;
  /** The last ones (at most 10), by number. */
  attempts: HookAttempt[];
}

export interface HookAttempt {
  number: number;
  podName: string;
  /** Known when the pod is there. */
  podUID?: string;
  startedAt: string;
  finishedAt?: string;
  /** What keeps its pod from starting, as the scheduler or the node words it; absent: nothing. */
  waitsFor?: string;
  /** Absent: not ended. */
  outcome?: 'Succeeded' | 'Failed' | 'TimedOut' | 'Aborted' | 'Unknown';
  exitCode?: number;
  signal?: number;
  /** Of the container or of the pod: Error, OOMKilled, Evicted, ErrImagePull, … */
  reason?: string;
  /** The termination message, at most 4 KiB. */
  message?: string;
  /** Of the log, at most 20 lines and 4 KiB. */
  lastLines?: string[];
  /** Number x 1 000 000 + stage (pre 0, mid 1, post 2) x 100 000 + attempt: only grows. */
  fencingToken: number;
}

const API_VERSION = 'lifehook.dev/v1alpha1';

export const deploymentLifecycles: Resource<DeploymentLifecycle> = makeResource({
  apiVersion: API_VERSION,
  kind: 'DeploymentLifecycle',
});
export const hookRuns: Resource<HookRun> = makeResource({
  apiVersion: API_VERSION,
  kind: 'HookRun',
});
