import { type FSWatcher, watch as watchPaths } from 'chokidar';

import type { PathWatch, PathWatching, PathWatchOptions } from './path-watching.ts';

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
    onError(error instanceof Error ? error : new Error(String(error)));
  });
  await new Promise<void>((resolve) => {
    watcher.once('ready', resolve);
  });
  return watcher;
}
