import { lstat, mkdtemp, readdir, readFile, readlink, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { nodePlatform } from '../../../../../src/platform/node-platform.ts';
import { nodeTrees } from '../../../../../src/platform/trees.ts';
import type { VolumeFile } from './volume-files.ts';
import { writeVolume } from './pod-volumes.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lifehook-volume-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const file = (path: string, text: string, mode: number = 0o644): VolumeFile => ({
  path,
  content: new TextEncoder().encode(text),
  mode,
});

const write = (...content: readonly VolumeFile[]): Promise<void> =>
  writeVolume({ files: nodePlatform.files, trees: nodeTrees, folder, group: null }, content);

describe('writeVolume', () => {
  it('writes every file behind one symbolic link, with its bytes and its mode', async () => {
    await write(file('plain', 'ä\n'), file('deep/er/file', 'x', 0o400));
    expect(await readFile(join(folder, 'plain'), 'utf8')).toBe('ä\n');
    expect((await stat(join(folder, 'deep/er/file'))).mode & 0o777).toBe(0o400);
    expect(await readlink(join(folder, 'plain'))).toBe('..data/plain');
    expect(await readlink(join(folder, 'deep'))).toBe('..data/deep');
  });

  it('replaces all files by a change of that link, and removes the old ones', async () => {
    await write(file('a', 'old'), file('gone', 'old'));
    const before = await readlink(join(folder, '..data'));
    await write(file('a', 'new'), file('come', 'new'));
    const after = await readlink(join(folder, '..data'));
    expect(after).not.toBe(before);
    expect((await readdir(folder)).toSorted()).toEqual([after, '..data', 'a', 'come'].toSorted());
    expect(await readFile(join(folder, 'a'), 'utf8')).toBe('new');
  });

  it('completes after a crash in the middle of a change', async () => {
    await write(file('a', 'old'));
    await nodeTrees.link('..9', join(folder, '..data_next'));
    await nodePlatform.files.makeFolder(join(folder, '..9'), 0o755);
    await write(file('a', 'new'));
    expect(await readFile(join(folder, 'a'), 'utf8')).toBe('new');
    await expect(lstat(join(folder, '..9'))).rejects.toThrow('ENOENT');
  });

  it('removes all files when the content is empty', async () => {
    await write(file('a', 'old'));
    await write();
    expect((await readdir(folder)).filter((name) => !name.startsWith('..'))).toEqual([]);
  });
});
