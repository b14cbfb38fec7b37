/** The local cluster with a state directory on a full file system. */
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { FREE_SPACE } from '../system-advice.ts';
import { runDown } from './down.ts';
import { notStarted } from './start-in-background.ts';

const NEEDS = { tags: ['root', 'linux'] };
const DISK_BYTES = 16_384;

/** Runs the test with the state directory of a cluster that was started before the file system was full. */
async function onFullDisk(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'lifehook-full-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'tmpfs', folder]);
  try {
    await writeFile(join(folder, 'up.log'), '');
    const filling = writeFile(join(folder, 'fill'), 'x'.repeat(4 * DISK_BYTES));
    await expect(filling).rejects.toThrow('ENOSPC');
    await work(folder);
  } finally {
    execFileSync('umount', [folder]);
    await rm(folder, { recursive: true });
  }
}

test('`lifehook down` advises to free space', NEEDS, async () => {
  await onFullDisk(async (folder) => {
    const options = { cluster: 'local', stateDir: folder, thawTimeout: 0, quiet: true };
    await expect(runDown(options)).rejects.toMatchObject({
      problems: [{ code: 'LHA106', next: FREE_SPACE }],
    });
  });
});

test(
  '`lifehook up` advises to free space if its process could not even write a log',
  NEEDS,
  async () => {
    await onFullDisk(async (folder) => {
      const { problems } = notStarted(join(folder, 'up.log'), 'its process exited with code 1');
      expect(problems).toMatchObject([{ code: 'LHA101', next: FREE_SPACE }]);
      expect(problems[0]?.message).toContain('because its file system is full.');
    });
  },
);
