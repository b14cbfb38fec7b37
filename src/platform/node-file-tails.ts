import { open } from 'node:fs/promises';

import type { FileTails } from './file-tails.ts';
import { codeOf } from './posix-error.ts';

export const nodeFileTails: FileTails = {
  open: async (path) => {
    try {
      const handle = await open(path, 'r');
      const { dev, ino } = await handle.stat();
      return {
        identity: `${dev}:${ino}`,
        read: async (offset, maxBytes) => {
          const buffer = Buffer.alloc(maxBytes);
          const { bytesRead } = await handle.read(buffer, 0, maxBytes, offset);
          return buffer.toString('latin1', 0, bytesRead);
        },
        close: () => handle.close(),
      };
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return null;
      throw error;
    }
  },
};
