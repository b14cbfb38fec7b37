/** The schemas of the spec and the status of a HookRun. Only controllers write them, so they need no limits. */
import * as z from 'zod';

import {
  count,
  describedText,
  kubernetesObject,
  object,
  statusList,
  time,
} from '../../../controller/definitions/field-schemas.ts';
import type { hookSchema } from './lifecycle-schema.ts';
import { directionSchema, stageSchema } from './lifecycle-status-schema.ts';

export const hookRunSpecSchema = object('Hook to run.', {
  deploymentName: describedText('Name of the Deployment.'),
  deploymentUID: describedText('UID of the Deployment.'),
  lifecycleName: describedText('Name of the DeploymentLifecycle.'),
  rollout: count('Number of the rollout.'),
  stage: stageSchema,
  direction: directionSchema,
  digest: describedText('sha256 of the template, hexadecimal.'),
  fromRevision: describedText('Revision before the rollout.').exactOptional(),
  toRevision: describedText('Revision of the rollout.').exactOptional(),
  hook: kubernetesObject<z.output<typeof hookSchema>>(
    'Copy of the hook from the start of the stage; its fields are those in a DeploymentLifecycle.',
  ),
  /** Counted by Lifehook, since Kubernetes counts no deadline for a paused Deployment (ROLL-DH16). */
  deadlineSeconds: count('Seconds for all attempts, from the start of the stage.'),
});

export const attemptSchema = object('One attempt.', {
  number: count('Number of the attempt, from 1.'),
  podName: describedText('Name of the pod.'),
  /** Absent: no pod was created yet. */
  podUID: describedText('UID of the pod.').exactOptional(),
  startedAt: time('Start of the attempt.'),
  /** Each grant changes the HookRun, so that a late write is a conflict. */
  grants: count('Number of permits for the pod to start.').exactOptional(),
  /** Identifies the pod until its UID is recorded (ROLL-S5). */
  token: describedText('Random text that its pod has as an annotation.').exactOptional(),
  finishedAt: time('End of the attempt.').exactOptional(),
  waitsFor: describedText(
    'Reason why the pod does not start yet, from the scheduler or the node.',
  ).exactOptional(),
  outcome: z
    .enum(['Succeeded', 'Failed', 'TimedOut', 'Aborted', 'Unknown'])
    .describe('Outcome of the attempt; absent: it has not ended.')
    .exactOptional(),
  exitCode: count('Exit code of the command.').exactOptional(),
  signal: count('Signal that killed the command.').exactOptional(),
  /** Examples: Error, OOMKilled, Evicted, ErrImagePull. */
  reason: describedText('Reason of the container or pod in CamelCase, one word.').exactOptional(),
  /** At most 4 KiB. */
  message: describedText('Termination message of the command.').exactOptional(),
  /** At most 20 lines and 4 KiB. */
  lastLines: statusList(describedText('One line.'), 'Last lines of the log.').exactOptional(),
  /** The value is rollout number x 1 000 000 + stage (pre 0, mid 1, post 2) x 100 000 + attempt. It never decreases. */
  fencingToken: count('Fencing token: greater than that of every earlier attempt.'),
});

export const hookRunStatusSchema = object('Observed state of the hook run.', {
  /**
   * Ignored: the hook failed, and the policy ignores failures. Aborted: a new rollout or a user aborted it. Unknown:
   * its pod was deleted without a result, so its effect is not known, and it is not run again.
   */
  phase: z
    .enum(['Running', 'Succeeded', 'Failed', 'Ignored', 'Aborted', 'Unknown'])
    .describe('State of the run.'),
  startedAt: time('Start of the stage.'),
  finishedAt: time('End of the stage.').exactOptional(),
  /** Examples: HookFailed, DeadlineExceeded, NewRollout, AbortedByUser, ContainerNotFound, PodRefused, PodNameTaken. */
  reason: describedText('Reason in CamelCase, one word.').exactOptional(),
  message: describedText('Human-readable message.').exactOptional(),
  attemptCount: count('Number of attempts.'),
  /** At most 10, sorted by number. */
  attempts: statusList(attemptSchema, 'The last attempts.'),
});
