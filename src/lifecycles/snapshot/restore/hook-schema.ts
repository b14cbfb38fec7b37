/** The schema of a hook of a SnapshotRestore. */
import type {
  EnvVarSource,
  PodSecurityContext,
  ResourceRequirements,
} from 'kubernetes-types/core/v1.js';
import * as z from 'zod';

import {
  flag,
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
} from '../../../controller/definitions/value-limits.ts';
import { recipeSchema } from '../schema/action-schema.ts';
import { CLAIMS_MAX } from '../schema/limits.ts';
import { matchLabelsSchema } from '../schema/target-schema.ts';
import {
  ENV_MAX,
  HOOK_NAME_CHARACTERS_MAX,
  HOOK_SECONDS_MAX,
  HOOKS_PER_STAGE_MAX,
  IMAGE_CHARACTERS_MAX,
  PATH_CHARACTERS_MAX,
  PULL_SECRETS_MAX,
  RETRIES_MAX,
} from './limits.ts';

const word = text('One argument, passed without a shell.', COMMAND_WORD_CHARACTERS_MAX);

/** The replicas are recorded before the workload is scaled to 0, so that they can be restored (SNAP-V9). */
export const scaleSchema = object(
  'Scales a workload to 0, and waits until it has no pods. Only in preRestore.',
  {
    kind: z.enum(['Deployment', 'StatefulSet']).describe('Kind of the workload.'),
    name: name('Name of the workload, in the same namespace.'),
    scaleBack: flag(
      'Whether the earlier replicas are set again at the end; true if not given.',
    ).exactOptional(),
  },
);

export const execSchema = object('Runs a command in a pod that is running.', {
  /** Exactly one of podName and podSelector must be set. */
  podName: name('Name of the pod.').exactOptional(),
  podSelector: object('Labels of the pod. The command runs in the first ready pod by name.', {
    matchLabels: matchLabelsSchema,
  }).exactOptional(),
  containerName: name(
    'Name of the container; if not given, the only container of the pod.',
  ).exactOptional(),
  command: list(word, {
    description: 'The command: a program and its arguments, without a shell.',
    min: 1,
    max: COMMAND_WORDS_MAX,
  }),
});

const mount = object('One restored claim in the pod.', {
  sourceClaimName: name('The claim of which the snapshot was taken.'),
  path: text('Path in the container, absolute or relative to "/".', PATH_CHARACTERS_MAX).min(1),
  readOnly: flag('Whether the claim is mounted read-only.').exactOptional(),
});

const envVar = object('One variable.', {
  name: name('Name of the variable.'),
  value: text('Value of the variable.', COMMAND_WORD_CHARACTERS_MAX).exactOptional(),
  valueFrom: kubernetesObject<EnvVarSource>(
    'Source of the value, as in a container.',
  ).exactOptional(),
});

const pullSecret = object('One Secret.', { name: name('Name of the Secret.').exactOptional() });

export const podSchema = object(
  'Runs a separate pod that mounts the restored claims. Its exit code is the result.',
  {
    image: text('Image of the container.', IMAGE_CHARACTERS_MAX).min(1),
    command: list(word, {
      description: "Command in place of the image's entrypoint, without a shell.",
      min: 1,
      max: COMMAND_WORDS_MAX,
    }).exactOptional(),
    args: list(word, {
      description: "Arguments in place of the image's CMD.",
      max: COMMAND_WORDS_MAX,
    }).exactOptional(),
    recipe: recipeSchema
      .describe('Recipe whose check runs, in place of a command. Only in verify.')
      .exactOptional(),
    mounts: list(mount, {
      description:
        'Restored claims to mount, the one with the data first. If not given: all of them, each at restored/ and the name of its source claim, relative to "/".',
      max: CLAIMS_MAX,
    }).exactOptional(),
    env: list(envVar, {
      description: 'Variables of the container.',
      max: ENV_MAX,
    }).exactOptional(),
    serviceAccountName: name('Service account of the pod.').exactOptional(),
    imagePullSecrets: list(pullSecret, {
      description: 'Secrets to pull the image with.',
      max: PULL_SECRETS_MAX,
    }).exactOptional(),
    securityContext: kubernetesObject<PodSecurityContext>(
      'Security context of the pod.',
    ).exactOptional(),
    resources: kubernetesObject<ResourceRequirements>(
      'Resources of the container.',
    ).exactOptional(),
  },
);

export const restoreHookSchema = object('One hook: exactly one of scale, exec and pod.', {
  name: text('Name, unique within the restore.', HOOK_NAME_CHARACTERS_MAX).min(1),
  scale: scaleSchema.exactOptional(),
  exec: execSchema.exactOptional(),
  pod: podSchema.exactOptional(),
  timeoutSeconds: seconds(
    'Timeout of one attempt in seconds; if not given, that of the recipe, or 300.',
    1,
    HOOK_SECONDS_MAX,
  ).exactOptional(),
  retries: z
    .int()
    .min(0)
    .max(RETRIES_MAX)
    .meta({
      description: 'Maximum number of retries after a failed attempt; 0 if not given.',
      format: 'int32',
    })
    .exactOptional(),
  /** Without it, an attempt with an unknown outcome is not retried (SNAP-V10). */
  idempotent: flag(
    'Whether the hook may run again after an attempt whose outcome is not known.',
  ).exactOptional(),
});

export const hooksSchema = list(restoreHookSchema, {
  description: 'Hooks.',
  max: HOOKS_PER_STAGE_MAX,
});
