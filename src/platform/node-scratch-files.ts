import * as fs from 'node:fs';
import { rm } from 'node:fs/promises';

import { describe, nodeFiles } from './files.ts';
import type { Files } from './platform.ts';
import { codeOf, withPath } from './posix-error.ts';

/**
 * Small files that may be lost in a crash: the API of `Files` without waiting for the disk. Calls are synchronous: for
 * a file of a few bytes that is shorter than the way to another thread and back, and a hook has a dozen of them.
 */
export const nodeScratchFiles: Files = {
  ...nodeFiles,
  stat: async (path) => describe(fs.statSync(path)),
  read: async (path) => read(path),
  makeFolder: async (path, mode) => {
    const firstCreated = fs.mkdirSync(path, { recursive: true, mode });
    // Undoes the umask.
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
      // Left by a process that was killed meanwhile.
      fs.rmSync(temporary, { force: true });
      write(temporary, content, mode);
    }
    fs.renameSync(temporary, path);
  },
  remove: async (path) => {
    if (!removedFile(path) && !removedSmall(path)) await rm(path, { recursive: true, force: true });
  },
};

/** A file that was replaced by a pipe must not block until a writer opens it. */
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

/** A directory with more names is not removed synchronously: its size is not known. */
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
