/** What containers need of the file system beyond `Files`. */
export interface Trees {
  /** A symbolic link at `path`; the folders above it are made. Fails with EEXIST when something is there. */
  link(target: string, path: string): Promise<void>;
  /** Gives what is there this mode, and to this group; without one its group stays. */
  setAccess(path: string, access: { readonly mode: number; readonly gid?: number }): Promise<void>;
}
