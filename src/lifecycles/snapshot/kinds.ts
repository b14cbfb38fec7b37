/**
 * The kinds of the snapshot lifecycle in the API (`lifehook.dev/v1alpha1`): the types of their schemas.
 *
 * The schemas define each field once. `names.ts` has the names of finalizers, annotations and labels. The codes are
 * headings in docs/requirements. Unless stated otherwise, times are RFC 3339 with microseconds, and seconds are whole
 * numbers.
 */
import type * as z from 'zod';
import type { KubeObject, Resource } from '../../kube/object.ts';
import { makeResource } from '../../kube/resources.ts';
import { API_VERSION } from '../../model/api-version.ts';
import type {
  actionsSchema,
  actionSchema,
  lockScopeSchema,
  rescueSchema,
  resolvedActionSchema,
  sessionSchema,
} from './schema/action-schema.ts';
import type {
  actionStatusSchema,
  containerStatusSchema,
  probeStatusSchema,
  releaseCauseSchema,
  attemptSchema,
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
  findingSchema,
  hookEvidenceSchema,
  targetEvidenceSchema,
  verdictSchema,
  admittedSchema,
} from './schema/snapshot-schema.ts';
import type { podContainerNamesSchema, targetsSchema } from './schema/target-schema.ts';
import type { verdictValueSchema } from './schema/judgement-schema.ts';
import type {
  guardSpecSchema,
  guardStatusSchema,
  guardWindowSchema,
  windowSchema,
} from './schema/guard-schema.ts';

export interface PodContainerNames extends z.output<typeof podContainerNamesSchema> {}
/** The actions of a hook, in a template or in the hook itself (SNAP-G1). */
export interface HookActions extends z.output<typeof actionsSchema> {}
export interface HookTargets extends z.output<typeof targetsSchema> {}
export type HookPolicy = NonNullable<HookActions['policy']>;

/** Has the fields of the actions at the top level, without a spec (SNAP-R7). */
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

export interface HookAction extends z.output<typeof actionSchema> {}
export interface SessionAction extends z.output<typeof sessionSchema> {}
export interface ResolvedAction extends z.output<typeof resolvedActionSchema> {}
export interface Rescue extends z.output<typeof rescueSchema> {}
export type LockScope = z.output<typeof lockScopeSchema>;

/** The parts of a pod's spec that a rescue pod copies: fields of a PodSpec, and one `container`. */
export type RescueSource = Record<string, unknown>;

export interface ActionAttempt extends z.output<typeof attemptSchema> {}

export type NotStarted = NonNullable<ActionAttempt['notStarted']>;

export interface HookEvidence extends z.output<typeof hookEvidenceSchema> {}
export interface HookFinding extends z.output<typeof findingSchema> {}
export interface TargetEvidence extends z.output<typeof targetEvidenceSchema> {}
export interface Verdict extends z.output<typeof verdictSchema> {}
export type VerdictValue = z.output<typeof verdictValueSchema>;

export interface SnapshotGuardSpec extends z.output<typeof guardSpecSchema> {}
export interface SnapshotGuardStatus extends z.output<typeof guardStatusSchema> {}
export interface GuardWindow extends z.output<typeof guardWindowSchema> {}
/** Makes an ApplicationSnapshot a window of a guard: it admits the snapshots of other clients, and creates none. */
export interface SnapshotWindow extends z.output<typeof windowSchema> {}
export interface AdmittedObject extends z.output<typeof admittedSchema> {}
export type AdmittedOutcome = NonNullable<AdmittedObject['outcome']>;
export type AdmittedVerdict = NonNullable<AdmittedObject['verdict']>;

export interface SnapshotGuard extends KubeObject {
  spec: SnapshotGuardSpec;
  status?: SnapshotGuardStatus;
}

export const executionHooks: Resource<ExecutionHook> = resourceOf('ExecutionHook');
export const executionHookTemplates: Resource<ExecutionHookTemplate> =
  resourceOf('ExecutionHookTemplate');
export const applicationSnapshots: Resource<ApplicationSnapshot> =
  resourceOf('ApplicationSnapshot');
export const snapshotGuards: Resource<SnapshotGuard> = resourceOf('SnapshotGuard');

function resourceOf<T extends KubeObject>(kind: string): Resource<T> {
  return makeResource({ apiVersion: API_VERSION, kind });
}
