/** The schema of the spec of a DeploymentLifecycle. */
import * as z from 'zod';

import {
  kubernetesObject,
  list,
  name,
  object,
  seconds,
  text,
} from '../../../controller/definitions/field-schemas.ts';
import {
  COMMAND_WORD_CHARACTERS_MAX,
  COMMAND_WORDS_MAX,
  LABEL_CHARACTERS_MAX,
} from '../../../controller/definitions/value-limits.ts';
import type { JsonObject } from '../../../kube/object.ts';
import {
  ANNOTATION_CHARACTERS_MAX,
  PODS_KEPT_MAX,
  TIMEOUT_SECONDS_MAX,
  VOLUMES_MAX,
} from './limits.ts';
import { envSchema, overridesSchema, textsByKey } from './pod-parts-schema.ts';

const word = text('One argument, passed unchanged.', COMMAND_WORD_CHARACTERS_MAX);

/** ROLL-DH2. The pod inherits from the container of the template, and these fields override it. */
export const execNewPodSchema = object(
  'Runs a command in a new pod that is made from the template.',
  {
    command: list(word, {
      description: "Command in place of the image's entrypoint, without a shell.",
      min: 1,
      max: COMMAND_WORDS_MAX,
    }).exactOptional(),
    args: list(word, {
      description: "Arguments in place of the image's CMD.",
      max: COMMAND_WORDS_MAX,
    }).exactOptional(),
    /** Merged over the container's environment; values of the hook win (ROLL-DH8). */
    env: envSchema.exactOptional(),
    /** May also name an init container (ROLL-DH6, ROLL-DH22). */
    containerName: name(
      'Container of the template from which the pod takes its image and settings.',
    ),
    /** Unknown names are ignored (ROLL-DH7). */
    volumes: list(name('The name of a volume of the template.'), {
      description: 'Volumes of the template that the pod has too; none if not given.',
      max: VOLUMES_MAX,
    }).exactOptional(),
    /** The labels must not match the selector of the Deployment (ROLL-E24). */
    labels: textsByKey('Labels of the pod.', LABEL_CHARACTERS_MAX).exactOptional(),
    annotations: textsByKey('Annotations of the pod.', ANNOTATION_CHARACTERS_MAX).exactOptional(),
    overrides: overridesSchema.exactOptional(),
  },
);

export const hookSchema = z.strictObject({
  /** A failed hook is retried by default (ROLL-DH1, ROLL-DH5). */
  failurePolicy: z
    .enum(['Abort', 'Retry', 'Ignore'])
    .describe('Effect of a failure; Retry if not given.')
    .exactOptional(),
  timeoutSeconds: seconds(
    'Timeout of one attempt in seconds; default: none except progressDeadlineSeconds of the Deployment.',
    1,
    TIMEOUT_SECONDS_MAX,
  ).exactOptional(),
  execNewPod: execNewPodSchema,
});

const pre = hookSchema.describe('Hook before the first new pod.').exactOptional();
const post = hookSchema.describe('Hook after the rollout is complete.').exactOptional();

const kept = (what: string): z.ZodExactOptional<z.ZodInt> =>
  z
    .int()
    .min(0)
    .max(PODS_KEPT_MAX)
    .meta({ description: `Number of hook pods to keep that ${what}.`, format: 'int32' })
    .exactOptional();

export const lifecycleSpecSchema = object('Deployment, and the hooks of its rollouts.', {
  /** If several lifecycles name the Deployment, the oldest one is in charge. */
  deploymentName: name('The Deployment, in the same namespace. It cannot be changed.'),
  /** Hooks of a rolling update: the mid hook is refused, and the post hook cannot abort (ROLL-DH3). */
  rollingUpdate: object('Hooks while the strategy of the Deployment is RollingUpdate.', {
    pre,
    /**
     * Accepted by the schema so that the webhook can reject it with a reason; a server that does not know a field drops
     * it.
     */
    mid: kubernetesObject<JsonObject>(
      'Refused: a rolling update has no mid stage. Use recreate.mid.',
    ).exactOptional(),
    post,
  }).exactOptional(),
  /** Has pre, mid and post hooks, each with any policy (ROLL-DH4). */
  recreate: object('Hooks while the strategy of the Deployment is Recreate.', {
    pre,
    mid: hookSchema
      .describe('Hook after the last old pod is deleted, and before the first new pod.')
      .exactOptional(),
    post,
  }).exactOptional(),
  onAbort: z
    .enum(['Hold', 'Rollback'])
    .describe(
      'Action after an abort. Hold: the new template is held. Rollback: the previous template is restored. Hold if not given.',
    )
    .exactOptional(),
  onDelete: z
    .enum(['Restore', 'Release'])
    .describe(
      'Effect on a held template when this object is deleted. Restore, the default: the last released template is restored. Release: the held template starts without its hooks.',
    )
    .exactOptional(),
  gate: z
    .enum(['Admission', 'PausedAtRest'])
    .describe(
      'Mechanism that holds a new template. Admission, the default: a webhook. PausedAtRest: the Deployment is paused while nothing is rolled out.',
    )
    .exactOptional(),
  /** Limits the number of finished hook pods (ROLL-DH20). */
  podsKept: object(
    'Hook pods to keep after their rollout; if not given, 1 that succeeded and 3 that failed.',
    {
      succeeded: kept('succeeded'),
      failed: kept('failed'),
    },
  ).exactOptional(),
});
