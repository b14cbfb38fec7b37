import * as fs from 'node:fs/promises';

import { nodeFiles } from './files.ts';
import type { Files } from './platform.ts';

/**
 * Files that nobody misses after a crash: made, replaced and found as others are, but not waited for until they have
 * reached the disk, which takes longer than all the rest.
 */
export const nodeScratchFiles: Files = {
  ...nodeFiles,
  makeFolder: async (path, mode) => {
    const firstCreated = await fs.mkdir(path, { recursive: true, mode });
    // Undoes the umask.
    if (firstCreated !== undefined) await fs.chmod(path, mode);
  },
  create: (path, content, mode) => write({ path, content, mode }),
  replace: async (path, content, { mode }) => {
    const temporary = `${path}.tmp`;
    await fs.rm(temporary, { force: true });
    await write({ path: temporary, content, mode });
    await fs.rename(temporary, path);
  },
};

async function write(file: { path: string; content: string; mode: number }): Promise<void> {
  const handle = await fs.open(file.path, 'wx', file.mode);
  try {
    if (file.content !== '') await handle.writeFile(Buffer.from(file.content, 'latin1'));
    await handle.chmod(file.mode);
  } finally {
    await handle.close();
  }
}
