/** Tests the stages that no runtime has, precreate and postexit, with the wrapper and runc. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { openWorld, POLL, type World } from './shim-world.ts';

const always = { when: { always: true } };

describe('precreate behind the wrapper', () => {
  const add = (name: string): string => `sed 's/"annotations":{/&"${name}":"x",/'`;

  it('filters the configuration with the hooks in it, one hook after the other, and records each', async () => {
    await using world = await openWorld();
    await world.changeConfig((config) => {
      config['annotations'] = { team: 'blue', long: 'ä'.repeat(40_000) };
    });
    await world.hook('10-a.json', { command: add('first'), stages: ['precreate'], ...always });
    await world.hook('20-b.json', {
      command: `[ $LIFEHOOK_STAGE = precreate ] || exit 0; tee $1/second | ${add('second')}`,
      stages: ['precreate', 'createRuntime'],
    });
    expect(await world.run(['run', world.id])).toMatchObject({ code: 0, stderr: '' });
    const second = await world.text('second');
    expect(second).toContain('"first":"x"');
    expect(second).toContain('lifehook-hook');
    const config = await world.config();
    expect(config['annotations']).toMatchObject({ team: 'blue', first: 'x', second: 'x' });
    const records = await world.records();
    expect(records.map(({ outline }) => outline)).toMatchObject([
      { stage: 'precreate', hook: '10-a.json', container: world.id, bundle: world.bundle },
      { stage: 'precreate', hook: '20-b.json' },
      { stage: 'createRuntime', hook: '20-b.json' },
    ]);
    // The configuration may contain secrets of the container, so no record may contain the configuration.
    expect(JSON.stringify(records)).not.toContain('team');
  });

  it.each([
    ['prints something else', 'echo nothing', 'LHC319'],
    ['prints nothing', 'true', 'LHC319'],
    ['prints an empty object', 'echo "{}"', 'missing: ociVersion (text), root.path'],
    ['fails', 'cat; echo no licence left >&2; exit 3', 'no licence left'],
  ])('makes no container, and changes nothing, when a hook %s', async (...[, command, words]) => {
    await using world = await openWorld();
    await world.hook('10-a.json', { command, stages: ['precreate', 'createRuntime'] });
    const before = await readFile(join(world.bundle, 'config.json'), 'utf8');
    const { code, stderr } = await world.run(['create', world.id]);
    expect({ code, reported: stderr.includes(words) }).toEqual({ code: 1, reported: true });
    expect(await readFile(join(world.bundle, 'config.json'), 'utf8')).toBe(before);
  });

  it('leaves the signal mask of the runtime as it was', async () => {
    await using world = await openWorld();
    const settings = JSON.parse(await world.text('runtime.json')) as object;
    const runtime = join(world.folder, 'runtime.sh');
    const show = `exec grep SigBlk /proc/self/status >"${world.folder}/mask"`;
    await writeFile(runtime, `#!/bin/sh\n${show}\n`, { mode: 0o755 });
    await world.write('runtime.json', JSON.stringify({ ...settings, runtime }));
    await world.hook('10-a.json', { command: 'cat', stages: ['precreate'] });
    expect((await world.run(['create', world.id])).code).toBe(0);
    expect(await world.text('mask')).toBe('SigBlk:\t0000000000000000\n');
  });

  it('is left to Podman in a directory that Podman reads itself', async () => {
    await using world = await openWorld();
    const settings = await world.text('runtime.json');
    const podmanHooksDirs = [world.hooks];
    await world.write('runtime.json', JSON.stringify({ ...JSON.parse(settings), podmanHooksDirs }));
    await world.hook('10-a.json', { command: 'echo ran >> $1/out; cat', stages: ['precreate'] });
    expect((await world.run(['run', world.id])).code).toBe(0);
    expect(await world.text('out')).toBe('ran\n');
    await world.changeConfig((config) => {
      config['annotations'] = { 'io.container.manager': 'libpod' };
    });
    expect((await world.run(['run', world.id])).code).toBe(0);
    expect(await world.text('out')).toBe('ran\n');
  });
});

describe('a second create of one bundle', () => {
  const note = (text: string): string => `echo ${text} >> $1/out`;

  it('runs the hooks as their files are now, and no wrapped entry of the first', async () => {
    await using world = await openWorld();
    const stages = ['createRuntime', 'poststop'];
    await world.hook('10-a.json', { command: note('old'), stages });
    await world.hook('20-b.json', { command: note('gone'), stages });
    expect((await world.run(['run', world.id])).code).toBe(0);
    expect(await world.text('out')).toBe('old\ngone\nold\ngone\n');
    await world.hook('10-a.json', { command: note('new'), stages });
    await rm(join(world.hooks, '20-b.json'));
    await world.write('out', '');
    expect((await world.run(['run', world.id])).code).toBe(0);
    expect(await world.text('out')).toBe('new\nnew\n');
    await rm(join(world.hooks, '10-a.json'));
    await world.write('out', '');
    expect((await world.run(['run', world.id])).code).toBe(0);
    expect(await world.text('out')).toBe('');
  });

  it('changes no byte of config.json where the files are the same', async () => {
    await using world = await openWorld();
    await world.hook('10-a.json', { command: note('same'), stages: ['createRuntime', 'poststop'] });
    expect((await world.run(['run', world.id])).code).toBe(0);
    const config = await readFile(join(world.bundle, 'config.json'), 'utf8');
    expect((await world.run(['run', world.id])).code).toBe(0);
    expect(await readFile(join(world.bundle, 'config.json'), 'utf8')).toBe(config);
  });
});

describe('postexit behind the wrapper', () => {
  const command =
    '{ printf "$LIFEHOOK_STAGE $LIFEHOOK_EXIT_CODE "; cat; echo; } >> $1/out; echo too late >&2; exit 3';
  const open = async (manager: string): Promise<World> => {
    const world = await openWorld();
    const settings = JSON.parse(await world.text('runtime.json')) as object;
    const exitsDirs = [join(world.folder, 'exits')];
    await mkdir(join(world.folder, 'exits'));
    await world.write('runtime.json', JSON.stringify({ ...settings, exitsDirs }));
    await world.changeConfig((config) => {
      config['annotations'] = { 'io.container.manager': manager };
      config['process'] = { ...(config['process'] as object), args: ['/bin/sh', '-c', 'exit 7'] };
    });
    await world.hook('10-a.json', { command, stages: ['postexit'] });
    await world.hook('20-b.json', { command: 'echo b >> $1/out', stages: ['postexit'] });
    return world;
  };
  const stopped = async (world: World): Promise<void> => {
    const state = async (): Promise<string> => (await world.run(['state', world.id])).stdout;
    await expect.poll(state, POLL).toContain('"stopped"');
  };

  it('runs at delete with the exit code that the engine left; a failure is a warning that is shown', async () => {
    await using world = await open('cri-o');
    expect(await world.run(['create', world.id])).toMatchObject({ code: 0, stderr: '' });
    expect((await world.run(['start', world.id])).code).toBe(0);
    await stopped(world);
    await writeFile(join(world.folder, 'exits', world.id), '7');
    const log = join(world.folder, 'log');
    const deleted = await world.run(['--log', log, '--log-format', 'json', 'delete', world.id]);
    expect(deleted.code).toBe(0);
    expect(deleted.stderr).toMatch(/too late.*warning LHC302: The postexit hook 10-a\.json/s);
    expect(await readFile(log, 'utf8')).toContain('"level":"warning"');
    const [line = '', last] = (await world.text('out')).split('\n');
    expect(line).toMatch(/^postexit 7 /);
    expect(JSON.parse(line.slice('postexit 7 '.length))).toMatchObject({
      id: world.id,
      status: 'stopped',
      bundle: world.bundle,
      exitCode: 7,
      signal: null,
    });
    expect(last).toBe('b');
    expect((await world.records()).map(({ outline }) => outline['stage'])).toEqual([
      'postexit',
      'postexit',
    ]);
  });

  it('does not run for a container that was never started', async () => {
    await using world = await open('cri-o');
    expect((await world.run(['create', world.id])).code).toBe(0);
    await writeFile(join(world.folder, 'exits', world.id), '137');
    expect(await world.run(['delete', '--force', world.id])).toMatchObject({ code: 0, stderr: '' });
    expect(await world.text('out')).toBe('');
  });

  it('is said at create, and at delete, where the exit code is not known', async () => {
    await using world = await open('libpod');
    const created = await world.run(['create', world.id]);
    expect(created.stderr).toContain('warning LHC318');
    expect((await world.run(['start', world.id])).code).toBe(0);
    await stopped(world);
    const deleted = await world.run(['delete', '--force', world.id]);
    expect(deleted).toMatchObject({ code: 0 });
    expect(deleted.stderr).toContain('warning LHC318');

    await using other = await open('none');
    const { stderr } = await other.run(['create', other.id]);
    expect(stderr).toContain('warning LHC318');
    expect(await other.run(['delete', '--force', other.id])).toMatchObject({ code: 0, stderr: '' });
  });
});
