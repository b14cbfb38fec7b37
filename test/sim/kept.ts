/** A kept test: a seed, and the few of its faults that once violated an invariant. */
import { z } from 'zod';

import type { KeptFault } from './faults.ts';

export interface Kept {
  /** The failure, as a user would describe it. */
  readonly what: string;
  readonly seed: number;
  /** Phase on which the faults of the seed concentrated. It changes the other troubles of the seed. */
  readonly focus?: string | undefined;
  /** The invariant that was violated. */
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
