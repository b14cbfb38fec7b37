/**
 * Has the code that few runtime calls need: it reads the hook directories, has the pattern engine, and runs poststop
 * hooks after a failed create. The native shim loads it on demand, as a separate program text: re2js in the main text
 * would delay the start of every call by a millisecond.
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
import { formatProblem } from '../../../model/problem.ts';
import { isObject } from '../config/config-text.ts';
import type { Injected } from './inject-hooks.ts';
import { runEntry } from './run-entry.ts';

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
    // A user without write access reads the directories at each call, and gets the same hooks.
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

/**
 * After a failed create the container is destroyed and its poststop hooks run (runtime.md, lifecycle steps 12 and 13).
 * crun skips them, so this runs all poststop hooks of config.json, in order. A failure is a warning.
 */
async function runPoststop(host: ShimHost, containerId: string, injected: Injected): Promise<void> {
  const { bundle, poststop } = injected;
  const state = JSON.stringify({
    ociVersion: bundle.config['ociVersion'],
    id: containerId,
    status: 'stopped',
    bundle: bundle.folder,
    annotations: bundle.config['annotations'],
  });
  for (const [index, hook] of poststop.entries()) {
    if (!isObject(hook)) continue;
    const result = await runEntry(host, hook, {
      runId: 'poststop',
      stdin: state,
      cwd: bundle.folder,
    });
    // The runner has reported its own failure on stderr.
    if (result.stderr.text !== '') host.print('stderr', result.stderr.text);
    if (result.outcome !== 'Succeeded') host.print('stderr', `${failure(index, result.reason)}\n`);
  }
}

function failure(index: number, reason: string): string {
  return formatProblem({
    code: 'LHC316',
    severity: 'warning',
    message: `The poststop hook with index ${index} failed, after the create had failed: ${reason}`,
    next: 'Do its clean-up by hand.',
  });
}
