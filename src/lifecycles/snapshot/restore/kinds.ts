/**
 * The kind SnapshotRestore (`lifehook.dev/v1alpha1`): it creates claims from a snapshot, runs hooks before and after,
 * and verifies the copy.
 *
 * The codes are headings in docs/requirements. Times are RFC 3339 with microseconds.
 */
import type * as z from 'zod';

import type { KubeObject, Resource } from '../../../kube/object.ts';
import { makeResource } from '../../../kube/resources.ts';
import { API_VERSION } from '../../../model/api-version.ts';
import type { execSchema, podSchema, restoreHookSchema, scaleSchema } from './hook-schema.ts';
import type { claimSettingsSchema, restoreSpecSchema } from './spec-schema.ts';
import type {
  restoredClaimSchema,
  restoreHookStatusSchema,
  restoreStatusSchema,
  scaledSchema,
  sourceVerdictSchema,
  verificationSchema,
} from './status-schema.ts';

export interface SnapshotRestoreSpec extends z.output<typeof restoreSpecSchema> {}
export interface ClaimSettings extends z.output<typeof claimSettingsSchema> {}
export interface RestoreHook extends z.output<typeof restoreHookSchema> {}
export interface ScaleAction extends z.output<typeof scaleSchema> {}
export interface RestoreExec extends z.output<typeof execSchema> {}
export interface RestorePod extends z.output<typeof podSchema> {}

export interface SnapshotRestoreStatus extends z.output<typeof restoreStatusSchema> {}
export interface SourceVerdict extends z.output<typeof sourceVerdictSchema> {}
export interface RestoredClaim extends z.output<typeof restoredClaimSchema> {}
export interface RestoreHookStatus extends z.output<typeof restoreHookStatusSchema> {}
export interface ScaledWorkload extends z.output<typeof scaledSchema> {}
export interface Verification extends z.output<typeof verificationSchema> {}
export type RestorePhase = NonNullable<SnapshotRestoreStatus['phase']>;
export type RestoreStage = RestoreHookStatus['stage'];

export interface SnapshotRestore extends KubeObject {
  spec: SnapshotRestoreSpec;
  status?: SnapshotRestoreStatus;
}

export const snapshotRestores: Resource<SnapshotRestore> = makeResource({
  apiVersion: API_VERSION,
  kind: 'SnapshotRestore',
});
