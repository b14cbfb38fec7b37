/** `lifehook oci index`: builds the shim's index of the hook directories in the shim's settings. */
import process from 'node:process';
import { extensionTraps } from '../../lifecycles/container/hooksd/extension-traps.ts';
import { re2Compiler } from '../../model/re2.ts';
import type { LoadedSet } from '../../lifecycles/container/hooksd/resolve.ts';
import {
  buildIndex,
  storeIndex,
  type BuildOptions,
  type BuiltIndex,
} from '../../lifecycles/container/index/build-index.ts';
import { indexQuestion } from '../../lifecycles/container/shim/inject-hooks.ts';
import { loadSettings } from '../../lifecycles/container/shim/load-settings.ts';
import { SETTINGS_PATH } from '../../lifecycles/container/shim/runtime-settings.ts';
import { nodeFingerprints } from '../../platform/node-fingerprint.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import { exitCodes } from '../exit-codes.ts';
import { reportProblems } from '../report-problems.ts';
import { ownersHere } from './runtime-containers.ts';

export interface IndexCommandOptions {
  readonly config?: string;
  readonly watch?: boolean;
}

/** The path of the index, and the options of its build. */
export interface IndexPlace {
  readonly path: string;
  readonly options: BuildOptions;
}

export async function runOciIndex({ config, watch }: IndexCommandOptions): Promise<number> {
  const place = await placeOf(config);
  if (watch === true) {
    const { followFolders } = await import('./follow-folders.ts');
    return followFolders(place);
  }
  const built = await buildIndex(place.options);
  await keepIndex(place, built);
  reportProblems([...built.set.problems, ...built.set.active.flatMap(extensionTraps)]);
  if (built.refusals.length === 0) return exitCodes.done;
  process.stderr.write('No container can be created until the errors above are fixed.\n');
  return exitCodes.failed;
}

async function placeOf(config: string | undefined): Promise<IndexPlace> {
  const { files, clock } = nodePlatform;
  const owners = ownersHere();
  // The default configuration file may be missing; one that the user named has to exist.
  if (config !== undefined) await files.stat(config);
  const settings = await loadSettings(files, config ?? SETTINGS_PATH, owners);
  const question = indexQuestion({ settings, owners });
  const world = { files, clock, compile: re2Compiler(), fingerprints: nodeFingerprints };
  return { path: settings.index, options: { ...world, ...question } };
}

/** Stores the index, and prints one line about it. */
export async function keepIndex(
  { path, options }: IndexPlace,
  built: BuiltIndex & { readonly set: LoadedSet },
): Promise<void> {
  await storeIndex(options.files, path, built);
  const { length } = built.set.active;
  const files = `${length} hook file${length === 1 ? '' : 's'}`;
  process.stdout.write(`${path}: ${files} from ${options.folders.join(', ')}\n`);
}
