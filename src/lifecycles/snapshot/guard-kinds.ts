/**
 * SnapshotGuard and the parts of a window: an ApplicationSnapshot that creates no snapshots, but admits those that
 * other clients create while its hooks hold the application frozen. Parts of `kinds.ts`.
 */
import type * as z from 'zod';

import type { KubeObject, Resource } from '../../kube/object.ts';
import { makeResource } from '../../kube/resources.ts';
import { API_VERSION } from '../../model/api-version.ts';
import type {
  guardSpecSchema,
  guardStatusSchema,
  guardWindowSchema,
  windowSchema,
} from './schema/guard-schema.ts';
import type { admittedSchema } from './schema/snapshot-schema.ts';

export interface SnapshotGuardSpec extends z.output<typeof guardSpecSchema> {}
export interface SnapshotGuardStatus extends z.output<typeof guardStatusSchema> {}
export interface GuardWindow extends z.output<typeof guardWindowSchema> {}
/** The part of an ApplicationSnapshot's spec that makes it a window of a guard. */
export interface SnapshotWindow extends z.output<typeof windowSchema> {}
export interface AdmittedObject extends z.output<typeof admittedSchema> {}
export type AdmittedOutcome = NonNullable<AdmittedObject['outcome']>;
export type AdmittedVerdict = NonNullable<AdmittedObject['verdict']>;

export interface SnapshotGuard extends KubeObject {
  spec: SnapshotGuardSpec;
  status?: SnapshotGuardStatus;
}

export const snapshotGuards: Resource<SnapshotGuard> = makeResource({
  apiVersion: API_VERSION,
  kind: 'SnapshotGuard',
});
