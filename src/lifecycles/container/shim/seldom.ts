/**
 * What few runtime calls need: reading the hook folders, the pattern engine, poststop hooks after a
 * failed create. In the native shim this is a program text of its own that is loaded when it is asked
 * for: with re2js in it the start of every call would take a millisecond longer.
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

/** Builds the index and, where that is allowed, stores it. */
export async function rebuildIndex(
  path: string,
  options: Omit<BuildOptions, 'compile'>,
): Promise<BuiltIndex> {
  const built = await buildIndex({ ...options, compile: re2Compiler() });
  try {
    await storeIndex(options.files, path, built);
  } catch (error) {
    // Who may not write there pays for the reading each time, and has the same hooks.
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
