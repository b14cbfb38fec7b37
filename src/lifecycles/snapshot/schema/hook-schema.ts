/** Schemas of the spec and the status of an ExecutionHook. */
import * as z from 'zod';

import {
  conditionsSchema,
  count,
  describedText,
  flag,
  name,
  object,
  seconds,
  time,
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

export const hookSpecSchema = object('Targets and actions of the hook.', {
  ...targetsSchema.shape,
  ...actionsSchema.shape,
  /** The actions are resolved once, so that a later change of the template has no effect (SNAP-G1). */
  executionHookTemplateName: name(
    'The template, in the same namespace, that defines the actions of the hook. Exactly one of this field and actions in the hook itself.',
  ).exactOptional(),
  onNoTarget: z
    .enum(['Fail', 'Ignore'])
    .describe('Outcome if nothing is selected; Fail if not given.')
    .exactOptional(),
});

/** The actions in one spelling. They are stored before anything runs, and never change (SNAP-G1, SNAP-I10). */
export const resolvedActionsSchema = object(
  'Copy of the actions from the start of the hook; it never changes.',
  {
    policy: policySchema,
    preAction: resolvedActionSchema.describe('Action that freezes.'),
    /** Absent: there is nothing to undo, or the session has its own thaw. */
    postAction: resolvedActionSchema.describe('Action that thaws.').exactOptional(),
    probe: object('Check whether the freeze is in force.', {
      command: words('The program and its arguments.'),
      timeoutSeconds: seconds('Seconds for one check.', 1, PROBE_SECONDS_MAX),
    }).exactOptional(),
    expirationSeconds: seconds(
      'Maximum seconds from the first preAction to the thaw.',
      1,
      EXPIRATION_SECONDS_MAX,
    ).exactOptional(),
    lockScope: lockScopeSchema.exactOptional(),
    rescue: rescueSchema.exactOptional(),
    /** Text for messages, such as "template mysql" or "recipe mariadb-lock". */
    origin: describedText('Source of the actions.'),
  },
);

export const hookStatusSchema = object('Observed state of the hook.', {
  observedGeneration: count('metadata.generation that the status is based on.').exactOptional(),
  resolved: resolvedActionsSchema.exactOptional(),
  containerExecutionHookStatuses: containerStatusesSchema.exactOptional(),
  /** Set once, never changed (SNAP-I6). */
  preActionSucceed: flag(
    'true: the preAction succeeded on all targets; absent: not decided yet.',
  ).exactOptional(),
  postActionSucceed: flag('true: every target is thawed; absent: not decided yet.').exactOptional(),
  /** Set once, and never changed. */
  release: object('Cause and start of the thaw.', {
    cause: releaseCauseSchema.describe('Cause of the thaw.'),
    at: time('Start of the thaw.'),
  }).exactOptional(),
  /** Set once, and never changed (SNAP-S8). */
  cutToken: describedText(
    'Token of the first annotation that reported the cut and on which the hook acted.',
  ).exactOptional(),
  conditions: conditionsSchema.exactOptional(),
});
