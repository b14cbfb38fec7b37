import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeFiles } from '../../../platform/files.ts';
import { readBundle, replaceConfig, type Bundle } from './bundle.ts';
import { CONFIG_MAX_BYTES } from './config-text.ts';

let folder: string;
const uid = process.getuid?.() ?? 0;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lifehook-bundle-'));
});
afterEach(() => rm(folder, { recursive: true }));

const read = (allowUntrusted = false): Promise<Bundle> =>
  readBundle({ files: nodeFiles, folder, trust: { owners: [0, uid], allowUntrusted } });
const config = (): string => join(folder, 'config.json');

describe('readBundle', () => {
  it('returns the exact bytes and the parsed values', async () => {
    await writeFile(config(), Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), {
      mode: 0o600,
    });
    const bundle = await read();
    expect(bundle.text).toBe('{"\u00FF":1}');
    expect(bundle.config).toEqual({ '\uFFFD': 1 });
  });

  it.each([
    ['no config.json', () => Promise.resolve(), 'LHC205'],
    ['a directory named config.json', () => mkdir(config()), 'LHC206'],
    ['text that is not JSON', () => writeFile(config(), '{'), 'LHC201'],
    [
      'more bytes than the limit',
      () => writeFile(config(), Buffer.alloc(CONFIG_MAX_BYTES + 1)),
      'LHC206',
    ],
  ])('refuses %s', async (_, prepare, code) => {
    await prepare();
    await expect(read()).rejects.toMatchObject({ problems: [{ code }] });
  });

  it.each([
    ['config.json', config],
    ['the bundle', (): string => folder],
  ])(
    'refuses a path that other users may write to, unless untrusted paths are allowed: %s',
    async (_, path) => {
      await writeFile(config(), '{}');
      await chmod(path(), 0o777);
      await expect(read()).rejects.toMatchObject({ problems: [{ code: 'LHC112' }] });
      await expect(read(true)).resolves.toMatchObject({ text: '{}' });
    },
  );

  it('refuses a symbolic link into a directory that other users may write to', async () => {
    await mkdir(join(folder, 'open'));
    await writeFile(join(folder, 'open', 'real.json'), '{}');
    await chmod(join(folder, 'open'), 0o777);
    await symlink('open/real.json', config());
    await expect(read()).rejects.toMatchObject({ problems: [{ code: 'LHC112' }] });
  });
});

describe('replaceConfig', () => {
  it('keeps mode and group, and leaves no other file in the bundle (OCI-CASE36)', async () => {
    await writeFile(config(), '{}');
    await chmod(config(), 0o640);
    if (uid === 0) await chown(config(), 0, 12);
    await replaceConfig(nodeFiles, await read(), '{"a":"\u00FF"}');
    const { mode, gid } = await stat(config());
    expect([mode & 0o7777, uid === 0 ? gid : 12]).toEqual([0o640, 12]);
    expect(await readFile(config(), 'latin1')).toBe('{"a":"\u00FF"}');
    expect(await readdir(folder)).toEqual(['config.json']);
  });

  it('replaces the target of a symbolic link and keeps the link', async () => {
    await mkdir(join(folder, 'store'));
    await writeFile(join(folder, 'store', 'real.json'), '{}');
    await symlink('store/real.json', config());
    await replaceConfig(nodeFiles, await read(), '{"a":1}');
    expect(await readFile(join(folder, 'store', 'real.json'), 'utf8')).toBe('{"a":1}');
    expect(await nodeFiles.realPath(config())).toMatch(/real\.json$/);
  });
});

it('says what to do when the group of config.json is one that cannot be given to a new file', async () => {
  await writeFile(join(folder, 'config.json'), '{}', { mode: 0o644 });
  const trust = { owners: [0, uid], allowUntrusted: false };
  const bundle = await readBundle({ files: nodeFiles, folder, trust });
  const replace = (): Promise<void> =>
    Promise.reject(Object.assign(new Error('EPERM: operation not permitted'), { code: 'EPERM' }));
  await expect(replaceConfig({ ...nodeFiles, replace }, bundle, '{ }')).rejects.toMatchObject({
    problems: [{ code: 'LHC209' }],
  });
});
