import { chmod, chown, mkdir, symlink } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The functions of the file system that containers need beyond `Files`. */
export interface Trees {
  /** Creates a symbolic link at `path`, and its parent directories. Rejects with EEXIST if the path exists. */
  link(target: string, path: string): Promise<void>;
  /** Sets the mode and the group of a path; without `gid` its group stays. */
  setAccess(path: string, access: { readonly mode: number; readonly gid?: number }): Promise<void>;
}

/** chown(2): keep this id. */
const keepOwner = -1;

export const nodeTrees: Trees = {
  async link(target, path): Promise<void> {
    await mkdir(dirname(path), { recursive: true });
    await symlink(target, path);
  },
  async setAccess(path, { mode, gid }): Promise<void> {
    // The group first: it must not get, even for a moment, access that is meant for another one.
    if (gid !== undefined) await chown(path, keepOwner, gid);
    await chmod(path, mode);
  },
};
