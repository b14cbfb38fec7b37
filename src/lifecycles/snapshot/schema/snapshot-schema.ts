/** The schema of the spec of an ApplicationSnapshot. */
import * as z from 'zod';

import { exact } from '../../../controller/definitions/exact-schema.ts';
import { list, name, seconds } from '../../../controller/definitions/field-schemas.ts';
import type { ApplicationSnapshotSpec, ExecutionHookInfo } from '../kinds.ts';
import { recipeSchema } from './action-schema.ts';
import { CLAIMS_MAX, CUT_DEADLINE_SECONDS_MAX, HOOK_INFOS_MAX } from './limits.ts';
import { matchExpressionsSchema, matchLabelsSchema, targetFields } from './target-schema.ts';

type Source = ApplicationSnapshotSpec['source'];

const selector = exact<NonNullable<Source['selector']>>()(
  z
    .strictObject({
      matchLabels: matchLabelsSchema.exactOptional(),
      matchExpressions: matchExpressionsSchema
        .describe('Refused: group snapshots pass over them. Select by matchLabels.')
        .exactOptional(),
    })
    .describe('Selects claims by their labels.'),
);

const source = exact<Source>()(
  z
    .strictObject({
      persistentVolumeClaimNames: list(name('The name of a claim.'), {
        description: 'Claims by name.',
        min: 1,
        max: CLAIMS_MAX,
        list: { type: 'set' },
      }).exactOptional(),
      selector: selector.exactOptional(),
    })
    .describe('Which volumes: exactly one of the two.'),
);

const hookInfo = exact<ExecutionHookInfo>()(
  z
    .strictObject({
      ...targetFields,
      executionHookTemplateName: name(
        'The template, in the same namespace, that says what the hook does. Or a recipe: exactly one of the two.',
      ).exactOptional(),
      recipe: recipeSchema.exactOptional(),
    })
    .describe(
      'One hook: what it does, and for whom. With no targets, for whoever mounts the volumes.',
    ),
);

export const hookInfosSchema: z.ZodType<ExecutionHookInfo[]> = list(hookInfo, {
  description:
    "One ExecutionHook each, in this order. Absent: what the claims' annotation says, else none.",
  max: HOOK_INFOS_MAX,
});

export const cutSignalSchema: z.ZodType<NonNullable<ApplicationSnapshotSpec['cutSignal']>> = exact<
  NonNullable<ApplicationSnapshotSpec['cutSignal']>
>()(
  z
    .enum(['creationTime', 'readyToUse'])
    .describe(
      "What says that a volume is cut; if not given the class's annotation, or creationTime.",
    ),
);

export const snapshotSpecSchema: z.ZodType<ApplicationSnapshotSpec> =
  exact<ApplicationSnapshotSpec>()(
    z
      .strictObject({
        source,
        mode: z
          .enum(['Single', 'Group'])
          .describe(
            'Group: one VolumeGroupSnapshot, which needs the selector. Single if not given.',
          )
          .exactOptional(),
        volumeSnapshotClassName: name(
          'The class of the snapshots; the default class if not given.',
        ).exactOptional(),
        volumeGroupSnapshotClassName: name(
          'The class of the group snapshot; the default class if not given.',
        ).exactOptional(),
        executionHookInfos: hookInfosSchema.exactOptional(),
        cutDeadlineSeconds: seconds(
          'From the creation of the snapshots to the cut of the last; 60 if not given.',
          1,
          CUT_DEADLINE_SECONDS_MAX,
        ).exactOptional(),
        cutSignal: cutSignalSchema.exactOptional(),
      })
      .describe('What is to be snapshot, and how it is frozen meanwhile.'),
  );
