import { mkdir, symlink } from 'node:fs/promises';
import { dirname } from 'node:path';

import type { Trees } from './trees.ts';

export const nodeTrees: Trees = {
  async link(target, path): Promise<void> {
    await mkdir(dirname(path), { recursive: true });
    await symlink(target, path);
  },
};
