import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { nodePlatform } from '../../../../../src/platform/node-platform.ts';
import { hostPath } from './host-volumes.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lifehook-host-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const find = (name: string, type: string): Promise<string> =>
  hostPath({ path: join(folder, name), type }, nodePlatform.files);

describe('a hostPath', () => {
  it.each(['', 'DirectoryOrCreate'])(
    'of the type %j is created as a directory if it is missing, with its parents',
    async (type) => {
      expect(await find('a/b', type)).toBe(join(folder, 'a/b'));
      const made = await stat(join(folder, 'a/b'));
      expect([made.isDirectory(), made.mode & 0o777]).toEqual([true, 0o755]);
    },
  );

  it('of no type can be a file', async () => {
    await writeFile(join(folder, 'file'), 'x');
    expect(await find('file', '')).toBe(join(folder, 'file'));
    expect((await stat(join(folder, 'file'))).isFile()).toBe(true);
  });

  it('of FileOrCreate is created as a file, but not its parents', async () => {
    await find('file', 'FileOrCreate');
    expect((await stat(join(folder, 'file'))).isFile()).toBe(true);
    await expect(find('a/file', 'FileOrCreate')).rejects.toThrow('cannot be created');
  });

  it.each(['Directory', 'File', 'Socket'])('of %s is refused if it is missing', async (type) => {
    await expect(find('missing', type)).rejects.toThrow(`is not a ${type}`);
  });
});
