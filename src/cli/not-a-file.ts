/** The problem of a path that must be a regular file, and is something else. */
import type { Stats } from 'node:fs';

import type { Problem } from '../model/problem.ts';

/** `type`: what it is, such as "a pipe". Pure. */
export function notAFile(path: string, type: string): Problem {
  return {
    code: 'LHM021',
    severity: 'error',
    at: { file: path, line: 1, column: 1 },
    message: `${path} must be a regular file, but is ${type}.`,
    next: 'Name a regular file, or put one in its place.',
  };
}

/** The type of a path that is not a regular file, for a message. Pure. */
export function fileType(stats: Stats): string {
  const [, name = 'something else'] = TYPES.find(([isOf]) => stats[isOf]()) ?? [];
  return name;
}

const TYPES = [
  ['isDirectory', 'a directory'],
  ['isFIFO', 'a pipe'],
  ['isSocket', 'a socket'],
  ['isCharacterDevice', 'a device'],
  ['isBlockDevice', 'a device'],
] as const;
