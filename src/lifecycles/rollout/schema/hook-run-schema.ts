/** The schemas of the spec and the status of a HookRun. Only controllers write them, so they have no limits. */
import * as z from 'zod';

import { exact } from '../../../controller/definitions/exact-schema.ts';
import {
  count,
  kubernetesObject,
  statusList,
  time,
  told,
} from '../../../controller/definitions/field-schemas.ts';
import type { HookAttempt, HookRunSpec, HookRunStatus, LifecycleHook } from '../kinds.ts';
import { directionSchema, stageSchema } from './lifecycle-status-schema.ts';

export const hookRunSpecSchema: z.ZodType<HookRunSpec> = exact<HookRunSpec>()(
  z
    .strictObject({
      deploymentName: told('Of which Deployment.'),
      deploymentUID: told('Its uid.'),
      lifecycleName: told('By which DeploymentLifecycle.'),
      rollout: count('The number of the rollout.'),
      stage: stageSchema,
      direction: directionSchema,
      digest: told('sha256 of the template, hexadecimal.'),
      fromRevision: told('The revision before the rollout.').exactOptional(),
      toRevision: told('The revision of the rollout.').exactOptional(),
      hook: kubernetesObject<LifecycleHook>(
        'The hook as it was when the stage began; its fields are those in a DeploymentLifecycle.',
      ),
      deadlineSeconds: count('For all attempts, from the beginning of the stage.'),
    })
    .describe('What is run.'),
);

const attempt = exact<HookAttempt>()(
  z
    .strictObject({
      number: count('From 1.'),
      podName: told('Its pod.'),
      podUID: told('Of its pod.').exactOptional(),
      startedAt: time('When.'),
      grants: count('How often its pod was permitted to start.').exactOptional(),
      finishedAt: time('When it ended.').exactOptional(),
      waitsFor: told(
        'What keeps its pod from starting, as the scheduler or the node words it.',
      ).exactOptional(),
      outcome: z
        .enum(['Succeeded', 'Failed', 'TimedOut', 'Aborted', 'Unknown'])
        .describe('What came of it; absent: it has not ended.')
        .exactOptional(),
      exitCode: count('Of the command.').exactOptional(),
      signal: count('That ended the command.').exactOptional(),
      reason: told('Of the container or of the pod, one word in CamelCase.').exactOptional(),
      message: told('What the command left as its termination message.').exactOptional(),
      lastLines: statusList(told('One line.'), 'The end of its log.').exactOptional(),
      fencingToken: count('Greater than that of every attempt before.'),
    })
    .describe('One attempt.'),
);

export const hookRunStatusSchema: z.ZodType<HookRunStatus> = exact<HookRunStatus>()(
  z
    .strictObject({
      phase: z
        .enum(['Running', 'Succeeded', 'Failed', 'Ignored', 'Aborted', 'Unknown'])
        .describe('What came of it.'),
      startedAt: time('When the stage began.'),
      finishedAt: time('When it ended.').exactOptional(),
      reason: told('One word in CamelCase.').exactOptional(),
      message: told('For people.').exactOptional(),
      attemptCount: count('How many there were.'),
      attempts: statusList(attempt, 'The last ones.'),
    })
    .describe('What has happened.'),
);
