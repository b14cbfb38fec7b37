/**
 * A directory with its missing parents, each made by one call. Node's own `recursive: true` tries for ever where a
 * parent exists and the kernel answers ENOENT all the same, as /proc does.
 */
import * as fs from 'node:fs/promises';
import { dirname } from 'node:path';

import { codeOf } from './posix-error.ts';

/** Resolves with the first directory that was made; undefined: all existed. Rejects as mkdir(2) does. */
export async function makeFolders(path: string, mode: number): Promise<string | undefined> {
  const wanted = [path];
  for (let at = dirname(path); !(await exists(at)); at = dirname(at)) wanted.unshift(at);
  const made: string[] = [];
  for (const one of wanted) if (await makeOne(one, mode)) made.push(one);
  return made[0];
}

async function exists(path: string): Promise<boolean> {
  try {
    await fs.stat(path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

/** false: another process made it. */
async function makeOne(path: string, mode: number): Promise<boolean> {
  try {
    await fs.mkdir(path, { mode });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST' && (await fs.stat(path)).isDirectory()) return false;
    throw error;
  }
}
