import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { nodeFiles } from './files.ts';

let folder = '';

beforeEach(async () => {
  // The real path, since the kernel names open files by paths without symbolic links.
  folder = await fs.realpath(await fs.mkdtemp(join(tmpdir(), 'lifehook-files-')));
});

afterEach(async () => {
  await fs.rm(folder, { recursive: true, force: true });
});

const everyByte = String.fromCharCode(...Array.from({ length: 256 }, (_, byte) => byte));

describe('replace', () => {
  test('keeps every byte and sets the given mode under any umask', async () => {
    const path = join(folder, 'config.json');
    const umask = process.umask(0o077);
    try {
      await nodeFiles.replace(path, everyByte, { mode: 0o664 });
    } finally {
      process.umask(umask);
    }
    expect([...(await fs.readFile(path))]).toEqual(Array.from({ length: 256 }, (_, byte) => byte));
    expect((await nodeFiles.stat(path)).mode).toBe(0o664);
  });

  test('creates a new file under the name, so that open readers keep the old one', async () => {
    const path = join(folder, 'config.json');
    await fs.writeFile(path, 'old');
    const reader = await fs.open(path, 'r');
    const before = await nodeFiles.stat(path);
    await nodeFiles.replace(path, 'new', { mode: 0o600 });
    expect(await reader.readFile('utf8')).toBe('old');
    await reader.close();
    expect((await nodeFiles.stat(path)).inode).not.toBe(before.inode);
    expect(await nodeFiles.read(path)).toBe('new');
  });

  test('keeps the old file and no temporary file when the owner cannot be set', async () => {
    const path = join(folder, 'config.json');
    await fs.writeFile(path, 'old');
    const impossibleOwner = { mode: 0o600, uid: -7 };
    await expect(nodeFiles.replace(path, 'new', impossibleOwner)).rejects.toThrow(/uid/);
    expect(await fs.readdir(folder)).toEqual(['config.json']);
    expect(await nodeFiles.read(path)).toBe('old');
  });

  test('works with a file name of 255 bytes', async () => {
    const path = join(folder, 'n'.repeat(255));
    await nodeFiles.replace(path, 'x', { mode: 0o600 });
    expect(await nodeFiles.read(path)).toBe('x');
  });

  test('refuses text with characters above one byte', async () => {
    const path = join(folder, 'config.json');
    await expect(nodeFiles.replace(path, 'Ω', { mode: 0o600 })).rejects.toThrow(/ByteText/);
    expect(await fs.readdir(folder)).toEqual([]);
  });
});

describe('create', () => {
  test('fails with EEXIST and keeps the existing file', async () => {
    const path = join(folder, 'lock');
    await nodeFiles.create(path, 'first', 0o640);
    await expect(nodeFiles.create(path, 'second', 0o640)).rejects.toMatchObject({ code: 'EEXIST' });
    expect(await nodeFiles.read(path)).toBe('first');
    expect((await nodeFiles.stat(path)).mode).toBe(0o640);
  });
});

describe('openAppend', () => {
  test('appends UTF-8 text to an existing file, also after a truncation', async () => {
    const path = join(folder, 'journal');
    const first = await nodeFiles.openAppend(path, 0o600);
    await first.write('one\nté');
    await first.sync();
    await first.close();
    await nodeFiles.truncate(path, 4);
    const second = await nodeFiles.openAppend(path, 0o644);
    await second.write('two\n');
    await second.close();
    expect(await fs.readFile(path, 'utf8')).toBe('one\ntwo\n');
    expect((await nodeFiles.stat(path)).mode).toBe(0o600);
  });

  test('makes each write durable on request', async () => {
    const path = join(folder, 'journal');
    const file = await nodeFiles.openAppend(path, 0o600, 'durable');
    try {
      await file.write('one\nté');
      await file.write('two\n');
      expect(await fs.readFile(path, 'utf8')).toBe('one\ntétwo\n');
      if (process.platform === 'linux') expect(await flagsOf(path)).toBe(DURABLE_APPEND);
    } finally {
      await file.close();
    }
  });
});

const { O_APPEND, O_DSYNC, O_WRONLY } = fs.constants;
const DURABLE_APPEND = O_WRONLY | O_APPEND | O_DSYNC;

/** The flags that the kernel reports for this process's descriptor of a file. */
async function flagsOf(path: string): Promise<number> {
  for (const fd of await fs.readdir('/proc/self/fd')) {
    const target = await fs.readlink(`/proc/self/fd/${fd}`).catch(() => '');
    if (target !== path) continue;
    const [, flags = '0'] =
      /^flags:\s+(\d+)$/m.exec(await fs.readFile(`/proc/self/fdinfo/${fd}`, 'utf8')) ?? [];
    return Number.parseInt(flags, 8) & DURABLE_APPEND;
  }
  throw new Error(`${path} is not open`);
}

describe('stat', () => {
  test('follows symbolic links, and distinguishes directories from other files', async () => {
    await fs.symlink('/dev/null', join(folder, 'null'));
    await fs.symlink(folder, join(folder, 'self'));
    expect((await nodeFiles.stat(join(folder, 'null'))).kind).toBe('other');
    expect((await nodeFiles.stat(join(folder, 'self'))).kind).toBe('folder');
    expect(await nodeFiles.realPath(join(folder, 'self'))).toBe(await fs.realpath(folder));
    await expect(nodeFiles.stat(join(folder, 'gone'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('directories', () => {
  test('are created with their parents, may already exist, and are removed recursively', async () => {
    const deep = join(folder, 'a', 'b');
    await nodeFiles.makeFolder(deep, 0o700);
    await nodeFiles.makeFolder(deep, 0o755);
    expect((await nodeFiles.stat(deep)).mode).toBe(0o700);
    await nodeFiles.create(join(deep, 'file'), '', 0o600);
    await nodeFiles.rename(join(deep, 'file'), join(deep, 'renamed'));
    expect(await nodeFiles.list(deep)).toEqual(['renamed']);
    await nodeFiles.remove(join(folder, 'a'));
    await nodeFiles.remove(join(folder, 'a'));
    expect(await nodeFiles.list(folder)).toEqual([]);
  });

  test('is durable: the directory around each created one is synced', async () => {
    const handle = await fs.open(folder);
    const prototype = Object.getPrototypeOf(handle) as fs.FileHandle;
    await handle.close();
    const synced: number[] = [];
    const spy = vi.spyOn(prototype, 'sync').mockImplementation(async function sync(
      this: fs.FileHandle,
    ) {
      synced.push((await this.stat()).ino);
    });
    try {
      await nodeFiles.makeFolder(join(folder, 'a', 'b', 'c'), 0o700);
    } finally {
      spy.mockRestore();
    }
    const around = ['', 'a', 'a/b'].map(async (name) => (await fs.stat(join(folder, name))).ino);
    expect(synced).toEqual(await Promise.all(around));
  });

  test('is refused where a file is in the way, at the end or before', async () => {
    const file = join(folder, 'file');
    await fs.writeFile(file, '');
    await expect(nodeFiles.makeFolder(file, 0o700)).rejects.toThrow(/EEXIST/);
    await expect(nodeFiles.makeFolder(join(file, 'below'), 0o700)).rejects.toThrow(/ENOTDIR/);
  });

  test('is made once by several at the same time', async () => {
    const deep = join(folder, 'a', 'b', 'c');
    await Promise.all(Array.from({ length: 8 }, () => nodeFiles.makeFolder(deep, 0o700)));
    expect((await fs.stat(deep)).isDirectory()).toBe(true);
  });
});
