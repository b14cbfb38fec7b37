import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';

import { nodeArchives } from './node-archives.ts';

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'lifehook-archives-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  return folder;
}

describe('copyFolder', () => {
  it.each([
    ['its only file', ['a']],
    ['the last of its files', ['a', 'b']],
    ['a file below it', ['a', 'c/d']],
  ])('rejects a directory that exceeds the limit by %s', async (_, names) => {
    const folder = makeFolder();
    const from = join(folder, 'from');
    for (const name of names) {
      mkdirSync(join(from, name, '..'), { recursive: true });
      writeFileSync(join(from, name), '12345');
    }
    const bytes = 5 * names.length;
    const copy = (to: string, maxBytes: number): ReturnType<typeof nodeArchives.copyFolder> =>
      nodeArchives.copyFolder(from, join(folder, to), { maxBytes, maxEntries: 10 });
    expect(await copy('enough', bytes)).toMatchObject({ bytes });
    await expect(copy('less', bytes - 1)).rejects.toMatchObject({ code: 'EFBIG' });
  });
});

describe('unpack', () => {
  it('rejects an archive that does not exist', async () => {
    const folder = makeFolder();
    const limits = { maxBytes: 10, maxEntries: 10, whiteouts: false };
    const missing = nodeArchives.unpack(join(folder, 'missing.tar'), folder, limits);
    await expect(missing).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it.each([
    ['ENOTSUP', '28b52ffd00'],
    ['EBADMSG', '425a683931'],
  ])('rejects a compressed archive with %s', async (code, head) => {
    const folder = makeFolder();
    const path = join(folder, 'a.tar');
    writeFileSync(path, Buffer.from(head, 'hex'));
    const limits = { maxBytes: 1_000, maxEntries: 10, whiteouts: false };
    await expect(nodeArchives.unpack(path, folder, limits)).rejects.toMatchObject({ code });
  });
});
