/** Schemas of the spec and the status of an ExecutionHook. */
import * as z from 'zod';

import { conditionsSchema } from '../../../controller/definitions/condition-schema.ts';
import { exact } from '../../../controller/definitions/exact-schema.ts';
import { count, name, seconds, time, told } from '../../../controller/definitions/field-schemas.ts';
import type { ExecutionHookSpec, ExecutionHookStatus, ResolvedActions } from '../kinds.ts';
import {
  actionFields,
  lockScopeSchema,
  policySchema,
  rescueSchema,
  resolvedActionSchema,
  words,
} from './action-schema.ts';
import { containerStatusesSchema, releaseCauseSchema } from './container-status-schema.ts';
import { EXPIRATION_SECONDS_MAX, PROBE_SECONDS_MAX } from './limits.ts';
import { targetFields } from './target-schema.ts';

export const hookSpecSchema: z.ZodType<ExecutionHookSpec> = exact<ExecutionHookSpec>()(
  z
    .strictObject({
      ...targetFields,
      ...actionFields,
      executionHookTemplateName: name(
        'The template, in the same namespace, that says what the hook does. Or it says so itself: exactly one of the two.',
      ).exactOptional(),
      onNoTarget: z
        .enum(['Fail', 'Ignore'])
        .describe('What it means that nothing is selected; Fail if not given.')
        .exactOptional(),
    })
    .describe('Whom the hook is for, and what it does.'),
);

const resolved = exact<ResolvedActions>()(
  z
    .strictObject({
      policy: policySchema,
      preAction: resolvedActionSchema.describe('What freezes.'),
      postAction: resolvedActionSchema.describe('What thaws.').exactOptional(),
      probe: z
        .strictObject({
          command: words('The program and its arguments.'),
          timeoutSeconds: seconds('Of one question.', 1, PROBE_SECONDS_MAX),
        })
        .describe('Asks whether the freeze is in force.')
        .exactOptional(),
      expirationSeconds: seconds(
        'The longest time from the first preAction to the thaw.',
        1,
        EXPIRATION_SECONDS_MAX,
      ).exactOptional(),
      lockScope: lockScopeSchema.exactOptional(),
      rescue: rescueSchema.exactOptional(),
      origin: told('Where they come from.'),
    })
    .describe('The actions as they were when the hook began; nothing changes them from then on.'),
);

export const hookStatusSchema: z.ZodType<ExecutionHookStatus> = exact<ExecutionHookStatus>()(
  z
    .strictObject({
      observedGeneration: count('The generation that this was judged on.').exactOptional(),
      resolved: resolved.exactOptional(),
      containerExecutionHookStatuses: containerStatusesSchema.exactOptional(),
      preActionSucceed: z
        .boolean()
        .describe('Whether the preAction has succeeded on all targets; absent: not decided.')
        .exactOptional(),
      postActionSucceed: z
        .boolean()
        .describe('Whether every target is thawed; absent: not decided.')
        .exactOptional(),
      release: z
        .strictObject({
          cause: releaseCauseSchema.describe('Why.'),
          at: time('When.'),
        })
        .describe('Why the thaw began, and when.')
        .exactOptional(),
      conditions: conditionsSchema.exactOptional(),
    })
    .describe('What has happened.'),
);
