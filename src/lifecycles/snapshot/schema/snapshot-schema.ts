/** The schemas of the spec and the status of an ApplicationSnapshot. */
import * as z from 'zod';

import {
  conditionsSchema,
  count,
  describedText,
  flag,
  list,
  name,
  object,
  seconds,
  statusList,
  time,
} from '../../../controller/definitions/field-schemas.ts';
import { containerStatusSchema, releaseCauseSchema } from './container-status-schema.ts';
import { windowSchema } from './guard-schema.ts';
import { cutSignalSchema, hookInfosSchema } from './hook-info-schema.ts';
import { failureSchema, judgementFields } from './judgement-schema.ts';
import { CLAIMS_MAX, CUT_DEADLINE_SECONDS_MAX } from './limits.ts';
import { matchExpressionsSchema, matchLabelsSchema } from './target-schema.ts';

const selector = object('Selects claims by their labels.', {
  matchLabels: matchLabelsSchema.exactOptional(),
  /**
   * Declared so that it is refused (SNAP-CASE38): otherwise the server would drop it silently, and more volumes
   * would be cut.
   */
  matchExpressions: matchExpressionsSchema
    .describe('Refused: group snapshots ignore them. Select by matchLabels.')
    .exactOptional(),
});

const source = object('Volumes to snapshot: exactly one of the two fields.', {
  persistentVolumeClaimNames: list(name('The name of a claim.'), {
    description: 'Claims by name.',
    min: 1,
    max: CLAIMS_MAX,
    list: { type: 'set' },
  }).exactOptional(),
  selector: selector.exactOptional(),
});

export const snapshotSpecSchema = object(
  'Volumes to snapshot, and the hooks that freeze the application meanwhile.',
  {
    source,
    mode: z
      .enum(['Single', 'Group'])
      .describe('Group: one VolumeGroupSnapshot, which needs the selector. Single if not given.')
      .exactOptional(),
    volumeSnapshotClassName: name(
      'The class of the snapshots; the default class if not given.',
    ).exactOptional(),
    volumeGroupSnapshotClassName: name(
      'The class of the group snapshot; the default class if not given.',
    ).exactOptional(),
    /** There is one hook for each info; they run in this order (SNAP-R29). */
    executionHookInfos: hookInfosSchema.exactOptional(),
    cutDeadlineSeconds: seconds(
      'Seconds from the creation of the snapshots to the cut of the last one; default: 60.',
      1,
      CUT_DEADLINE_SECONDS_MAX,
    ).exactOptional(),
    cutSignal: cutSignalSchema.exactOptional(),
    window: windowSchema.exactOptional(),
  },
);

const words = (description: string): z.ZodArray<z.ZodString> =>
  statusList(describedText('A name.'), description);

/** The schemas from here on are those of the status of an ApplicationSnapshot. */
export const volumeSchema = object('One volume, and its snapshot.', {
  claimName: describedText('Name of the claim.'),
  claimUID: describedText('UID of the claim.'),
  volumeName: describedText('Volume that the claim is bound to.'),
  volumeHandle: describedText('Handle of the volume at its driver.').exactOptional(),
  driver: describedText('Driver of the volume.').exactOptional(),
  inUse: flag('true: the volume was attached, or a pod mounted it.'),
  snapshotClassName: describedText(
    'VolumeSnapshotClass of its snapshot, or in mode Group the VolumeGroupSnapshotClass.',
  ),
  cutSignal: cutSignalSchema.describe('Field of the snapshot that shows the cut.'),
  volumeSnapshotName: describedText('Name of its VolumeSnapshot.').exactOptional(),
  /** Set once the VolumeSnapshot is created: after that it is never created again. */
  volumeSnapshotUID: describedText('UID of its VolumeSnapshot.').exactOptional(),
  cut: flag('true: the volume is part of the cut; absent until that is observed.').exactOptional(),
  creationTime: time('Time of the cut by the clock of the storage.').exactOptional(),
  readyToUse: flag('true: a volume can be restored from the snapshot.').exactOptional(),
  atomic: flag('false: parts of the volume may be of different moments.').exactOptional(),
  atomicReason: describedText(
    'Reason for the value of atomic, from the snapshotter.',
  ).exactOptional(),
});

export const targetEvidenceSchema = object('Evidence of one container.', {
  ...containerStatusSchema.shape,
  /** Secrets are masked. */
  thawOutput: describedText(
    'Last part of the output of the thaw, such as the label of a backup.',
  ).exactOptional(),
  identity: z
    .enum(['Same', 'Changed', 'Gone', 'Unknown'])
    .describe('Identity of the container at the check after the thaw.'),
});

/** A snapshot with such a doubt is not ApplicationConsistent (SNAP-I2). */
export const findingSchema = object(
  'Doubt that the freeze was held over the cut; absent: no doubt.',
  {
    ...judgementFields,
    value: z.enum(['Inconsistent', 'Unknown']).describe('Effect on the verdict.'),
  },
);

