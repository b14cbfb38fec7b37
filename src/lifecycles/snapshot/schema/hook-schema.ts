/** Schemas of the spec and the status of an ExecutionHook. */
import * as z from 'zod';

import { conditionsSchema } from '../../../controller/definitions/condition-schema.ts';
import {
  count,
  name,
  seconds,
  time,
  describedText,
} from '../../../controller/definitions/field-schemas.ts';
import {
  actionsSchema,
  lockScopeSchema,
  policySchema,
  rescueSchema,
  resolvedActionSchema,
  words,
} from './action-schema.ts';
import { containerStatusesSchema, releaseCauseSchema } from './container-status-schema.ts';
import { EXPIRATION_SECONDS_MAX, PROBE_SECONDS_MAX } from './limits.ts';
import { targetsSchema } from './target-schema.ts';

export const hookSpecSchema = z
  .strictObject({
    ...targetsSchema.shape,
    ...actionsSchema.shape,
    /** SNAP-G1. */
    executionHookTemplateName: name(
      'The template, in the same namespace, that defines the actions of the hook. Exactly one of this field and actions in the hook itself.',
    ).exactOptional(),
    onNoTarget: z
      .enum(['Fail', 'Ignore'])
      .describe('Outcome if nothing is selected; Fail if not given.')
      .exactOptional(),
  })
  .describe('Targets and actions of the hook.');

/** In one spelling, and never changed afterwards (SNAP-G1, SNAP-I10). Stored before anything runs. */
export const resolvedActionsSchema = z
  .strictObject({
    policy: policySchema,
    preAction: resolvedActionSchema.describe('Action that freezes.'),
    /** Absent: there is nothing to undo, or the session has its own thaw. */
    postAction: resolvedActionSchema.describe('Action that thaws.').exactOptional(),
    probe: z
      .strictObject({
        command: words('The program and its arguments.'),
        timeoutSeconds: seconds('Seconds for one check.', 1, PROBE_SECONDS_MAX),
      })
      .describe('Check whether the freeze is in force.')
      .exactOptional(),
    expirationSeconds: seconds(
      'Maximum seconds from the first preAction to the thaw.',
      1,
      EXPIRATION_SECONDS_MAX,
    ).exactOptional(),
    lockScope: lockScopeSchema.exactOptional(),
    rescue: rescueSchema.exactOptional(),
    /** For messages: "template mysql", "recipe mariadb-lock". */
    origin: describedText('Source of the actions.'),
  })
  .describe('Copy of the actions from the start of the hook; it never changes.');

export const hookStatusSchema = z
  .strictObject({
    observedGeneration: count('metadata.generation that the status is based on.').exactOptional(),
    resolved: resolvedActionsSchema.exactOptional(),
    containerExecutionHookStatuses: containerStatusesSchema.exactOptional(),
    /** Set once, never changed (SNAP-I6). */
    preActionSucceed: z
      .boolean()
      .describe('true: the preAction succeeded on all targets; absent: not decided yet.')
      .exactOptional(),
    postActionSucceed: z
      .boolean()
      .describe('true: every target is thawed; absent: not decided yet.')
      .exactOptional(),
    /** Set once. */
    release: z
      .strictObject({
        cause: releaseCauseSchema.describe('Cause of the thaw.'),
        at: time('Start of the thaw.'),
      })
      .describe('Cause and start of the thaw.')
      .exactOptional(),
    conditions: conditionsSchema.exactOptional(),
  })
  .describe('Observed state of the hook.');
