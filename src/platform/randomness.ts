import { randomBytes, randomInt, randomUUID } from 'node:crypto';

/** What nobody can guess or repeat: production asks the kernel, tests count. */
export interface Randomness {
  /** Version 4. */
  uuid(): string;
  /** 0 or more, less than `limit`. */
  below(limit: number): number;
  /** So many bytes in hexadecimal. */
  hex(bytes: number): string;
}

/** The kernel's. */
export const nodeRandomness: Randomness = {
  uuid: () => randomUUID(),
  below: (limit) => randomInt(limit),
  hex: (bytes) => randomBytes(bytes).toString('hex'),
};
