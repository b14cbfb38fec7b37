/** Schemas of the status of each target container of a hook. */
import * as z from 'zod';

import {
  count,
  describedText,
  flag,
  object,
  statusList,
  time,
} from '../../../controller/definitions/field-schemas.ts';

/**
 * Deleted: the hook was deleted (SNAP-R13). PreFailed: see SNAP-G9. Expired: see SNAP-R22. Cut: the snapshot controller
 * saw the cut, and requested the thaw by the annotation CUT_RELEASE. Human: a user requested it (`lifehook snapshot
 * thaw`). Broken: the freeze of a target was lost (`freezeLost`), so the freeze of the others is useless.
 */
export const releaseCauseSchema = z.enum([
  'Deleted',
  'PreFailed',
  'Expired',
  'Cut',
  'Human',
  'Broken',
]);

export const attemptSchema = object('One attempt.', {
  startedAt: time('Time of its record, before the request was sent.'),
  endedAt: time('Time at which its end was observed.').exactOptional(),
  outcome: z
    .enum(['Succeeded', 'Failed', 'TimedOut', 'Cancelled', 'Unknown'])
    .describe('Outcome of the attempt; absent: it is in progress.')
    .exactOptional(),
  /**
   * Denied: the server refuses the command (403), and would refuse it again. Unreached: the container did not exist or
   * could not be reached.
   */
  notStarted: z
    .enum(['Denied', 'Unreached'])
    .describe('Reason why nothing was started, if that is certain.')
    .exactOptional(),
  number: count(
    'Number of the attempt, from 1; absent: it follows from its place in the list.',
  ).exactOptional(),
  exitCode: count('Exit code of the command.').exactOptional(),
  reason: describedText('Reason of the outcome.').exactOptional(),
  /** Secrets are masked; at most 1 KiB. If it is cut, its first line says how large the output was. */
  output: describedText('Last part of the output.').exactOptional(),
});

/** SNAP-G7: the proposal has int64 seconds here. They are accepted, but RFC 3339 is written. */
const actionTimestamp = z
  .union([z.string(), z.int().transform((seconds) => new Date(seconds * 1000).toISOString())])
  .meta({
    description:
      'Time of the record of the first attempt, before its request was sent: RFC 3339, or seconds since the epoch.',
    'x-kubernetes-int-or-string': true,
  });

export const actionStatusSchema = z.strictObject({
  /** Stored before the command is sent, so a set time means that the command may have run (SNAP-R14). */
  actionTimestamp: actionTimestamp.exactOptional(),
  actionSucceed: flag('true: the action succeeded; absent: not decided yet.').exactOptional(),
  error: object('The last error.', {
    time: time('Time of the error.'),
    message: describedText('Error message.'),
  }).exactOptional(),
  /** An attempt without `outcome` is an intent (SNAP-I3). */
  attempts: statusList(
    attemptSchema,
    'The first and the last attempt that were started, and the newest; in order.',
  ).exactOptional(),
  /** None of these attempts succeeded. */
  earlierAttempts: count('Number of attempts that are not listed.').exactOptional(),
  unstartedAttempts: count('Number of attempts that certainly did not start.').exactOptional(),
  /** They have pauses of 10 s to five minutes (SNAP-G15). */
  slowAttempts: count(
    'Number of the last attempts that were slow retries of a failed thaw.',
  ).exactOptional(),
});

export const probeStatusSchema = object('Check whether the freeze is in force, and its answer.', {
  when: z.enum(['AfterFreeze', 'AfterCut']).describe('Moment of the probe.'),
  at: time('Time of the answer.'),
  outcome: z.enum(['Frozen', 'NotFrozen', 'Unknown']).describe('Answer of the probe.'),
  reason: describedText('Reason of the answer.').exactOptional(),
});

const loss = z.strictObject({
  at: time('Time of the observation.'),
  reason: describedText('Event that was observed.'),
});

const holder = object('Held session only: how the session helper detects a lost connection.', {
  timing: z
    .enum(['read', 'sleep', 'eof'])
    .describe('Way to measure the window: read -t, sleep, or only the end of the input.'),
  windowSeconds: count('Dead-man window in seconds.'),
});

const rescue = z.record(z.string(), z.unknown()).meta({
  description: "Fields of the target's pod that a rescue pod needs.",
  'x-kubernetes-preserve-unknown-fields': true,
});

/** Also used for the evidence that a snapshot keeps. */
export const containerStatusSchema = object('State of one container.', {
  podName: describedText('Name of the pod.'),
  containerName: describedText('Name of the container.'),
  /** A later pod of the same name is another target. */
  podUID: describedText('UID of the pod.'),
  containerID: describedText('ID of the container.'),
  restartCount: count('Restart count of the container at the freeze.'),
  nodeName: describedText('Node of the pod.').exactOptional(),
  preActionStatus: actionStatusSchema.describe('Result of the preAction.').exactOptional(),
  postActionStatus: actionStatusSchema.describe('Result of the thaw.').exactOptional(),
  probes: statusList(
    probeStatusSchema,
    'Results of the probes, which check whether the freeze was in force.',
  ).exactOptional(),
  /** Set once, and never changed. */
  freezeLost: loss.describe('Loss of the freeze before the thaw was requested.').exactOptional(),
  freezeDoubted: loss
    .describe(
      'Loss of the freeze that was observed after the cut, but may have happened before it.',
    )
    .exactOptional(),
  /** Set once, and never changed. `thawedBy` is set when the thaw is proven or marked as done by hand. */
  thawUnproven: loss
    .describe(
      'Kernel lock only: the container terminated before its thaw was proven, so its volume may still be frozen.',
    )
    .exactOptional(),
  /** While the thaw is unproven, no other hook freezes the volume of one of these claims. */
  claimNames: statusList(
    describedText('Name of a claim.'),
    'Kernel lock only: the claims that the container mounts.',
  ).exactOptional(),
  /** Absent: the target gets no rescue pod. */
  rescue: rescue.exactOptional(),
  /**
   * post: the postAction. session: the session helper, at our request. deadman: the session helper by itself. broken:
   * the process that held the freeze has exited. gone: the pod, or the container that held the freeze, has ended.
   * rescue: a rescue pod. released: a user has marked the thaw as done by hand.
   */
  thawedBy: z
    .enum(['post', 'session', 'deadman', 'broken', 'gone', 'rescue', 'released'])
    .describe('Cause of the thaw.')
    .exactOptional(),
  holder: holder.exactOptional(),
});

export const containerStatusesSchema = statusList(
  containerStatusSchema,
  'One entry for each target container, fixed at the start of the hook.',
);
