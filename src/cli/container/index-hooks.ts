/**
 * `lifehook oci index`: builds the shim's index of the hook directories in the shim's settings. With `--watch` it keeps
 * the index up to date with the directories, so that no runtime call has to read them. If a file becomes invalid, its
 * last valid content stays in the index and a warning is printed.
 */
import process from 'node:process';
import { extensionTraps } from '../../lifecycles/container/hooksd/extension-traps.ts';
import { re2Compiler } from '../../model/re2.ts';
import type { LoadedSet } from '../../lifecycles/container/hooksd/resolve.ts';
import { HookWatch } from '../../lifecycles/container/hooksd/watch.ts';
import {
  buildIndex,
  type BuildOptions,
  type BuiltIndex,
  indexOf,
  storeIndex,
} from '../../lifecycles/container/index/build-index.ts';
import { CLOCK_GRAIN_MS } from '../../lifecycles/container/index/hook-index.ts';
import { indexQuestion } from '../../lifecycles/container/shim/inject-hooks.ts';
import { loadSettings } from '../../lifecycles/container/shim/load-settings.ts';
import { SETTINGS_PATH } from '../../lifecycles/container/shim/runtime-settings.ts';
import { whenAborted } from '../../platform/linked-signal.ts';
import { nodeFingerprints } from '../../platform/node-fingerprint.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import { nodeTimers } from '../../platform/timers.ts';
import { cancelOnSignals } from '../cancel-on-signals.ts';
import { exitCodes } from '../exit-codes.ts';
import { reportFailure } from '../report-failure.ts';
import { reportProblems } from '../report-problems.ts';
import { ownersHere } from './runtime-containers.ts';

export interface IndexCommandOptions {
  readonly config?: string;
  readonly watch?: boolean;
}

/** The path of the index, and the options of its build. */
interface IndexPlace {
  readonly path: string;
  readonly options: BuildOptions;
}

export async function runOciIndex({ config, watch }: IndexCommandOptions): Promise<number> {
  const place = await placeOf(config);
  if (watch === true) return followFolders(place);
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

/**
 * Milliseconds until the second build. An index that is built within the clock grain after the last change counts as
 * stale.
 */
const SECOND_MAKING_MS = CLOCK_GRAIN_MS + 500;

/** Keeps the index up to date until a signal arrives. */
async function followFolders(place: IndexPlace): Promise<number> {
  const { options } = place;
  const end = cancelOnSignals();
  let callOff = (): void => {};
  const make = (): void => {
    // The watch read the files a little earlier. A change after that is younger than the clock grain, because the watch
    // polls every second. The index then counts as stale, and the next reload builds it again.
    const builtAtMs = options.clock.nowMs();
    indexOf(watch.current, { ...options, builtAtMs })
      .then((built) => keepIndex(place, built))
      .catch((error: unknown) => {
        reportFailure(error);
      });
  };
  const makeTwice = (): void => {
    make();
    callOff();
    callOff = nodeTimers.after(SECOND_MAKING_MS, make);
  };
  const watch = await HookWatch.start({
    scan: options,
    fingerprints: options.fingerprints,
    timers: nodeTimers,
    onReload: makeTwice,
    onAlarm: reportProblems,
  });
  reportProblems(watch.current.problems);
  makeTwice();
  process.stdout.write(`watching ${options.folders.join(', ')}: stop with SIGINT or SIGTERM\n`);
  await whenAborted(end);
  watch.stop();
  callOff();
  return exitCodes.done;
}

/** Stores the index, and prints one line about it. */
async function keepIndex(
  { path, options }: IndexPlace,
  built: BuiltIndex & { readonly set: LoadedSet },
): Promise<void> {
  await storeIndex(options.files, path, built);
  const { length } = built.set.active;
  const files = `${length} hook file${length === 1 ? '' : 's'}`;
  process.stdout.write(`${path}: ${files} from ${options.folders.join(', ')}\n`);
}
