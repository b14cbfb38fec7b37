/**
 * The code that few runtime calls need: reading the hook directories, the pattern engine, poststop hooks after a
 * failed create. In the native shim this is a separate program text, loaded on demand:
 * re2js in the main text would delay the start of every call by a millisecond.
 */
import type { ShimHost } from '../../../platform/shim-host.ts';
import { re2Compiler } from '../../../model/re2.ts';
import type { Compile } from '../../../model/pattern.ts';
import {
  buildIndex,
  storeIndex,
  type BuildOptions,
  type BuiltIndex,
} from '../index/build-index.ts';
import { runPoststop } from './failed-create.ts';
import type { Injected } from './inject-hooks.ts';

export function patternEngine(): Compile {
  return re2Compiler();
}

/** Builds the index and stores it if permitted. */
export async function rebuildIndex(
  path: string,
  options: Omit<BuildOptions, 'compile'>,
): Promise<BuiltIndex> {
  const built = await buildIndex({ ...options, compile: re2Compiler() });
  try {
    await storeIndex(options.files, path, built);
  } catch (error) {
    // A user without write access reads the directories each time, and gets the same hooks.
    if (!(error instanceof Error && 'code' in error)) throw error;
  }
  return built;
}

export async function cleanUp(
  host: ShimHost,
  containerId: string,
  injected: Injected,
): Promise<void> {
  await runPoststop(host, containerId, injected);
}
