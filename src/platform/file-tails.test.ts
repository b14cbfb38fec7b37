import { execFileSync } from 'node:child_process';
import { type FileHandle, mkdtemp, open, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { nodeFileTails } from './file-tails.ts';
import { posixError } from './posix-error.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lifehook-tails-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

describe('the tail of a file', () => {
  it('is read from any offset, also after the file was renamed', async () => {
    const path = join(folder, 'log');
    await writeFile(path, 'gr\u00FC\u00DFe', 'latin1');
    const tail = await nodeFileTails.open(path);
    await rename(path, `${path}.1`);
    await writeFile(path, 'new');
    const other = await nodeFileTails.open(path);
    const again = await nodeFileTails.open(`${path}.1`);
    expect([await tail?.read(2, 2), await tail?.read(5, 2)]).toEqual(['\u00FC\u00DF', '']);
    expect([again?.identity, other?.identity === tail?.identity]).toEqual([tail?.identity, false]);
    for (const each of [tail, other, again]) await each?.close();
  });

  it('is null for a file that does not exist', async () => {
    expect(await nodeFileTails.open(join(folder, 'none'))).toBeNull();
  });

  it('does not wait for the writer of a pipe that has replaced the file', async () => {
    const path = join(folder, 'pipe');
    execFileSync('mkfifo', [path]);
    const tail = await nodeFileTails.open(path);
    await expect(tail?.read(0, 10)).rejects.toHaveProperty('code', 'ESPIPE');
    await tail?.close();
  });
});

it('is not left open if its identity cannot be read', async () => {
  const path = join(folder, 'log');
  await writeFile(path, '');
  const handle = await open(path);
  const handles = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
  const opened: FileHandle[] = [];
  const stat = vi.spyOn(handles, 'stat').mockImplementation(function fail(this: FileHandle) {
    opened.push(this);
    return Promise.reject(posixError('EIO', 'the disk fails'));
  });
  try {
    await expect(nodeFileTails.open(path)).rejects.toThrow('the disk fails');
  } finally {
    stat.mockRestore();
  }
  // The descriptor of a closed handle is -1.
  expect(opened.map(({ fd }) => fd)).toEqual([-1]);
});
