import { mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { nodeFiles } from '../../../platform/files.ts';
import { type ContainerFolder, readPart, writePartIf } from './container-folder.ts';

async function makeContainerFolder(): Promise<ContainerFolder> {
  const root = await mkdtemp(join(tmpdir(), 'lifehook-folder-'));
  onTestFinished(() => rm(root, { recursive: true }));
  const path = join(root, 'web');
  await nodeFiles.makeFolder(path, 0o700);
  return { path, files: nodeFiles };
}

const STARTED = { part: 'started', value: { atMs: 1 }, draft: '7-1' } as const;

describe('writePartIf', () => {
  it('writes the part if it may', async () => {
    const folder = await makeContainerFolder();
    expect(await writePartIf(folder, STARTED, () => Promise.resolve(true))).toBe(true);
    expect(await readPart(folder, 'started')).toEqual({ atMs: 1 });
    expect(await readdir(folder.path)).toEqual(['started.json']);
  });

  it('leaves no file behind if it may not', async () => {
    const folder = await makeContainerFolder();
    expect(await writePartIf(folder, STARTED, () => Promise.resolve(false))).toBe(false);
    expect(await readdir(folder.path)).toEqual([]);
  });

  it('OCI-V3: writes nothing into a directory that has replaced its own one', async () => {
    const folder = await makeContainerFolder();
    const replaced = async (): Promise<boolean> => {
      await rename(folder.path, `${folder.path}-deleted`);
      await nodeFiles.makeFolder(folder.path, 0o700);
      return true;
    };
    expect(await writePartIf(folder, STARTED, replaced)).toBe(false);
    expect(await readdir(folder.path)).toEqual([]);
  });

  it('writes nothing if its directory was deleted before', async () => {
    const folder = await makeContainerFolder();
    await rm(folder.path, { recursive: true });
    expect(await writePartIf(folder, STARTED, () => Promise.resolve(true))).toBe(false);
  });
});