export const hookEvidenceSchema = object('Evidence of one hook.', {
  name: describedText('Name of the hook.'),
  preActionSucceed: flag('true: all containers were frozen.').exactOptional(),
  postActionSucceed: flag('true: all containers were thawed.').exactOptional(),
  releaseCause: releaseCauseSchema.describe('Cause of the thaw.').exactOptional(),
  firstPreAt: time('Time of the record of the first preAction.').exactOptional(),
  lastThawAt: time('End of the last thaw.').exactOptional(),
  finding: findingSchema.exactOptional(),
  /** At most 500 per snapshot, those with a finding first. */
  targets: statusList(targetEvidenceSchema, 'The containers, without their attempts.'),
});

export const verdictSchema = object('Verdict on the consistency of the snapshot.', {
  ...judgementFields,
  freezeWindowMs: count('Milliseconds from the first preAction to the last thaw.').exactOptional(),
  decidedAt: time('Time of the decision.'),
});

/**
 * Recorded before the API server gets the answer of the webhook. So the object may not exist yet, and may never exist
 * (SNAP-W2).
 */
export const admittedSchema = object('One snapshot of another client that the window admitted.', {
  uid: describedText('UID of the object, from the request that creates it.'),
  kind: z.enum(['VolumeSnapshot', 'VolumeGroupSnapshot']).describe('Kind of the object.'),
  name: describedText('Name of the object.'),
  claimNames: words('Claims of which it is a snapshot.'),
  cutSignal: cutSignalSchema.describe('Field of the snapshot that shows the cut.'),
  admittedAt: time('Time of the admission.'),
  /** An object that was admitted without a freeze never becomes ApplicationConsistent (SNAP-W8). */
  unfrozen: describedText(
    'Reason why it was admitted without a proven freeze; absent: the application was frozen.',
  ).exactOptional(),
  /**
   * Set when the window closes, and never changed. Cut: its cut was seen before the close. NotCut: it was not cut
   * within the deadline. NotCreated: it did not appear after its admission. Deleted: it was deleted before it was cut.
   * WrongVolume: another volume was cut.
   */
  outcome: z
    .enum(['Cut', 'NotCut', 'NotCreated', 'Deleted', 'WrongVolume'])
    .describe('Outcome that was known when the window closed.')
    .exactOptional(),
  /** Set once, and never changed. The marks on the object follow this verdict. */
  verdict: object(
    'Verdict on this object; its labels and annotations repeat it.',
    judgementFields,
  ).exactOptional(),
});

export const snapshotStatusSchema = object('Observed state of the snapshot.', {
  observedGeneration: count('metadata.generation that the status is based on.').exactOptional(),
  /** The phases in their order: a phase is followed only by a later one. Failed never follows Completed. */
  phase: z
    .enum(['Pending', 'Freezing', 'Cutting', 'Thawing', 'Finishing', 'Completed', 'Failed'])
    .describe('Phase of the snapshot.')
    .exactOptional(),
  startedAt: time('Start of the snapshot.').exactOptional(),
  completedAt: time('End of the snapshot.').exactOptional(),
  /** Fixed at the start, so that later changes of templates, labels or pods have no effect (SNAP-I10). */
  volumes: statusList(volumeSchema, 'Volumes, fixed at the start.').exactOptional(),
  executionHookInfos: hookInfosSchema
    .describe('Hooks to create, with their targets filled in; fixed at the start.')
    .exactOptional(),
  volumeGroupSnapshotName: describedText('Name of the VolumeGroupSnapshot.').exactOptional(),
  /** Set once the VolumeGroupSnapshot is created: after that it is never created again. */
  volumeGroupSnapshotUID: describedText('UID of the VolumeGroupSnapshot.').exactOptional(),
  /** The names stay after the hooks are deleted (SNAP-R12). */
  executionHookNames: words(
    'Names of the hooks, recorded before the hooks are created.',
  ).exactOptional(),
  /** Written together with cutRequestedAt (SNAP-S9). */
  executionHookUIDs: words(
    'UIDs of the hooks that were frozen when the cut was requested.',
  ).exactOptional(),
  /**
   * Stored before the first snapshot is created. In a window it means that all hooks have frozen, so requests are
   * admitted.
   */
  cutRequestedAt: time('Time recorded before the first snapshot is created.').exactOptional(),
  /** The tokens prove that Lifehook reported the cut after it saw it (SNAP-S8). */
  cutTokenHashes: statusList(
    describedText('sha256 of a token, hexadecimal.'),
    'Hashes of the tokens by which the hooks report that they were thawed after the cut.',
  ).exactOptional(),
  /** The webhook of the guards adds entries until the window is sealed or closes. */
  admitted: statusList(
    admittedSchema,
    'In a window of a guard: the snapshots of other clients that it admitted.',
  ).exactOptional(),
  /** Set when half of the cut deadline is over. */
  sealedAt: time(
    'In a window of a guard: time since which it admits nothing more although it is open.',
  ).exactOptional(),
  /** The thaw starts only after this write. */
  closedAt: time(
    'In a window of a guard: time at which it closed; nothing is admitted after that.',
  ).exactOptional(),
  /** The cut was observed before Lifehook requested the thaw: the verdict relies on this order (SNAP-I2). */
  cutObservedAt: time('Time at which the cut of the last volume was observed.').exactOptional(),
  failure: failureSchema.describe('Failure of the snapshot.').exactOptional(),
  hooks: statusList(hookEvidenceSchema, 'Evidence of each hook.').exactOptional(),
  verdict: verdictSchema.exactOptional(),
  conditions: conditionsSchema.exactOptional(),
});
