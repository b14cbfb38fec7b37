import { chmod, chown, mkdir, symlink } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The functions of the file system that containers need beyond `Files`. */
export interface Trees {
  /** Creates a symbolic link at `path`, and its parent directories. Rejects with EEXIST if the path exists. */
  link(target: string, path: string): Promise<void>;
  /** Sets the mode and the group of a path. Without `gid` the group does not change. */
  setAccess(path: string, access: { readonly mode: number; readonly gid?: number }): Promise<void>;
}

/** chown(2): do not change this id. */
const keepOwner = -1;

export const nodeTrees: Trees = {
  async link(target, path): Promise<void> {
    await mkdir(dirname(path), { recursive: true });
    await symlink(target, path);
  },
  async setAccess(path, { mode, gid }): Promise<void> {
    // The group is set first: the old group must not get, even for a moment, access that is meant for the new one.
    if (gid !== undefined) await chown(path, keepOwner, gid);
    await chmod(path, mode);
  },
};
