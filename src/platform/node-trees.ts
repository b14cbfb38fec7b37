import { chmod, chown, mkdir, symlink } from 'node:fs/promises';
import { dirname } from 'node:path';

import type { Trees } from './trees.ts';

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
