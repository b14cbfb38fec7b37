import { type FSWatcher, watch as watchPaths } from 'chokidar';

import { asError } from './error-text.ts';

/**
 * Reports that something may have changed below some paths. A report may be repeated, late or wrong; a caller that
 * needs certainty reads the files.
 */
export interface PathWatching {
  /** Resolves when every later change will be reported. Paths that do not exist yet are watched too. */
  watch(roots: readonly string[], options: PathWatchOptions): Promise<PathWatch>;
}

export interface PathWatchOptions {
  /** Whether to report nothing for this absolute path, nor for anything in it if it is a directory. */
  readonly ignored: (path: string) => boolean;
  /** Called with the absolute path of a file. */
  readonly onHint: (path: string) => void;
  /** Called when changes may be missed from now on, with ENOSPC if the system can watch no more files. */
  readonly onError: (error: Error) => void;
}

export interface PathWatch {
  /** Resolves when every later change below these paths is reported too. */
  add(paths: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** Watching by the package chokidar, which lost no change in our measurements. */
export const nodePathWatching: PathWatching = { watch: (roots, options) => watch(roots, options) };

/** Watching by polling, for file systems without change events, such as those of a network or a virtual machine. */
export function nodePathPolling(intervalMs: number): PathWatching {
  return { watch: (roots, options) => watch(roots, { ...options, intervalMs }) };
}

interface WatchOptions extends PathWatchOptions {
  /** Polling interval, milliseconds. Absent: no polling, but the change events of the system. */
  readonly intervalMs?: number;
}

async function watch(roots: readonly string[], options: WatchOptions): Promise<PathWatch> {
  const watchers = [await startedWatcher(roots, options)];
  return {
    add: async (paths) => {
      // A watcher reports its start only once, so paths that are added later get a watcher of their own.
      watchers.push(await startedWatcher(paths, options));
    },
    close: async () => {
      await Promise.all(watchers.map((one) => one.close()));
    },
  };
}

/** Starts a watcher. Resolves when it has scanned the roots, since it reports only later changes. */
async function startedWatcher(
  roots: readonly string[],
  { ignored, onHint, onError, intervalMs }: WatchOptions,
): Promise<FSWatcher> {
  const watcher: FSWatcher = watchPaths([...roots], {
    ignoreInitial: true,
    // Links are not followed, as in the listing of files: they may lead out of a project, or in circles.
    followSymlinks: false,
    ignored: (path) => ignored(path),
    // Off: if an editor renames a file over another, or removes and recreates a file, the caller reads the file anyway.
    atomic: false,
    ...(intervalMs !== undefined && {
      usePolling: true,
      interval: intervalMs,
      binaryInterval: intervalMs,
    }),
  });
  watcher.on('all', (event, path) => {
    if (event !== 'addDir' && event !== 'unlinkDir') onHint(path);
  });
  watcher.on('error', (error) => {
    onError(asError(error));
  });
  await new Promise<void>((resolve) => {
    watcher.once('ready', resolve);
  });
  return watcher;
}

/** Calls `press` for each line that the user enters. Returns a function that stops the calls. */
export type Presses = (press: () => void) => () => void;

/**
 * A PathWatching that holds its hints back until the user presses Enter, and then reports all of them. Once it holds
 * MAX_KEPT hints, it reports them without Enter, and holds the next ones again.
 */
export function onPress(watching: PathWatching, presses: Presses): PathWatching {
  return {
    watch: async (roots, options) => {
      const kept = new Set<string>();
      const notify = (): void => {
        const paths = [...kept];
        kept.clear();
        for (const path of paths) options.onHint(path);
      };
      const inner = await watching.watch(roots, {
        ...options,
        onHint: (path) => {
          kept.add(path);
          if (kept.size >= MAX_KEPT) notify();
        },
      });
      const stop = presses(notify);
      return {
        add: (paths) => inner.add(paths),
        close: async () => {
          stop();
          await inner.close();
        },
      };
    },
  };
}

export const MAX_KEPT = 100_000;
