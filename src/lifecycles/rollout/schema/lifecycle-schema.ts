/** The schema of the spec of a DeploymentLifecycle. */
import * as z from 'zod';

import { exact } from '../../../controller/definitions/exact-schema.ts';
import {
  kubernetesObject,
  list,
  name,
  seconds,
  text,
} from '../../../controller/definitions/field-schemas.ts';
import {
  COMMAND_WORD_CHARACTERS_MAX,
  COMMAND_WORDS_MAX,
  LABEL_CHARACTERS_MAX,
} from '../../../controller/definitions/value-limits.ts';
import type { JsonObject } from '../../../kube/object.ts';
import type { DeploymentLifecycleSpec, ExecNewPodHook, LifecycleHook } from '../kinds.ts';
import {
  ANNOTATION_CHARACTERS_MAX,
  PODS_KEPT_MAX,
  TIMEOUT_SECONDS_MAX,
  VOLUMES_MAX,
} from './limits.ts';
import { envSchema, overridesSchema, textsByKey } from './pod-parts-schema.ts';

type RollingUpdate = NonNullable<DeploymentLifecycleSpec['rollingUpdate']>;

/**
 * A spec as written by a user: `mid` is invalid for a rolling update. A server that does not know the field drops it.
 */
export type WrittenSpec = Omit<DeploymentLifecycleSpec, 'rollingUpdate'> & {
  rollingUpdate?: RollingUpdate & { mid?: JsonObject };
};

const word = text('One word, passed exactly as it stands.', COMMAND_WORD_CHARACTERS_MAX);

const execNewPod = exact<ExecNewPodHook>()(
  z
    .strictObject({
      command: list(word, {
        description: "In place of the image's entrypoint: there is no shell.",
        min: 1,
        max: COMMAND_WORDS_MAX,
      }).exactOptional(),
      args: list(word, {
        description: "In place of the image's command.",
        max: COMMAND_WORDS_MAX,
      }).exactOptional(),
      env: envSchema.exactOptional(),
      containerName: name('The container of the template whose image and settings the pod has.'),
      volumes: list(name('The name of a volume of the template.'), {
        description: 'The volumes that the pod has too; none if not given.',
        max: VOLUMES_MAX,
      }).exactOptional(),
      labels: textsByKey('Labels of the pod.', LABEL_CHARACTERS_MAX).exactOptional(),
      annotations: textsByKey('Annotations of the pod.', ANNOTATION_CHARACTERS_MAX).exactOptional(),
      overrides: overridesSchema.exactOptional(),
    })
    .describe('Runs a command in a new pod that is made from the template.'),
);

const hook = exact<LifecycleHook>()(
  z.strictObject({
    failurePolicy: z
      .enum(['Abort', 'Retry', 'Ignore'])
      .describe('What its failure means; Retry if not given.')
      .exactOptional(),
    timeoutSeconds: seconds(
      'Of one attempt; if not given, only progressDeadlineSeconds of the Deployment ends it.',
      1,
      TIMEOUT_SECONDS_MAX,
    ).exactOptional(),
    execNewPod,
  }),
);

const pre = hook.describe('Before the first new pod.').exactOptional();
const post = hook.describe('After the rollout is complete.').exactOptional();

const kept = (what: string): z.ZodExactOptional<z.ZodInt> =>
  z
    .int()
    .min(0)
    .max(PODS_KEPT_MAX)
    .meta({ description: `How many that ${what} are kept.`, format: 'int32' })
    .exactOptional();

export const lifecycleSpecSchema: z.ZodType<WrittenSpec> = exact<WrittenSpec>()(
  z
    .strictObject({
      deploymentName: name('The Deployment, in the same namespace. It cannot be changed.'),
      rollingUpdate: z
        .strictObject({
          pre,
          mid: kubernetesObject<JsonObject>(
            'Refused: a rolling update has no middle. See recreate.mid.',
          ).exactOptional(),
          post,
        })
        .describe('Hooks while the strategy of the Deployment is RollingUpdate.')
        .exactOptional(),
      recreate: z
        .strictObject({
          pre,
          mid: hook
            .describe('After the last old pod is gone, and before the first new pod.')
            .exactOptional(),
          post,
        })
        .describe('Hooks while the strategy of the Deployment is Recreate.')
        .exactOptional(),
      onAbort: z
        .enum(['Hold', 'Rollback'])
        .describe('What follows an abort: the new template is held (if not given), or taken back.')
        .exactOptional(),
      onDelete: z
        .enum(['Restore', 'Release'])
        .describe(
          'What the deletion of this object makes of a template that is held: the one that was released last comes back (if not given), or the held one starts without its hooks.',
        )
        .exactOptional(),
      gate: z
        .enum(['Admission', 'PausedAtRest'])
        .describe(
          'What holds a new template: a webhook (if not given), or that the Deployment is always paused.',
        )
        .exactOptional(),
      podsKept: z
        .strictObject({ succeeded: kept('succeeded'), failed: kept('failed') })
        .describe('Hook pods that stay after their rollout; 1 and 3 if not given.')
        .exactOptional(),
    })
    .describe('Which Deployment, and what is run around its rollouts.'),
);
