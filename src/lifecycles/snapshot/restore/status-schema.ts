/** The schema of the status of a SnapshotRestore. */
import * as z from 'zod';

import {
  conditionsSchema,
  count,
  describedText,
  flag,
  object,
  statusList,
  time,
} from '../../../controller/definitions/field-schemas.ts';
import { attemptSchema } from '../schema/container-status-schema.ts';
import { failureSchema, judgementFields } from '../schema/judgement-schema.ts';

export const sourceVerdictSchema = object('Verdict on the snapshot, and its origin.', {
  ...judgementFields,
  /**
   * Content: the label of the VolumeSnapshotContent, which users of a namespace cannot write. A label of the
   * VolumeSnapshot proves nothing (SNAP-V3).
   */
  origin: z
    .enum(['Record', 'Content', 'None'])
    .describe('Origin of the verdict: ApplicationSnapshot, VolumeSnapshotContent, or none.'),
});

export const restoredClaimSchema = object('One claim.', {
  sourceClaimName: describedText('Claim of which the snapshot was taken.'),
  volumeSnapshotName: describedText('Name of its VolumeSnapshot.'),
  volumeSnapshotUID: describedText('UID of its VolumeSnapshot.'),
  claimName: describedText('Name of the new claim.'),
  storageClassName: describedText('Storage class of the new claim.').exactOptional(),
  accessModes: statusList(describedText('One access mode.'), 'Access modes of the new claim.'),
  volumeMode: describedText('Volume mode of the new claim.').exactOptional(),
  labels: z
    .record(z.string(), z.string())
    .describe('Labels of the source claim, if the new claim has its name.')
    .exactOptional(),
  annotations: z
    .record(z.string(), z.string())
    .describe(
      'The annotation of the source claim that names its hooks, if the new claim has its name.',
    )
    .exactOptional(),
  size: describedText('Size of the new claim.'),
  /** Set once the claim is created: after that it is never created again (SNAP-V6). */
  claimUID: describedText('UID of the new claim.').exactOptional(),
  bound: flag('true: the claim is bound.').exactOptional(),
  waitsForConsumer: flag('true: the claim is bound when the first pod uses it.').exactOptional(),
});

export const restoreHookStatusSchema = object('One hook.', {
  name: describedText('Name of the hook.'),
  stage: z.enum(['preRestore', 'postRestore', 'verify']).describe('Stage of the hook.'),
  outcome: z
    .enum(['Succeeded', 'Failed', 'Unknown'])
    .describe('Outcome of the hook; absent: it is in progress.')
    .exactOptional(),
  podName: describedText('Pod of the newest attempt.').exactOptional(),
  podUID: describedText('UID of that pod.').exactOptional(),
  /** Identifies the pod until its UID is recorded (SNAP-V16). */
  podToken: describedText('Random text that the pod has as an annotation.').exactOptional(),
  attempts: statusList(attemptSchema, 'The attempts, in order.').exactOptional(),
});

export const scaledSchema = object('One workload that a hook scales to 0.', {
  kind: z.enum(['Deployment', 'StatefulSet']).describe('Kind of the workload.'),
  name: describedText('Name of the workload.'),
  uid: describedText('UID of the workload.'),
  replicas: count('Replicas before it was scaled to 0.'),
  scaledBackAt: time(
    'Time at which the replicas were set again, or left as they were.',
  ).exactOptional(),
  keptStopped: flag(
    'true: the workload uses a claim of this failed restore, and stays at 0.',
  ).exactOptional(),
});

export const verificationSchema = object('Result of verify.', {
  /** Unknown: the check did not judge the copy (SNAP-V11). */
  result: z.enum(['Passed', 'Failed', 'Unknown']).describe('Result of the checks.'),
  reason: describedText('Reason in CamelCase, one word.'),
  message: describedText('Human-readable message.'),
  at: time('Time of the result.'),
});

export const restoreStatusSchema = object('Observed state of the restore.', {
  observedGeneration: count('metadata.generation that the status is based on.').exactOptional(),
  /**
   * The phases in their order: a phase is followed only by a later one. Failed may follow any phase up to Verifying.
   */
  phase: z
    .enum([
      'Pending',
      'PreRestore',
      'Restoring',
      'PostRestore',
      'Verifying',
      'CleaningUp',
      'Completed',
      'Failed',
    ])
    .describe('Phase of the restore.')
    .exactOptional(),
  startedAt: time('Start of the restore.').exactOptional(),
  completedAt: time('End of the restore.').exactOptional(),
  sourceVerdict: sourceVerdictSchema.exactOptional(),
  claims: statusList(
    restoredClaimSchema,
    'The claims to create, fixed at the start: first those of spec.claims, then those of the source.',
  ).exactOptional(),
  /** Stored before the first claim is created. */
  claimsRequestedAt: time('Time recorded before the first claim is created.').exactOptional(),
  claimsReadyAt: time('Time at which the claims were ready for the hooks.').exactOptional(),
  hooks: statusList(
    restoreHookStatusSchema,
    'The hooks that have begun, in order.',
  ).exactOptional(),
  /** Stored before a workload is scaled down. */
  scaled: statusList(scaledSchema, 'Workloads that the hooks scale to 0.').exactOptional(),
  verification: verificationSchema.exactOptional(),
  failure: failureSchema.describe('Failure of the restore.').exactOptional(),
  cleanedUpAt: time('Time at which the claims of a scratch restore were deleted.').exactOptional(),
  conditions: conditionsSchema.exactOptional(),
});
