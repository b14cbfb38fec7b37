/** Schemas of the status of each target container of a hook. */
import * as z from 'zod';

import { exact, type FieldsOf } from '../../../controller/definitions/exact-schema.ts';
import { count, statusList, time, told } from '../../../controller/definitions/field-schemas.ts';
import type { RescueSource } from '../action-kinds.ts';
import type { ActionAttempt } from '../attempt-kinds.ts';
import type { ActionStatus, ContainerStatus, ProbeStatus, ReleaseCause } from '../kinds.ts';

export const releaseCauseSchema: z.ZodType<ReleaseCause> = exact<ReleaseCause>()(
  z.enum(['Deleted', 'PreFailed', 'Expired', 'Cut', 'Human', 'Broken']),
);

const attempt = exact<ActionAttempt>()(
  z
    .strictObject({
      startedAt: time('When it was recorded, before anything was sent.'),
      endedAt: time('When its end was seen.').exactOptional(),
      outcome: z
        .enum(['Succeeded', 'Failed', 'TimedOut', 'Cancelled', 'Unknown'])
        .describe('How it ended; absent: it was begun.')
        .exactOptional(),
      notStarted: z
        .enum(['Denied', 'Unreached'])
        .describe('It is certain that nothing was started, and why.')
        .exactOptional(),
      number: count('From 1; absent: it follows from its place.').exactOptional(),
      exitCode: count('The exit code of the command.').exactOptional(),
      reason: told('Why.').exactOptional(),
      output: told('The end of its output.').exactOptional(),
    })
    .describe('One attempt.'),
);

/** SNAP-G7: the proposal has int64 seconds here; they are read, and RFC 3339 is written. */
const actionTimestamp = z
  .union([z.string(), z.int().transform((seconds) => new Date(seconds * 1000).toISOString())])
  .meta({
    description:
      'When the first attempt was recorded, before anything was sent: RFC 3339, or seconds since the epoch.',
    'x-kubernetes-int-or-string': true,
  });

const actionStatus = exact<ActionStatus>()(
  z.strictObject({
    actionTimestamp: actionTimestamp.exactOptional(),
    actionSucceed: z
      .boolean()
      .describe('Whether it has succeeded; absent: not decided.')
      .exactOptional(),
    error: z
      .strictObject({ time: time('When.'), message: told('What.') })
      .describe('The last error.')
      .exactOptional(),
    attempts: statusList(
      attempt,
      'The first and the last attempt that were started, and the newest; in order.',
    ).exactOptional(),
    earlierAttempts: count('How many attempts there were besides those.').exactOptional(),
    unstartedAttempts: count(
      'How many of all attempts are certain not to have started.',
    ).exactOptional(),
    slowAttempts: count(
      'Of a thaw that has failed and is tried on slowly: how many of the last attempts are those.',
    ).exactOptional(),
  }),
);

const probe = exact<ProbeStatus>()(
  z
    .strictObject({
      when: z.enum(['AfterFreeze', 'AfterCut']).describe('When it was asked.'),
      at: time('The time of the answer.'),
      outcome: z.enum(['Frozen', 'NotFrozen', 'Unknown']).describe('The answer.'),
      reason: told('Why.').exactOptional(),
    })
    .describe('One question whether the freeze is in force, and the answer.'),
);

const freezeLost = z
  .strictObject({ at: time('When it was seen.'), reason: told('What happened.') })
  .describe('It was frozen, and something happened to it before the thaw was asked for.');

const freezeDoubted = z
  .strictObject({ at: time('When it was seen.'), reason: told('What happened.') })
  .describe('The same, seen when the cut was durable already: perhaps it was before the cut.');

const thawUnproven = z
  .strictObject({ at: time('When it was seen.'), reason: told('What happened.') })
  .describe(
    'Of a Kernel lock: the container ended for good before its thaw was proven, so that its volume may be frozen still.',
  );

const holder = z
  .strictObject({
    timing: z.enum(['read', 'sleep', 'eof']).describe('read -t, sleep, or end of input only.'),
    windowSeconds: count('How long it stays frozen without a sign of life.'),
  })
  .describe('Of a held session: how its end is watched in the container.');

const rescue: z.ZodType<RescueSource> = z.record(z.string(), z.unknown()).meta({
  description: "What a rescue pod needs of the target's pod.",
  'x-kubernetes-preserve-unknown-fields': true,
});

/** Also used for the evidence that a snapshot keeps. */
export const containerStatusFields: FieldsOf<ContainerStatus> = {
  podName: told('The pod.'),
  containerName: told('The container.'),
  podUID: told('The UID of the pod.'),
  containerID: told('The ID of the container.'),
  restartCount: count('How often the container had been restarted.'),
  nodeName: told('The node of the pod.').exactOptional(),
  preActionStatus: actionStatus.describe('How the preAction went.').exactOptional(),
  postActionStatus: actionStatus.describe('How the thaw went.').exactOptional(),
  probes: statusList(probe, 'Whether the freeze was in force.').exactOptional(),
  freezeLost: freezeLost.exactOptional(),
  freezeDoubted: freezeDoubted.exactOptional(),
  thawUnproven: thawUnproven.exactOptional(),
  claimNames: statusList(
    told('A claim.'),
    'Of a Kernel lock: the claims that the container mounts.',
  ).exactOptional(),
  rescue: rescue.exactOptional(),
  thawedBy: z
    .enum(['post', 'session', 'deadman', 'broken', 'gone', 'rescue', 'released'])
    .describe('What thawed it.')
    .exactOptional(),
  holder: holder.exactOptional(),
};

const containerStatus = exact<ContainerStatus>()(
  z.strictObject(containerStatusFields).describe('One container, and what happened in it.'),
);

export const containerStatusesSchema: z.ZodType<ContainerStatus[]> = statusList(
  containerStatus,
  'One entry for each container that the hook is for, fixed when it begins.',
);
