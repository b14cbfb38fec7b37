import { randomBytes, randomInt, randomUUID } from 'node:crypto';

/** Unpredictable, unique values. Production takes them from the kernel; tests use a counter. */
export interface Randomness {
  /** UUID version 4. */
  uuid(): string;
  /** An integer from 0 to less than `limit`. */
  below(limit: number): number;
  /** The given number of random bytes, in hexadecimal. */
  hex(bytes: number): string;
}

const FRACTION_LIMIT = 2 ** 32;

/** A random number from 0 to less than 1, from the kernel; for tokens. */
export function randomFraction(): number {
  return randomInt(FRACTION_LIMIT) / FRACTION_LIMIT;
}

/** The kernel's random numbers. */
export const nodeRandomness: Randomness = {
  uuid: () => randomUUID(),
  below: (limit) => randomInt(limit),
  hex: (bytes) => randomBytes(bytes).toString('hex'),
};
