/** One attempt at an action, as the status of a hook keeps it. */
import type * as z from 'zod';

import type { attemptSchema } from './schema/container-status-schema.ts';

export interface ActionAttempt extends z.output<typeof attemptSchema> {}

export type NotStarted = NonNullable<ActionAttempt['notStarted']>;
