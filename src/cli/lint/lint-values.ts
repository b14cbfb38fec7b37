/** Values of the options of `lifehook lint`. */
import { InvalidArgumentError } from 'commander';

/** "1.28" or "v1.28.3": its minor number. */
export function parseServerVersion(text: string): number {
  const [, minor] = /^v?1\.(\d{1,3})(?:[.+-].*)?$/.exec(text) ?? [];
  if (minor === undefined) throw new InvalidArgumentError('A server version is like 1.28.');
  return Number(minor);
}

export function parseSeconds(text: string): number {
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Seconds are a whole number.');
}
