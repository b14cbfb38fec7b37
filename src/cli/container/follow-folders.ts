/**
 * `lifehook oci index --watch`: keeps the index up to date with the hooks directories, so that no runtime call has to
 * read them. If a file becomes invalid, its last valid content stays in the index and a warning is printed.
 */
import process from 'node:process';
import { HookWatch } from '../../lifecycles/container/hooksd/watch.ts';
import { CLOCK_GRAIN_MS } from '../../lifecycles/container/index/hook-index.ts';
import { indexOf } from '../../lifecycles/container/index/build-index.ts';
import { whenAborted } from '../../platform/linked-signal.ts';
import { nodeTimers } from '../../platform/timers.ts';
import { cancelOnSignals } from '../cancel-on-signals.ts';
import { exitCodes } from '../exit-codes.ts';
import { keepIndex, type IndexPlace } from './index-hooks.ts';
import { reportFailure } from '../report-failure.ts';
import { reportProblems } from '../report-problems.ts';

/**
 * Milliseconds until the second build. An index that is built within the clock grain after the last change counts as
 * stale.
 */
const SECOND_MAKING_MS = CLOCK_GRAIN_MS + 500;

/** Keeps the index up to date until a signal arrives. */
export async function followFolders(place: IndexPlace): Promise<number> {
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
