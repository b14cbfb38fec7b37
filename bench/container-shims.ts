/** The measured programs of the shim: the native ones, and the same ones built for Node. */
import { execFileSync } from 'node:child_process';
import { open } from 'node:fs/promises';
import { join } from 'node:path';

import type { ContainerWorld } from './container-world.ts';

export interface Shims {
  readonly native: string;
  readonly node: string;
}

/** Copies the programs, so that a build during the benchmark does not affect it. */
export async function copyShims(world: ContainerWorld): Promise<Shims> {
  if (!(await isNative('dist/shim/lifehook-runtime'))) {
    throw new Error(
      'dist/shim has no native programs. Put qjsc on PATH (or name its home as QUICKJS_HOME), then: npm run build:shim',
    );
  }
  execFileSync(process.execPath, ['--import', 'tsx', 'scripts/build-shim.ts', '--node']);
  const wrapperIn = async (folder: string): Promise<string> =>
    join(await world.copyOf(folder), 'lifehook-runtime');
  return { native: await wrapperIn('dist/shim'), node: await wrapperIn('dist/shim-node') };
}

/** True if the program is native: programs for Node begin with `#!`. */
async function isNative(path: string): Promise<boolean> {
  try {
    await using file = await open(path);
    const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return buffer.toString() !== '#!';
  } catch {
    return false;
  }
}
