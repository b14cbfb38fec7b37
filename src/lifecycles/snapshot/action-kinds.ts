/** The kinds of one action of a hook, and of the lifetime of its freeze: parts of `kinds.ts`. */
import type * as z from 'zod';

import type {
  actionSchema,
  lockScopeSchema,
  rescueSchema,
  resolvedActionSchema,
  sessionSchema,
} from './schema/action-schema.ts';

export interface HookAction extends z.output<typeof actionSchema> {}
export interface SessionAction extends z.output<typeof sessionSchema> {}
export interface ResolvedAction extends z.output<typeof resolvedActionSchema> {}
export interface Rescue extends z.output<typeof rescueSchema> {}
export type LockScope = z.output<typeof lockScopeSchema>;

/** The parts of a pod's spec that a rescue pod copies: fields of a PodSpec, and one `container`. */
export type RescueSource = Record<string, unknown>;
