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
