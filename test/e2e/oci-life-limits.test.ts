/** Bundles and hooks that the process runner refuses, huge input, and a state directory that cannot be created. */
import { chmod, mkdir, readdir, readFile, rm, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { STREAM_LOG_MAX_BYTES } from '../../src/supervisor/rotated-file.ts';
import { openStand, until, type Stand } from './oci-life-stand.ts';

let stand: Stand;
beforeEach(async () => {
  stand = await openStand();
});
afterEach(() => stand.close());

const process = (more: object): Record<string, unknown> => ({
  process: { cwd: '/', args: ['sleep', '100'], env: ['PATH=/usr/bin:/bin'], ...more },
});
const refused = async (code: string, words: string): Promise<void> => {
  const created = stand.create();
  const problems = expect.arrayContaining([expect.objectContaining({ code })]);
  await expect(created).rejects.toMatchObject({ problems });
  await expect(created).rejects.toThrow(words);
  // Nothing may be left, not even the directory of the container's id.
  expect(await readdir(stand.life.root).catch(() => [])).toEqual([]);
};

describe('a bundle that the process runner cannot run', () => {
  it.each([
    ['has no process', { process: null }, 'process.args'],
    ['has no arguments', process({ args: [] }), 'process.args'],
    ['has an argument that is not a string', process({ args: ['a', 1] }), 'process.args'],
    [
      'names a program that is not installed',
      process({ args: ['nosuchprogram'] }),
      'not found here',
    ],
    ['names one with a "="', process({ args: ['A=1'] }), '"="'],
    ['has a bad environment', process({ env: ['A'] }), 'process.env'],
    ['names a missing working directory', process({ cwd: '/nowhere' }), 'process.cwd'],
    ['names a relative working directory', process({ cwd: 'srv' }), 'process.cwd'],
    ['names a working directory outside of its root', process({ cwd: '/../..' }), 'process.cwd'],
    ['wants a terminal in the background', process({ terminal: true }), 'terminal'],
  ])('is refused with the reason: it %s', async (_, config, words) => {
    await stand.writeConfig(config);
    await refused('LHC224', words);
  });

  it('is refused when a link leads its working directory out of the root filesystem', async () => {
    await symlink('/tmp', join(stand.bundle, 'rootfs', 'out'));
    await stand.writeConfig(process({ cwd: '/out' }));
    await refused('LHC224', 'process.cwd');
  });

  it('is refused as root when it asks for another user', { tags: 'root' }, async () => {
    await stand.writeConfig(process({ user: { uid: 1000, gid: 1000 } }));
    await refused('LHC224', 'user 1000');
  });

  it.each([
    ['has no root', { root: null }],
    ['names a missing root', { root: { path: 'nowhere' } }],
    ['names a root that is a file', { root: { path: 'config.json' } }],
  ])('is refused with the reason: it %s', async (_, config) => {
    await stand.writeConfig(config);
    await refused('LHC208', 'root.path');
  });

  it('is refused when other users can write to it, unless an option allows it', async () => {
    await stand.writeConfig({});
    await chmod(stand.bundle, 0o777);
    await refused('LHC112', 'trusted users');
    const { trust } = stand.options();
    expect(await stand.create({ trust: { ...trust, allowUntrusted: true } })).toMatchObject({
      kind: 'done',
    });
  });

  it('is created with a warning when it has mounts', async () => {
    await stand.writeConfig({ mounts: [{ type: 'bind', source: '/srv', destination: '/data' }] });
    await stand.create();
    expect(stand.events).toMatchObject([
      { type: 'Warning', problem: { code: 'LHC225' } },
      { type: 'Status', status: 'creating' },
      { type: 'Status', status: 'created' },
    ]);
  });
});

describe('hooks that cannot be run', () => {
  it('are refused before anything runs: one with a relative path (OCI-CASE34)', async () => {
    const hooks = { prestart: [stand.hook('never')], poststop: [{ path: 'bin/hook' }] };
    await stand.writeConfig({ hooks });
    await refused('LHC204', 'poststop hook #0');
    expect(await stand.points()).toEqual([]);
  });

  it('are refused when there are 10 000 of them', async () => {
    const many = Array.from({ length: 10_000 }, () => ({ path: '/bin/true' }));
    await stand.writeConfig({ hooks: { prestart: many } });
    await refused('LHC207', 'at most 4096');
  });

  it('in a hooks directory fail every creation, as under podman and CRI-O', async () => {
    await stand.writeConfig({});
    await stand.writeHookFile('bad.json', { version: '1.0.0' });
    await expect(stand.create()).rejects.toThrow('bad.json');
  });
});

describe('huge input', () => {
  it('of 1 MB of annotations reaches a hook that reads it, and does not fail one that reads nothing', async () => {
    const annotations = { big: 'é'.repeat(500_000) };
    const hooks = {
      prestart: [
        stand.hook('reads'),
        { path: '/bin/true' },
        { path: '/bin/sh', args: ['sh', '-c', 'exec <&-; exit 0'] },
      ],
    };
    await stand.writeConfig({ annotations, hooks });
    expect(await stand.create()).toMatchObject({ kind: 'done' });
    expect((await stand.seen())[0]?.state.annotations).toEqual(annotations);
  });

  it('of 40 hooks in one stage runs all of them in order', async () => {
    const hooks = Array.from({ length: 40 }, (_, index) => stand.hook(String(index)));
    await stand.writeConfig({ hooks: { createRuntime: hooks } });
    expect(await stand.create()).toMatchObject({ kind: 'done' });
    const names = (await stand.seen()).map(({ name }) => Number(name));
    expect(names).toEqual(hooks.map((_, index) => index));
  });

  it('of program output is bounded on disk', async () => {
    const script = 'head -c 60000000 /dev/zero | tr "\\0" x; echo; echo the end';
    await stand.writeConfig(process({ args: ['sh', '-c', script] }));
    await stand.create();
    await stand.start();
    await until(async () => (await stand.view()).exit !== null, 'its end is recorded');
    const folder = join(stand.life.root, 'web');
    const sizes = await Promise.all(
      ['stdout.log', 'stdout.log.1'].map(async (name) => (await stat(join(folder, name))).size),
    );
    for (const size of sizes) expect(size).toBeLessThan(STREAM_LOG_MAX_BYTES + 100_000);
    expect(await readFile(join(folder, 'stdout.log'), 'utf8')).toMatch(/x\nthe end\n$/u);
  });
});

describe('a state directory', () => {
  it('that cannot be created fails the creation', async () => {
    await stand.writeConfig({});
    await mkdir(join(stand.folder, 'x'));
    await rm(stand.life.root, { recursive: true, force: true });
    Object.assign(stand.life, { root: join(stand.bundle, 'config.json', 'containers') });
    await expect(stand.create()).rejects.toThrow('ENOTDIR');
  });
});
