/**
 * The kinds of the rollout lifecycle in the API (`lifehook.dev/v1alpha1`). Their types are derived from schemas, in
 * which each field is written once. Codes are headings in docs/requirements/rollout.md. Times are RFC 3339 with
 * microseconds unless stated otherwise; seconds are whole numbers.
 */
import type * as z from 'zod';

import type { KubeObject, Resource } from '../../kube/object.ts';
import { makeResource } from '../../kube/resources.ts';
import { API_VERSION } from '../../model/api-version.ts';
import type {
  attemptSchema,
  hookRunSpecSchema,
  hookRunStatusSchema,
} from './schema/hook-run-schema.ts';
import type {
  execNewPodSchema,
  hookSchema,
  lifecycleSpecSchema,
} from './schema/lifecycle-schema.ts';
import type {
  directionSchema,
  failureSchema,
  lifecycleStatusSchema,
  phaseSchema,
  recordSchema,
  releasedSchema,
  rolloutSchema,
  stageSchema,
} from './schema/lifecycle-status-schema.ts';
import type { overridesSchema } from './schema/pod-parts-schema.ts';

export type Stage = z.output<typeof stageSchema>;
export type Phase = z.output<typeof phaseSchema>;
export type Direction = z.output<typeof directionSchema>;
export type LifecycleHookFailurePolicy = NonNullable<LifecycleHook['failurePolicy']>;
export type HookRunPhase = HookRunStatus['phase'];

export interface LifecycleHook extends z.output<typeof hookSchema> {}
export interface ExecNewPodHook extends z.output<typeof execNewPodSchema> {}
export interface HookPodOverrides extends z.output<typeof overridesSchema> {}
export interface DeploymentLifecycleSpec extends z.output<typeof lifecycleSpecSchema> {}
export interface DeploymentLifecycleStatus extends z.output<typeof lifecycleStatusSchema> {}
export interface RolloutStatus extends z.output<typeof rolloutSchema> {}
export interface RolloutRecord extends z.output<typeof recordSchema> {}
export interface RolloutFailure extends z.output<typeof failureSchema> {}
export type PhaseRecord = RolloutRecord['phases'][number];
export interface ReleasedTemplate extends z.output<typeof releasedSchema> {}
export interface HookRunSpec extends z.output<typeof hookRunSpecSchema> {}
export interface HookRunStatus extends z.output<typeof hookRunStatusSchema> {}
export interface HookAttempt extends z.output<typeof attemptSchema> {}

export interface DeploymentLifecycle extends KubeObject {
  spec: DeploymentLifecycleSpec;
  status?: DeploymentLifecycleStatus;
}

/**
 * The hook of one stage of one rollout, and its outcome. It is created before its first pod, and its lifecycle owns it.
 */
export interface HookRun extends KubeObject {
  spec: HookRunSpec;
  status?: HookRunStatus;
}

export const deploymentLifecycles: Resource<DeploymentLifecycle> = makeResource({
  apiVersion: API_VERSION,
  kind: 'DeploymentLifecycle',
});
export const hookRuns: Resource<HookRun> = makeResource({
  apiVersion: API_VERSION,
  kind: 'HookRun',
});
