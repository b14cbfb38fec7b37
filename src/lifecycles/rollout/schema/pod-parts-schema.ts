/**
 * The schemas of the parts of a hook pod. Fields of Kubernetes objects differ between versions, so they are stored
 * unchanged. The server that creates the pod validates them.
 */
import type {
  Affinity,
  EnvFromSource,
  EnvVarSource,
  ResourceRequirements,
  SecurityContext,
  Toleration,
} from 'kubernetes-types/core/v1.js';
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
  LABEL_CHARACTERS_MAX,
} from '../../../controller/definitions/value-limits.ts';
import {
  ENV_FROM_MAX,
  ENV_MAX,
  GRACE_SECONDS_MAX,
  PULL_SECRETS_MAX,
  TOLERATIONS_MAX,
} from './limits.ts';

/** Labels or annotations, whose values may be empty. */
export function textsByKey(
  description: string,
  charactersMax: number,
): z.ZodRecord<z.ZodString, z.ZodString> {
  return z.record(z.string(), text('Its value.', charactersMax)).describe(description);
}

const envVar = object('One variable.', {
  name: name('Its name.'),
  value: text('Its value.', COMMAND_WORD_CHARACTERS_MAX).exactOptional(),
  valueFrom: kubernetesObject<EnvVarSource>(
    'Source of its value, as in a container.',
  ).exactOptional(),
});

export const envSchema = list(envVar, {
  description:
    'Variables in addition to those of the container. A variable of the same name is replaced.',
  max: ENV_MAX,
});

const pullSecret = object('One Secret.', { name: name('Its name.').exactOptional() });

/** A hook pod inherits these fields from the template, unless the hook overrides them (ROLL-C28). */
export const overridesSchema = object('Fields that replace those of the template.', {
  serviceAccountName: name('Service account of the pod.').exactOptional(),
  nodeSelector: textsByKey(
    'Labels of the nodes on which the pod may run.',
    LABEL_CHARACTERS_MAX,
  ).exactOptional(),
  tolerations: list(kubernetesObject<Toleration>('One toleration, as in a pod.'), {
    description: 'Taints of nodes that the pod tolerates.',
    max: TOLERATIONS_MAX,
  }).exactOptional(),
  affinity: kubernetesObject<Affinity>('Scheduling constraints, as in a pod.').exactOptional(),
  imagePullSecrets: list(pullSecret, {
    description: 'Secrets to pull the image with.',
    max: PULL_SECRETS_MAX,
  }).exactOptional(),
  priorityClassName: name('Name of the priority class.').exactOptional(),
  runtimeClassName: name('Name of the runtime class.').exactOptional(),
  envFrom: list(kubernetesObject<EnvFromSource>('One source, as in a container.'), {
    description: 'Object whose entries all become variables.',
    max: ENV_FROM_MAX,
  }).exactOptional(),
  resources: kubernetesObject<ResourceRequirements>(
    'Resources of its container, as in a pod.',
  ).exactOptional(),
  securityContext: kubernetesObject<SecurityContext>(
    'Security settings of its container.',
  ).exactOptional(),
  terminationGracePeriodSeconds: seconds(
    'Seconds between its TERM and its KILL.',
    0,
    GRACE_SECONDS_MAX,
  ).exactOptional(),
});
