/** Digests of content, and authentication codes with a secret. Pure arithmetic. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** Returns hexadecimal digits. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Returns hexadecimal digits. */
export function hmacSha256(key: string, text: string): string {
  return createHmac('sha256', key).update(text).digest('hex');
}

/** HMAC with SHA-256, in base64. */
export function hmacSha256Base64(key: Uint8Array, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64');
}

/** Compares two secrets in constant time. */
export function isSameSecret(expected: string, received: string): boolean {
  const one = Buffer.from(expected);
  const other = Buffer.from(received);
  return one.length === other.length && timingSafeEqual(one, other);
}
