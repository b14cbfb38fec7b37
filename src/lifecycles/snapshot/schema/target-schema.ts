/** Schemas of the targets of a hook. */
import * as z from 'zod';

import {
  list,
  name,
  object,
  text,
  textMap,
} from '../../../controller/definitions/field-schemas.ts';
import {
  LABEL_CHARACTERS_MAX,
  NAME_CHARACTERS_MAX,
} from '../../../controller/definitions/value-limits.ts';
import { CONTAINERS_PER_POD_MAX, PODS_MAX } from './limits.ts';

const VALUES_MAX = 100;
const EXPRESSIONS_MAX = 50;
/** Maximum length of a label key: a prefix, a slash and a name. */
const KEY_CHARACTERS_MAX: number = NAME_CHARACTERS_MAX + 1 + LABEL_CHARACTERS_MAX;

const requirement = object('One requirement on a label.', {
  key: text('The key of the label.', KEY_CHARACTERS_MAX).min(1),
  operator: text('In, NotIn, Exists or DoesNotExist.', LABEL_CHARACTERS_MAX),
  values: list(text('One value.', LABEL_CHARACTERS_MAX), {
    description: 'The values of In and NotIn.',
    max: VALUES_MAX,
  }).exactOptional(),
});

export const matchLabelsSchema = textMap(
  'Labels, all of which must be present.',
  LABEL_CHARACTERS_MAX,
);

export const matchExpressionsSchema = list(requirement, {
  description: 'Requirements, all of which must be met.',
  max: EXPRESSIONS_MAX,
});

export const labelSelectorSchema = z.strictObject({
  matchLabels: matchLabelsSchema.exactOptional(),
  matchExpressions: matchExpressionsSchema.exactOptional(),
});

export const podContainerNamesSchema = object('A pod and its containers.', {
  podName: name('The name of the pod.'),
  containerNames: list(name('The name of a container of the pod.'), {
    description: 'The selected containers of the pod.',
    min: 1,
    max: CONTAINERS_PER_POD_MAX,
    list: { type: 'set' },
  }),
});

/** If a list is given, the selectors are ignored (SNAP-R4). */
export const targetsSchema = z.strictObject({
  podContainerNamesList: list(podContainerNamesSchema, {
    description: 'Pods and containers by name. If it is set, the selectors are not used.',
    min: 1,
    max: PODS_MAX,
    list: { type: 'map', keys: ['podName'] },
  }).exactOptional(),
  podSelector: labelSelectorSchema.describe('Selects pods by their labels.').exactOptional(),
  containerSelector: textMap(
    'Selects containers by name. The only key is ContainerName.',
    LABEL_CHARACTERS_MAX,
  ).exactOptional(),
});
