/** The schema of the status of an ApplicationSnapshot. */
import * as z from 'zod';

import { conditionsSchema } from '../../../controller/definitions/condition-schema.ts';
import { exact } from '../../../controller/definitions/exact-schema.ts';
import { count, statusList, time, told } from '../../../controller/definitions/field-schemas.ts';
import type { HookEvidence, HookFinding, TargetEvidence, Verdict } from '../evidence-kinds.ts';
import type { ApplicationSnapshotStatus, SnapshotVolume } from '../kinds.ts';
import { containerStatusFields, releaseCauseSchema } from './container-status-schema.ts';
import { cutSignalSchema, hookInfosSchema } from './snapshot-schema.ts';

const volume = exact<SnapshotVolume>()(
  z
    .strictObject({
      claimName: told('The claim.'),
      claimUID: told('The UID of the claim.'),
      volumeName: told('The volume that the claim is bound to.'),
      volumeHandle: told("The driver's name for it.").exactOptional(),
      driver: told('The driver of the volume.').exactOptional(),
      inUse: z.boolean().describe('Whether it was attached, or a pod mounted it.'),
      snapshotClassName: told('The class of its snapshot, or of the group.'),
      cutSignal: cutSignalSchema.describe('What says that it is cut.'),
      volumeSnapshotName: told('Its VolumeSnapshot.').exactOptional(),
      volumeSnapshotUID: told('The UID of its VolumeSnapshot.').exactOptional(),
      cut: z
        .boolean()
        .describe('Whether the cut holds this volume; absent until it was observed.')
        .exactOptional(),
      creationTime: time('When it was cut, by the clock of the storage.').exactOptional(),
      readyToUse: z.boolean().describe('Whether a volume can be made from it.').exactOptional(),
      atomic: z.boolean().describe('false: its parts may be of different moments.').exactOptional(),
      atomicReason: told('How that is known, by the snapshotter.').exactOptional(),
    })
    .describe('One volume, and its snapshot.'),
);

const targetEvidence = exact<TargetEvidence>()(
  z
    .strictObject({
      ...containerStatusFields,
      thawOutput: told(
        'The end of what the thaw printed, such as the label of a backup.',
      ).exactOptional(),
      identity: z
        .enum(['Same', 'Changed', 'Gone', 'Unknown'])
        .describe('Whether it was the same container when it was looked at after the thaw.'),
    })
    .describe('One container, and what happened in it.'),
);

const finding = exact<HookFinding>()(
  z
    .strictObject({
      value: z.enum(['Inconsistent', 'Unknown']).describe('What it makes of the verdict.'),
      reason: told('One word in CamelCase.'),
      message: told('For people.'),
    })
    .describe('What speaks against a freeze that was held over the cut; absent: nothing does.'),
);

const hook = exact<HookEvidence>()(
  z
    .strictObject({
      name: told('The name of the hook.'),
      preActionSucceed: z.boolean().describe('Whether all were frozen.').exactOptional(),
      postActionSucceed: z.boolean().describe('Whether all were thawed.').exactOptional(),
      releaseCause: releaseCauseSchema.describe('Why the thaw began.').exactOptional(),
      firstPreAt: time('When the first preAction was recorded.').exactOptional(),
      lastThawAt: time('When the last thaw ended.').exactOptional(),
      finding: finding.exactOptional(),
      targets: statusList(targetEvidence, 'The containers, without their attempts.'),
    })
    .describe('What was learned of one hook.'),
);

const verdict = exact<Verdict>()(
  z
    .strictObject({
      value: z
        .enum(['ApplicationConsistent', 'CrashConsistent', 'Inconsistent', 'Unknown'])
        .describe('What the snapshot can be trusted for.'),
      reason: told('One word in CamelCase.'),
      message: told('For people.'),
      freezeWindowMs: count(
        'From the first preAction to the last thaw, milliseconds.',
      ).exactOptional(),
      decidedAt: time('When.'),
    })
    .describe('Whether the snapshot can be trusted.'),
);

const failure = z
  .strictObject({
    reason: told('One word in CamelCase.'),
    message: told('For people.'),
    at: time('When.'),
  })
  .describe('Why it failed.');

const words = (description: string): z.ZodArray<z.ZodString> =>
  statusList(told('A name.'), description);

export const snapshotStatusSchema: z.ZodType<ApplicationSnapshotStatus> =
  exact<ApplicationSnapshotStatus>()(
    z
      .strictObject({
        observedGeneration: count('The generation that this was judged on.').exactOptional(),
        phase: z
          .enum(['Pending', 'Freezing', 'Cutting', 'Thawing', 'Finishing', 'Completed', 'Failed'])
          .describe('How far it is.')
          .exactOptional(),
        startedAt: time('When it began.').exactOptional(),
        completedAt: time('When it was over.').exactOptional(),
        volumes: statusList(volume, 'The volumes, fixed at the beginning.').exactOptional(),
        executionHookInfos: hookInfosSchema
          .describe('Of each hook, as it is made: targets filled in. Fixed at the beginning.')
          .exactOptional(),
        volumeGroupSnapshotName: told('The VolumeGroupSnapshot.').exactOptional(),
        volumeGroupSnapshotUID: told('The UID of the VolumeGroupSnapshot.').exactOptional(),
        executionHookNames: words(
          'The hooks, written before they are made, and kept.',
        ).exactOptional(),
        cutRequestedAt: time('Before the first snapshot was made.').exactOptional(),
        cutObservedAt: time('When we saw that the last volume was cut.').exactOptional(),
        failure: failure.exactOptional(),
        hooks: statusList(hook, 'What was learned of each hook.').exactOptional(),
        verdict: verdict.exactOptional(),
        conditions: conditionsSchema.exactOptional(),
      })
      .describe('What has happened.'),
  );
