/** The schemas of the hooks and of the cut signal, in snapshots and in guards. */
import * as z from 'zod';

import { list, name, object } from '../../../controller/definitions/field-schemas.ts';
import { recipeSchema } from './action-schema.ts';
import { HOOK_INFOS_MAX } from './limits.ts';
import { targetsSchema } from './target-schema.ts';

export const hookInfoSchema = object(
  'One hook: its actions and its targets. Without targets: the containers that mount the volumes.',
  {
    ...targetsSchema.shape,
    executionHookTemplateName: name(
      'The template, in the same namespace, with the actions of the hook. Exactly one of this field and recipe.',
    ).exactOptional(),
    recipe: recipeSchema.exactOptional(),
  },
);

export const hookInfosSchema = list(hookInfoSchema, {
  description:
    'One ExecutionHook for each entry, in this order. Absent: the hooks in the annotations of the claims, or else none.',
  max: HOOK_INFOS_MAX,
});

export const guardHooksSchema = list(hookInfoSchema, {
  description: 'Hooks that freeze the application, in this order.',
  min: 1,
  max: HOOK_INFOS_MAX,
});

export const cutSignalSchema = z
  .enum(['creationTime', 'readyToUse'])
  .describe(
    'The field that shows that a volume is cut. Default: the annotation of the class, or else creationTime.',
  );
