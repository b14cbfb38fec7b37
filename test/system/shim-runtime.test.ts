/** Tests the wrapper in the place of runc: for its callers, it must behave like the real runtime. */
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { chmod, mkdir, readFile, readlink, rename, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { finish, openWorld, type RunOptions, WRAPPER, type World } from './shim-world.ts';

const never = { stages: ['createRuntime'], when: { commands: ['^/not/this$'] } };

async function withProcess(world: World, args: readonly string[]): Promise<void> {
  await world.changeConfig((config) => {
    config['process'] = { ...(config['process'] as object), args };
  });
}

describe('lifehook-runtime', () => {
  it('answers every other subcommand exactly like runc', async () => {
    await using world = await openWorld();
    const root = join(world.folder, 'root');
    for (const args of [
      ['--version'],
      ['--help'],
      ['list'],
      ['state', 'nobody'],
      ['kill', 'nobody', 'TERM'],
      ['delete', 'nobody'],
      ['start', 'nobody'],
      ['exec', 'nobody', 'true'],
      ['events', '--stats', 'nobody'],
      ['create', '--help'],
      ['features'],
      ['no-such-command'],
      ['--no-such-flag', 'list'],
    ]) {
      const ours = await world.run(args);
      const bare = await finish(['runc', '--root', root, ...args], { cwd: world.bundle });
      const timeless = (text: string): string => text.replaceAll(/time="[^"]*"/g, 'time');
      expect({ args, ...ours, stderr: timeless(ours.stderr) }).toEqual({
        args,
        ...bare,
        stderr: timeless(bare.stderr),
      });
    }
  });

  it.each([
    ['--bundle X', (bundle: string) => ['--bundle', bundle], ''],
    ['--bundle=X', (bundle: string) => [`--bundle=${bundle}`], ''],
    ['-b X', (bundle: string) => ['-b', bundle], ''],
    ['-b=X', (bundle: string) => [`-b=${bundle}`], ''],
    ['-bundle X', (bundle: string) => ['-bundle', bundle], ''],
    ['-bundle=X', (bundle: string) => [`-bundle=${bundle}`], ''],
    ['the working directory', () => [], 'bundle'],
    ['a directory called "create"', () => ['--bundle', 'create'], ''],
  ])('finds the bundle as %s (OCI-CASE35)', async (name, option, cwd) => {
    await using world = await openWorld();
    const bundle = name.includes('"create"') ? join(world.folder, 'create') : world.bundle;
    if (bundle !== world.bundle) await rename(world.bundle, bundle);
    await world.hook('10-one.json', { command: 'echo ran >> $1/out', stages: ['createRuntime'] });
    const args = ['--log', join(world.folder, 'log'), 'run', ...option(bundle), world.id];
    const { code, stderr } = await world.run(args, { cwd: join(world.folder, cwd) });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(await world.text('out')).toBe('ran\n');
  });

  it('refuses --bundle without its value, on stderr and in the log (OCI-CASE35)', async () => {
    await using world = await openWorld();
    const log = join(world.folder, 'log.json');
    const { code, stderr } = await world.run([
      '--log',
      log,
      '--log-format',
      'json',
      'create',
      world.id,
      '--bundle',
    ]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^lifehook-runtime: error LHC314: [^\n]+\n$/);
    const line = JSON.parse(await readFile(log, 'utf8')) as Record<string, string>;
    expect(line).toMatchObject({
      level: 'error',
      msg: expect.stringContaining('LHC314') as string,
    });
    expect(Date.parse(line['time'] ?? '')).toBeGreaterThan(0);
  });

  it('passes the exit code of the container through', async () => {
    await using world = await openWorld();
    await world.hook('10-never.json', { command: 'true', ...never });
    await withProcess(world, ['/bin/sh', '-c', 'exit 37']);
    expect(await world.run(['run', world.id])).toMatchObject({ code: 37, signal: null });
  });

  it('becomes the process of runc, which forwards signals to the container', async () => {
    await using world = await openWorld();
    await withProcess(world, [
      '/bin/sh',
      '-c',
      'trap "exit 7" TERM; echo ready; while true; do sleep 0.1; done',
    ]);
    let program = '';
    const terminate: RunOptions['onStart'] = async (pid, printed): Promise<void> => {
      // The kernel drops a signal to a container's first process until that process has a handler for it.
      await printed('ready');
      program = await readlink(`/proc/${pid}/exe`);
      process.kill(pid, 'SIGTERM');
    };
    const { code } = await world.run(['run', world.id], { onStart: terminate });
    expect({ code, program: basename(program) }).toEqual({ code: 7, program: 'runc' });
  });

  it('passes descriptors on with --preserve-fds and with socket activation', async () => {
    await using world = await openWorld();
    const path = join(world.folder, 'handed');
    writeFileSync(path, 'through the wrapper\n');
    await withProcess(world, ['/bin/sh', '-c', 'cat <&3']);
    for (const { args, through } of [
      { args: ['run', '--preserve-fds', '1', world.id], through: [] },
      {
        args: ['run', world.id],
        through: ['sh', '-c', 'export LISTEN_FDS=1 LISTEN_PID=$$; exec "$@"', 'sh'],
      },
    ]) {
      const fd = openSync(path, 'r');
      const { stdout, stderr } = await world.run(args, { through, descriptors: [fd] });
      closeSync(fd);
      expect({ stdout, stderr }).toEqual({ stdout: 'through the wrapper\n', stderr: '' });
    }
  });

  it('does not change a bundle to which no hook applies', async () => {
    await using world = await openWorld();
    await world.hook('10-never.json', { command: 'true', ...never });
    const path = join(world.bundle, 'config.json');
    const look = async (): Promise<unknown> => [
      await readFile(path, 'utf8'),
      (await stat(path)).ino,
    ];
    const before = await look();
    expect((await world.run(['run', world.id])).code).toBe(0);
    expect(await look()).toEqual(before);
  });

  it('appends to existing hooks, and adds nothing on a second run (OCI-CASE23)', async () => {
    await using world = await openWorld();
    const own = { path: '/bin/sh', args: ['sh', '-c', `echo own >> ${world.folder}/out`] };
    await world.changeConfig((config) => {
      config['hooks'] = { poststart: [own] };
    });
    await world.hook('10-ours.json', { command: 'echo ours >> $1/out', stages: ['poststart'] });
    expect((await world.run(['run', world.id])).code).toBe(0);
    const once = await world.config();
    expect(once['hooks']).toMatchObject({ poststart: [own, {}] });
    expect((await world.run(['run', world.id])).code).toBe(0);
    expect(await world.config()).toEqual(once);
    expect(await world.text('out')).toBe('own\nours\nown\nours\n');
  });

  it('leaves out a hook that the engine has already injected from the same directory', async () => {
    await using world = await openWorld();
    await world.hook('10-one.json', { command: 'echo ran >> $1/out', stages: ['prestart'] });
    const file = JSON.parse(await readFile(join(world.hooks, '10-one.json'), 'utf8')) as {
      hook: object;
    };
    await world.changeConfig((config) => {
      config['hooks'] = { prestart: [file.hook] };
    });
    expect((await world.run(['run', world.id])).code).toBe(0);
    expect(await world.text('out')).toBe('ran\n');
  });

  it('leaves the error of a missing config.json to runc', async () => {
    await using world = await openWorld();
    const empty = join(world.folder, 'empty');
    await mkdir(empty);
    const { code, stderr } = await world.run(['create', '-b', empty, world.id]);
    expect(code).toBe(1);
    expect(stderr).toContain('config.json');
    expect(stderr).not.toContain('LHC');
  });

  it('refuses a configuration that names itself as the runtime', async () => {
    await using world = await openWorld({ settings: { runtime: WRAPPER } });
    const { code, stderr } = await world.run(['list']);
    expect({ code, reported: stderr.includes('LHC313') }).toEqual({ code: 1, reported: true });
  });

  it('refuses a configuration that other users can write', async () => {
    await using world = await openWorld();
    await chmod(join(world.folder, 'runtime.json'), 0o666);
    const { code, stderr } = await world.run(['list']);
    expect({ code, reported: stderr.includes('LHC311') }).toEqual({ code: 1, reported: true });
  });

  it.each([
    [{ hooksDir: ['/x'] }, '"hooksDir" is no setting'],
    [{ prestart: 'drop' }, '"prestart" must be "createRuntime" or "keep"'],
    [{ hooks: { 'a.json': { onFailure: 'explode' } } }, '"hooks" must be'],
  ])('refuses the configuration %j', async (settings, words) => {
    await using world = await openWorld({ settings });
    const { code, stderr } = await world.run(['list']);
    expect(code).toBe(1);
    expect(stderr).toContain('LHC310');
    expect(stderr).toContain(words);
  });

  it('refuses hook files that other users can write, unless the configuration allows it', async () => {
    await using world = await openWorld();
    await world.hook('10-open.json', { command: 'true', stages: ['createRuntime'] });
    await chmod(join(world.hooks, '10-open.json'), 0o666);
    const refused = await world.run(['run', world.id]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('LHC112');

    await using allowing = await openWorld({ settings: { allowWritableByOthers: true } });
    await allowing.hook('10-open.json', { command: 'echo ran >> $1/out', stages: ['poststop'] });
    await chmod(join(allowing.hooks, '10-open.json'), 0o666);
    expect((await allowing.run(['run', allowing.id])).code).toBe(0);
    expect(await allowing.text('out')).toBe('ran\n');
  });

  it('refuses a bundle that other users can write, unless the configuration allows it', async () => {
    await using world = await openWorld();
    await chmod(join(world.bundle, 'config.json'), 0o666);
    const refused = await world.run(['run', world.id]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('LHC112');

    await using allowing = await openWorld({ settings: { allowWritableByOthers: true } });
    await chmod(join(allowing.bundle, 'config.json'), 0o666);
    expect((await allowing.run(['run', allowing.id])).code).toBe(0);
  });

  it('warns at create of a hook that applies and whose program is missing, and of no other', async () => {
    await using world = await openWorld();
    const file = { version: '1.0.0', hook: { path: '/opt/nowhere' }, stages: ['createRuntime'] };
    const put = (name: string, team: string): Promise<void> =>
      writeFile(
        join(world.hooks, name),
        JSON.stringify({ ...file, when: { annotations: { '^team$': `^${team}$` } } }),
      );
    await put('10-blue.json', 'blue');
    await put('20-red.json', 'red');
    for (const round of ['from the directories', 'from the index']) {
      const { code, stderr } = await world.run(['run', world.id]);
      expect({ round, code }).toEqual({ round, code: 0 });
      expect(stderr).toContain('10-blue.json:1:');
      expect(stderr).toContain('warning LHC113');
      expect(stderr).not.toContain('20-red.json');
    }
  });

  it('refuses every container for a malformed hook file, or skips the file if configured', async () => {
    await using strict = await openWorld();
    await writeFile(join(strict.hooks, 'bad.json'), '{ "version": ');
    const refused = await strict.run(['run', strict.id]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(`${join(strict.hooks, 'bad.json')}:1:`);

    await using lax = await openWorld({ settings: { invalidFile: 'skip' } });
    await writeFile(join(lax.hooks, 'bad.json'), '{ "version": ');
    expect((await lax.run(['run', lax.id])).code).toBe(0);
  });
});
