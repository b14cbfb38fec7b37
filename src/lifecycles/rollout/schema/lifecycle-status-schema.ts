/** The schema of the status of a DeploymentLifecycle. */
import type { PodTemplateSpec } from 'kubernetes-types/core/v1.js';
import * as z from 'zod';

import { conditionsSchema } from '../../../controller/definitions/condition-schema.ts';
import { exact } from '../../../controller/definitions/exact-schema.ts';
import {
  count,
  kubernetesObject,
  statusList,
  time,
  told,
} from '../../../controller/definitions/field-schemas.ts';
import type {
  DeploymentLifecycleStatus,
  Direction,
  Phase,
  PhaseRecord,
  ReleasedTemplate,
  RolloutFailure,
  RolloutRecord,
  RolloutStatus,
  Stage,
} from '../kinds.ts';

export const stageSchema: z.ZodType<Stage> = exact<Stage>()(
  z.enum(['pre', 'mid', 'post']),
).describe('Which hook.');

export const directionSchema: z.ZodType<Direction> = exact<Direction>()(
  z.enum(['Rollout', 'Rollback']),
).describe('Whether a template comes back that ran before.');

const template = kubernetesObject<PodTemplateSpec>('The whole template.');
const digest = told('sha256 of the template, hexadecimal.');

const failure = exact<RolloutFailure>()(
  z
    .strictObject({
      stage: stageSchema.exactOptional(),
      reason: told('One word in CamelCase.'),
      message: told('For people.'),
      at: time('When.'),
    })
    .describe('Why it failed.'),
);

const phase = exact<Phase>()(
  z.enum([
    'Pre',
    'Draining',
    'Mid',
    'Releasing',
    'Progressing',
    'Post',
    'Restoring',
    'RollingBack',
    'Done',
    'Failed',
    'Held',
    'RolledBack',
  ]),
).describe('Where it is.');

const rollout = exact<RolloutStatus>()(
  z
    .strictObject({
      number: count('Its number: of all rollouts of the Deployment, from 1.'),
      phase,
      direction: directionSchema,
      digest,
      template,
      fromRevision: told('The revision before it.').exactOptional(),
      toRevision: told('Its revision.').exactOptional(),
      startedAt: time('When it was opened.'),
      phaseStartedAt: time('When the phase began: its deadline counts from here.'),
      releasedAt: time('When its pods were allowed.').exactOptional(),
      staleProgress: told(
        'lastUpdateTime of a Progressing condition of the Deployment that is older than the release.',
      ).exactOptional(),
      finishedAt: time('When it ended.').exactOptional(),
      waitingFor: told('The pods that it waits for.').exactOptional(),
      failure: failure.exactOptional(),
      reason: told('Why it ended so, where that is no failure.').exactOptional(),
    })
    .describe('The open rollout, or the last one.'),
);

const record = exact<RolloutRecord>()(
  z
    .strictObject({
      number: count('Its number.'),
      direction: directionSchema,
      digest,
      fromRevision: told('The revision before it.').exactOptional(),
      toRevision: told('Its revision, as it was expected.').exactOptional(),
      startedAt: time('When it was opened.'),
      releasedAt: time('When its pods were allowed.').exactOptional(),
      finishedAt: time('When it ended.').exactOptional(),
      reason: told('Of its failure; else why it ended as it did.').exactOptional(),
      phases: statusList(
        exact<PhaseRecord>()(
          z.strictObject({ phase, startedAt: time('When it began.') }).describe('One phase.'),
        ),
        'The last 16, in their order; the last one is its outcome.',
      ),
    })
    .describe('One rollout.'),
);

const released = exact<ReleasedTemplate>()(
  z
    .strictObject({
      number: count('Of its rollout; what ran before the lifecycle came is given one.'),
      digest,
      template,
      unfinished: z
        .boolean()
        .describe('Its rollout was replaced before it was complete.')
        .exactOptional(),
      revision: told('Of the Deployment when it was released.').exactOptional(),
    })
    .describe('The template that may run, saved outside of the history of the Deployment.'),
);

export const lifecycleStatusSchema: z.ZodType<DeploymentLifecycleStatus> =
  exact<DeploymentLifecycleStatus>()(
    z
      .strictObject({
        observedGeneration: count('The generation that this was judged on.').exactOptional(),
        deploymentUID: told('Of the Deployment that it keeps.').exactOptional(),
        rollout: rollout.exactOptional(),
        released: released.exactOptional(),
        history: statusList(
          record,
          'The last 10 rollouts, the open one too, by number.',
        ).exactOptional(),
        abortedDigests: statusList(
          told('One digest.'),
          'Of the last templates whose rollout was aborted.',
        ).exactOptional(),
        conditions: conditionsSchema.exactOptional(),
      })
      .describe('What is being rolled out, and what may run.'),
  );
