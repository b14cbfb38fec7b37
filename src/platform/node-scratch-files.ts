import * as fs from 'node:fs';
import { rm } from 'node:fs/promises';

import { describe, nodeFiles } from './files.ts';
import type { Files } from './platform.ts';
import { codeOf, withPath } from './posix-error.ts';

/**
 * Files that are small and may be lost in a crash: the API of `Files`. The calls below do not wait for the disk. They
 * are synchronous, because for a few bytes that takes less time than the way to another thread and back. A hook makes a
 * dozen such calls.
 */
export const nodeScratchFiles: Files = {
  ...nodeFiles,
  stat: async (path) => describe(fs.statSync(path)),
  read: async (path) => read(path),
  makeFolder: async (path, mode) => {
    const firstCreated = fs.mkdirSync(path, { recursive: true, mode });
    // Sets the bits that the umask has removed.
    if (firstCreated !== undefined) fs.chmodSync(path, mode);
  },
  create: async (path, content, mode) => {
    write(path, content, mode);
  },
  replace: async (path, content, { mode }) => {
    const temporary = `${path}.tmp`;
    try {
      write(temporary, content, mode);
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
      // The file is from a process that was killed during its `replace`.
      fs.rmSync(temporary, { force: true });
      write(temporary, content, mode);
    }
    fs.renameSync(temporary, path);
  },
  remove: async (path) => {
    if (!removedFile(path) && !removedSmall(path)) await rm(path, { recursive: true, force: true });
  },
};

/** O_NONBLOCK: if a pipe has replaced the file, the open does not wait for a writer. */
const { O_NONBLOCK, O_RDONLY } = fs.constants;

function read(path: string): string {
  const file = fs.openSync(path, O_RDONLY | O_NONBLOCK);
  try {
    return fs.readFileSync(file, 'latin1');
  } finally {
    fs.closeSync(file);
  }
}

function removedFile(path: string): boolean {
  try {
    fs.unlinkSync(path);
    return true;
  } catch {
    return false;
  }
}

/** Maximum number of names in a directory that is removed synchronously. A larger directory may take any time. */
const SMALL_NAMES = 8;

function removedSmall(path: string): boolean {
  try {
    const names = fs.readdirSync(path);
    if (names.length > SMALL_NAMES) return false;
    for (const name of names) fs.unlinkSync(`${path}/${name}`);
    fs.rmdirSync(path);
    return true;
  } catch {
    return false;
  }
}

function write(path: string, content: string, mode: number): void {
  const file = fs.openSync(path, 'wx', mode);
  try {
    if (content !== '') fs.writeFileSync(file, Buffer.from(content, 'latin1'));
    fs.fchmodSync(file, mode);
  } catch (error) {
    throw withPath(error, path);
  } finally {
    fs.closeSync(file);
  }
}
