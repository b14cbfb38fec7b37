/** The evidence about its hooks that a snapshot's status keeps, and its verdict: parts of `kinds.ts`. */
import type * as z from 'zod';

import type { verdictValueSchema } from './schema/judgement-schema.ts';
import type {
  findingSchema,
  hookEvidenceSchema,
  targetEvidenceSchema,
  verdictSchema,
} from './schema/snapshot-schema.ts';

export interface HookEvidence extends z.output<typeof hookEvidenceSchema> {}
export interface HookFinding extends z.output<typeof findingSchema> {}
export interface TargetEvidence extends z.output<typeof targetEvidenceSchema> {}
export interface Verdict extends z.output<typeof verdictSchema> {}
export type VerdictValue = z.output<typeof verdictValueSchema>;
