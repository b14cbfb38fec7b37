/**
 * The kinds of the snapshot lifecycle in the API (`lifehook.dev/v1alpha1`): the types of their schemas, in which each
 * field is written once. Names of finalizers, annotations and labels are in `names.ts`. Codes are headings in
 * docs/requirements. Times are RFC 3339 with microseconds unless stated otherwise; seconds are whole numbers.
 */
import type * as z from 'zod';

import type { KubeObject, Resource } from '../../kube/object.ts';
import { makeResource } from '../../kube/resources.ts';
import { API_VERSION } from '../../model/api-version.ts';
import type { actionsSchema } from './schema/action-schema.ts';
import type {
  actionStatusSchema,
  containerStatusSchema,
  probeStatusSchema,
  releaseCauseSchema,
} from './schema/container-status-schema.ts';
import type { cutSignalSchema, hookInfoSchema } from './schema/hook-info-schema.ts';
import type {
  hookSpecSchema,
  hookStatusSchema,
  resolvedActionsSchema,
} from './schema/hook-schema.ts';
import type {
  snapshotSpecSchema,
  snapshotStatusSchema,
  volumeSchema,
} from './schema/snapshot-schema.ts';
import type { podContainerNamesSchema, targetsSchema } from './schema/target-schema.ts';

export interface PodContainerNames extends z.output<typeof podContainerNamesSchema> {}
/** The actions of a hook, in a template or in the hook itself (SNAP-G1). */
export interface HookActions extends z.output<typeof actionsSchema> {}
export interface HookTargets extends z.output<typeof targetsSchema> {}
export type HookPolicy = NonNullable<HookActions['policy']>;

/** Has its fields at the top level, without a spec (SNAP-R7). */
export interface ExecutionHookTemplate extends KubeObject, HookActions {}

export interface ExecutionHookSpec extends z.output<typeof hookSpecSchema> {}
export interface ExecutionHookStatus extends z.output<typeof hookStatusSchema> {}
export interface ResolvedActions extends z.output<typeof resolvedActionsSchema> {}
export interface ContainerStatus extends z.output<typeof containerStatusSchema> {}
export interface ActionStatus extends z.output<typeof actionStatusSchema> {}
export interface ProbeStatus extends z.output<typeof probeStatusSchema> {}
export type ReleaseCause = z.output<typeof releaseCauseSchema>;
export type ThawedBy = NonNullable<ContainerStatus['thawedBy']>;

export interface ExecutionHook extends KubeObject {
  spec: ExecutionHookSpec;
  status?: ExecutionHookStatus;
}

export interface ExecutionHookInfo extends z.output<typeof hookInfoSchema> {}
export interface ApplicationSnapshotSpec extends z.output<typeof snapshotSpecSchema> {}
export interface ApplicationSnapshotStatus extends z.output<typeof snapshotStatusSchema> {}
export interface SnapshotVolume extends z.output<typeof volumeSchema> {}
export type CutSignal = z.output<typeof cutSignalSchema>;

export interface ApplicationSnapshot extends KubeObject {
  spec: ApplicationSnapshotSpec;
  status?: ApplicationSnapshotStatus;
}

export const executionHooks: Resource<ExecutionHook> = resourceOf('ExecutionHook');
export const executionHookTemplates: Resource<ExecutionHookTemplate> =
  resourceOf('ExecutionHookTemplate');
export const applicationSnapshots: Resource<ApplicationSnapshot> =
  resourceOf('ApplicationSnapshot');

function resourceOf<T extends KubeObject>(kind: string): Resource<T> {
  return makeResource({ apiVersion: API_VERSION, kind });
}
