import { constants, open } from 'node:fs/promises';

import type { ByteText } from './platform.ts';
import { unlessMissing } from './posix-error.ts';

/** Reads files that grow and may be renamed meanwhile, such as logs. */
export interface FileTails {
  /** Opens a file; null: it does not exist. */
  open(path: string): Promise<FileTail | null>;
}

export interface FileTail {
  /** Identifies the file: equal for the same file, even after a rename. */
  readonly identity: string;
  /** The content from this offset on, up to `maxBytes` bytes; '' at the current end of the file. */
  read(offset: number, maxBytes: number): Promise<ByteText>;
  close(): Promise<void>;
}

/** O_NONBLOCK: if a pipe has replaced the file, the open does not wait for a writer. */
const { O_NONBLOCK, O_RDONLY } = constants;

export const nodeFileTails: FileTails = {
  open: async (path) => {
    const handle = await unlessMissing(open(path, O_RDONLY | O_NONBLOCK));
    if (handle === null) return null;
    try {
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
      await handle.close();
      throw error;
    }
  },
};
