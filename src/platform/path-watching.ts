import { type FSWatcher, watch as watchPaths } from 'chokidar';

import { asError } from './error-text.ts';

/**
 * Being told that something may have changed below some paths. What is told is a hint: it may come twice, late, or for
 * nothing; who needs to be certain looks at the files.
 */
export interface PathWatching {
  /** Resolves when every change from now on will be told of. Paths that are not there yet are waited for. */
  watch(roots: readonly string[], options: PathWatchOptions): Promise<PathWatch>;
}

export interface PathWatchOptions {
  /** Of an absolute path: it is nothing to be told of, with all that is in it where it is a folder. */
  readonly ignored: (path: string) => boolean;
  /** With the absolute path of a file. */
  readonly onHint: (path: string) => void;
  /** Changes may be missed from now on: ENOSPC where the system watches no more files. */
  readonly onError: (error: Error) => void;
}

export interface PathWatch {
  /** Resolves when every later change below these is reported too. */
  add(paths: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** Watching over the package chokidar, which was measured to lose nothing. */
export const nodePathWatching: PathWatching = { watch: (roots, options) => watch(roots, options) };

/** The same by looking again and again, for file systems that tell nothing: of a network, of a virtual machine. */
export function nodePathPolling(intervalMs: number): PathWatching {
  return { watch: (roots, options) => watch(roots, { ...options, intervalMs }) };
}

interface WatchOptions extends PathWatchOptions {
  /** Absent: the system tells. */
  readonly intervalMs?: number;
}

async function watch(roots: readonly string[], options: WatchOptions): Promise<PathWatch> {
  const watchers = [await startedWatcher(roots, options)];
  return {
    add: async (paths) => {
      // A watcher reports only once that it has started, so paths that are added get one of their own.
      watchers.push(await startedWatcher(paths, options));
    },
    close: async () => {
      await Promise.all(watchers.map((one) => one.close()));
    },
  };
}

/** Resolves when the watcher has scanned the roots: it reports only later changes. */
async function startedWatcher(
  roots: readonly string[],
  { ignored, onHint, onError, intervalMs }: WatchOptions,
): Promise<FSWatcher> {
  const watcher: FSWatcher = watchPaths([...roots], {
    ignoreInitial: true,
    // Links out of a project, and in circles, are as the listing of files has it: not followed.
    followSymlinks: false,
    ignored: (path) => ignored(path),
    // An editor's rename over a file, or its removal and new file, is one change of content: who is told looks.
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

/** Calls `press` with each line that the user enters; returns how to stop. */
export type Presses = (press: () => void) => () => void;

/**
 * A PathWatching whose hints are kept back until the user presses a key, and come at once then. At most so many are
 * kept; more of them are told as they come.
 */
export function onPress(watching: PathWatching, presses: Presses): PathWatching {
  return {
    watch: async (roots, options) => {
      const kept = new Set<string>();
      const tell = (): void => {
        const paths = [...kept];
        kept.clear();
        for (const path of paths) options.onHint(path);
      };
      const inner = await watching.watch(roots, {
        ...options,
        onHint: (path) => {
          kept.add(path);
          if (kept.size >= MAX_KEPT) tell();
        },
      });
      const stop = presses(tell);
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
