/**
 * The kinds of the rollout lifecycle in the API (`lifehook.dev/v1alpha1`). Codes are headings in
 * docs/requirements/rollout.md. Times are RFC 3339 with microseconds unless stated otherwise; seconds are whole
 * numbers.
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

/** The effect of a failed hook on its rollout (ROLL-DH1). */
export type LifecycleHookFailurePolicy = 'Abort' | 'Retry' | 'Ignore';

export interface LifecycleHook {
  /** Default: Retry (ROLL-DH5). */
  failurePolicy?: LifecycleHookFailurePolicy;
  /** Timeout of one attempt, from the creation of its pod; 1 to 86400. Absent: only the deadline of the stage. */
  timeoutSeconds?: number;
  execNewPod: ExecNewPodHook;
}

/** ROLL-DH2. The pod inherits from the container of the template; these fields override it. */
export interface ExecNewPodHook {
  /** Overrides the image's entrypoint; absent: that of the container in the template. */
  command?: string[];
  /** Overrides the image's command; absent together with `command`: those of the container in the template. */
  args?: string[];
  /** Added to the container's variables; overrides one of the same name (ROLL-DH8). */
  env?: EnvVar[];
  /**
   * A container or an init container of the template; the hook gets its image and its other fields (ROLL-DH6,
   * ROLL-DH22).
   */
  containerName: string;
  /** Names of the template's volumes to copy; unknown names are ignored; absent or empty: none (ROLL-DH7). */
  volumes?: string[];
  /** Labels of the pod besides ours. They must not match the Deployment's selector (ROLL-E24). */
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  overrides?: HookPodOverrides;
}

/** Overrides fields of the template (ROLL-C28). */
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
  /** A Deployment in the same namespace. If several lifecycles name it, the oldest one counts. Immutable. */
  deploymentName: string;
  /** For Deployments with the strategy RollingUpdate (ROLL-DH3). Its post hook may not have the policy Abort. */
  rollingUpdate?: { pre?: LifecycleHook; post?: LifecycleHook };
  /** For Deployments with the strategy Recreate (ROLL-DH4). */
  recreate?: { pre?: LifecycleHook; mid?: LifecycleHook; post?: LifecycleHook };
  /** The action after an abort; default: Hold. */
  onAbort?: 'Hold' | 'Rollback';
  /** The action for a held template when the lifecycle is deleted; default: Restore. */
  onDelete?: 'Restore' | 'Release';
  /** The component that stamps a changed template; default: Admission. */
  gate?: 'Admission' | 'PausedAtRest';
  /** Number of hook pods kept after their rollout (ROLL-DH20); default: 1 and 3; 0 to 100. */
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
  /** UID of the Deployment; a recreated one of the same name starts over. */
  deploymentUID?: string;
  /** The open rollout, or the last one. */
  rollout?: RolloutStatus;
  /** The template that may run, even if its ReplicaSet was deleted (ROLL-C14). */
  released?: ReleasedTemplate;
  /** The last rollouts (at most 10) by number, including the open one. */
  history?: RolloutRecord[];
  /** Digests of the templates whose rollouts were aborted, the last ones. */
  abortedDigests?: string[];
  /** Armed, Progressing, Failed, GateBypassed. */
  conditions?: Condition[];
}

export interface ReleasedTemplate {
  /** The number of its rollout; a template older than the lifecycle gets the next free number. */
  number: number;
  digest: string;
  template: PodTemplateSpec;
  /** Whether its rollout was replaced before it was complete: returning to it rolls it out again, with its hooks. */
  unfinished?: boolean;
  /** Revision of the Deployment at the release, for users and for hooks. */
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
  /** Start of the current phase; deadlines count from it. */
  phaseStartedAt: string;
  /** Time of the request for the release. */
  releasedAt?: string;
  /** lastUpdateTime of a Progressing condition older than the release, to be ignored (ROLL-E10). */
  staleProgress?: string;
  finishedAt?: string;
  /** The pods that a drain or a fence waits for. */
  waitingFor?: string;
  failure?: RolloutFailure;
  /** Reason of its end if it did not fail: Completed, Reverted, NoHooks. */
  reason?: string;
}

/** The record that is kept of a rollout once the next one is open. */
export interface RolloutRecord {
  number: number;
  direction: Direction;
  digest: string;
  fromRevision?: string;
  toRevision?: string;
  startedAt: string;
  releasedAt?: string;
  finishedAt?: string;
  /** Reason of its failure, or of its end. */
  reason?: string;
  /** In order (the last 16); the last one is its outcome. */
  phases: PhaseRecord[];
}

export interface PhaseRecord {
  phase: Phase;
  startedAt: string;
}

export interface RolloutFailure {
  stage?: Stage;
  /**
   * PreHookFailed, DeadlineExceeded, DrainDeadlineExceeded, AbortedByUser, AbortedBefore, ProgressDeadlineExceeded, …
   */
  reason: string;
  message: string;
  at: string;
}

/** The hook of one stage of one rollout, and its outcome. Created before its first pod; owned by its lifecycle. */
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
  /** The hook at the start of the stage: later changes of the lifecycle do not affect it. */
  hook: LifecycleHook;
  /** From the start of the stage (ROLL-DH16). */
  deadlineSeconds: number;
}

export type HookRunPhase =
  | 'Running'
  | 'Succeeded'
  | 'Failed'
  /** It failed, and the policy ignores that. */
  | 'Ignored'
  /** Aborted by a new rollout or by a user. */
  | 'Aborted'
  /** Its pod was deleted without a result: its effect is unknown, and it is not run again. */
  | 'Unknown';

export interface HookRunStatus {
  phase: HookRunPhase;
  startedAt: string;
  finishedAt?: string;
  /** HookFailed, DeadlineExceeded, NewRollout, AbortedByUser, ContainerNotFound, PodRefused, PodNameTaken, … */
  reason?: string;
  message?: string;
  /** Number of all attempts. */
  attemptCount: number;
  /** The last attempts (at most 10), by number. */
  attempts: HookAttempt[];
}

export interface HookAttempt {
  number: number;
  podName: string;
  /** Absent: the pod was not created yet. */
  podUID?: string;
  startedAt: string;
  /** How often its pod was permitted to start: each time is a change, so that a late write is a conflict. */
  grants?: number;
  finishedAt?: string;
  /** Why its pod does not start, in the words of the scheduler or the node; absent: nothing blocks it. */
  waitsFor?: string;
  /** Absent: not ended. */
  outcome?: 'Succeeded' | 'Failed' | 'TimedOut' | 'Aborted' | 'Unknown';
  exitCode?: number;
  signal?: number;
  /** Reason of the container or of the pod: Error, OOMKilled, Evicted, ErrImagePull, … */
  reason?: string;
  /** The termination message, at most 4 KiB. */
  message?: string;
  /** End of the log, at most 20 lines and 4 KiB. */
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
