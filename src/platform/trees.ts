/** What containers need of the file system beyond `Files`. */
export interface Trees {
  /** A symbolic link at `path`; the folders above it are made. Fails with EEXIST when something is there. */
  link(target: string, path: string): Promise<void>;
}
