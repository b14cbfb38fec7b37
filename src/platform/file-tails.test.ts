import { execFileSync } from 'node:child_process';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { nodeFileTails } from './file-tails.ts';

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
