/** Names for contents, and proofs that need a secret. Pure arithmetic. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** Hex. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Hex. */
export function hmacSha256(key: string, text: string): string {
  return createHmac('sha256', key).update(text).digest('hex');
}

/** Takes as long for a wrong answer as for a right one. */
export function isSameSecret(expected: string, received: string): boolean {
  const one = Buffer.from(expected);
  const other = Buffer.from(received);
  return one.length === other.length && timingSafeEqual(one, other);
}
