/** The schema of the status of a DeploymentLifecycle. */
import type { PodTemplateSpec } from 'kubernetes-types/core/v1.js';
import * as z from 'zod';

import {
  conditionsSchema,
  count,
  describedText,
  flag,
  kubernetesObject,
  object,
  statusList,
  time,
} from '../../../controller/definitions/field-schemas.ts';

export const stageSchema = z.enum(['pre', 'mid', 'post']).describe('Stage of the hook.');

export const directionSchema = z
  .enum(['Rollout', 'Rollback'])
  .describe('Rollback: a previous template is restored.');

const template = kubernetesObject<PodTemplateSpec>('The whole template.');
const digest = describedText('sha256 of the template, hexadecimal.');

export const failureSchema = object('Failure of the rollout.', {
  stage: stageSchema.exactOptional(),
  /**
   * Examples: PreHookFailed, DeadlineExceeded, DrainDeadlineExceeded, AbortedByUser, AbortedBefore,
   * ProgressDeadlineExceeded.
   */
  reason: describedText('Reason in CamelCase, one word.'),
  message: describedText('Human-readable message.'),
  at: time('Time of the failure.'),
});

export const phaseSchema = z
  .enum([
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
  ])
  .describe('Phase of the rollout.');

export const rolloutSchema = object('The open rollout, or the last one.', {
  number: count('Number of the rollout among those of the Deployment, from 1.'),
  phase: phaseSchema,
  direction: directionSchema,
  digest,
  template,
  fromRevision: describedText('Revision before the rollout.').exactOptional(),
  toRevision: describedText('Revision of the rollout.').exactOptional(),
  startedAt: time('Start of the rollout.'),
  phaseStartedAt: time('Start of the phase, and of its deadline.'),
  releasedAt: time('Time at which the controller saw the release.').exactOptional(),
  /** A progress condition with this time is ignored (ROLL-E10). */
  staleProgress: describedText(
    'lastUpdateTime of a Progressing condition of the Deployment that is older than the release.',
  ).exactOptional(),
  finishedAt: time('End of the rollout.').exactOptional(),
  waitingFor: describedText('Pods that the rollout waits for.').exactOptional(),
  failure: failureSchema.exactOptional(),
  /** One of Completed, Reverted, NoHooks. */
  reason: describedText('Reason of the outcome, if the outcome is not a failure.').exactOptional(),
});

export const recordSchema = object('One rollout.', {
  number: count('Number of the rollout.'),
  direction: directionSchema,
  digest,
  fromRevision: describedText('Revision before the rollout.').exactOptional(),
  toRevision: describedText('Expected revision of the rollout.').exactOptional(),
  startedAt: time('Start of the rollout.'),
  releasedAt: time('Time at which the controller saw the release.').exactOptional(),
  finishedAt: time('End of the rollout.').exactOptional(),
  reason: describedText('Reason of the failure, or of the outcome.').exactOptional(),
  phases: statusList(
    object('One phase.', { phase: phaseSchema, startedAt: time('Start of the phase.') }),
    'The last 16 phases, in order. The last phase of a rollout that has ended is its outcome.',
  ),
});

export const releasedSchema = object(
  'The template that may run, saved outside of the history of the Deployment.',
  {
    number: count('Number of its rollout; a template from before the lifecycle gets a number too.'),
    digest,
    template,
    /** A return to the template rolls it out again, with its hooks. */
    unfinished: flag('true: its rollout was replaced before it was complete.').exactOptional(),
    revision: describedText('Revision of the Deployment at the release.').exactOptional(),
  },
);

export const lifecycleStatusSchema = object('Rollout in progress, and the released template.', {
  observedGeneration: count('metadata.generation that the status is based on.').exactOptional(),
  /** The records start anew for a recreated Deployment of the same name. */
  deploymentUID: describedText('UID of the managed Deployment.').exactOptional(),
  rollout: rolloutSchema.exactOptional(),
  /** Kept even if the ReplicaSet of the template was deleted (ROLL-C14). */
  released: releasedSchema.exactOptional(),
  history: statusList(
    recordSchema,
    'The last 10 rollouts, the open one too, by number.',
  ).exactOptional(),
  abortedDigests: statusList(
    describedText('Digest of a template.'),
    'Digests of the last templates whose rollout was aborted.',
  ).exactOptional(),
  /** The types are Armed, Progressing, Failed, GateBypassed, Ready, Reconciling and Stalled. */
  conditions: conditionsSchema.exactOptional(),
});
