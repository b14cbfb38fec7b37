import { randomBytes, randomInt, randomUUID } from 'node:crypto';

import type { Randomness } from './randomness.ts';

/** The kernel's. */
export const nodeRandomness: Randomness = {
  uuid: () => randomUUID(),
  below: (limit) => randomInt(limit),
  hex: (bytes) => randomBytes(bytes).toString('hex'),
};
