import { chmod, chown, mkdir, symlink } from 'node:fs/promises';
import { dirname } from 'node:path';

/** What containers need of the file system beyond `Files`. */
export interface Trees {
  /** A symbolic link at `path`; the folders above it are made. Fails with EEXIST when something is there. */
  link(target: string, path: string): Promise<void>;
  /** Gives what is there this mode, and to this group; without one its group stays. */
  setAccess(path: string, access: { readonly mode: number; readonly gid?: number }): Promise<void>;
}

/** chown(2): this one stays as it is. */
const keepOwner = -1;

export const nodeTrees: Trees = {
  async link(target, path): Promise<void> {
    await mkdir(dirname(path), { recursive: true });
    await symlink(target, path);
  },
  async setAccess(path, { mode, gid }): Promise<void> {
    // The group first: it must not have, even for a moment, what was meant for another one.
    if (gid !== undefined) await chown(path, keepOwner, gid);
    await chmod(path, mode);
  },
};
