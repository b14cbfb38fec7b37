import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { nodeFiles } from './files.ts';
import { nodeScratchFiles } from './node-scratch-files.ts';
import type { Files } from './platform.ts';

test('replace sets the owner and keeps the bits that chown clears', { tags: 'root' }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lifehook-files-'));
  try {
    const path = join(folder, 'tool');
    await nodeFiles.replace(path, '', { mode: 0o4755, uid: 12_345, gid: 54_321 });
    expect(await nodeFiles.stat(path)).toMatchObject({ mode: 0o4755, uid: 12_345, gid: 54_321 });
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('a directory is refused where the kernel makes none', { tags: 'linux' }, async () => {
  await expect(nodeFiles.makeFolder('/proc/lifehook/below', 0o700)).rejects.toThrow(/ENOENT/);
});

const DISK_BYTES = 16_384;

/** Runs the test in a file system of a few pages, which is soon full. */
async function onSmallDisk(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'lifehook-full-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'tmpfs', folder]);
  try {
    await work(folder);
  } finally {
    execFileSync('umount', [folder]);
    await rm(folder, { recursive: true });
  }
}

const TOO_MUCH = 'x'.repeat(4 * DISK_BYTES);

test.each([
  [
    'replace',
    nodeFiles,
    (files: Files, path: string) => files.replace(path, TOO_MUCH, { mode: 0o600 }),
  ],
  ['create', nodeFiles, (files: Files, path: string) => files.create(path, TOO_MUCH, 0o600)],
  [
    'append',
    nodeFiles,
    async (files: Files, path: string) => {
      const file = await files.openAppend(path, 0o600);
      try {
        await file.write(TOO_MUCH);
      } finally {
        await file.close();
      }
    },
  ],
  [
    'create a scratch file',
    nodeScratchFiles,
    (files: Files, path: string) => files.create(path, TOO_MUCH, 0o600),
  ],
] as const)(
  '%s names the path when the disk is full',
  { tags: ['root', 'linux'] },
  async (...given) => {
    const [, files, work] = given;
    await onSmallDisk(async (folder) => {
      const path = join(folder, 'file');
      await expect(work(files, path)).rejects.toMatchObject({
        code: 'ENOSPC',
        message: expect.stringContaining(path) as unknown,
      });
    });
  },
);
