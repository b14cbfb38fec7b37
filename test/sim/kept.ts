/** A kept test: a seed with the few of its faults that once broke an invariant. */
import { z } from 'zod';

import type { KeptFault } from './faults.ts';

export interface Kept {
  /** The failure, as a user would describe it. */
  readonly what: string;
  readonly seed: number;
  /** The phase on which the seed concentrated, which changes its other troubles. */
  readonly focus?: string | undefined;
  /** The broken invariant. */
  readonly invariant: string;
  readonly faults: readonly KeptFault[];
}

export const keptSchema: z.ZodType<Kept> = z.strictObject({
  what: z.string(),
  seed: z.number(),
  focus: z.string().optional(),
  invariant: z.string(),
  faults: z.array(z.strictObject({ id: z.string(), dice: z.string() })),
});
