/**
 * Tests a container's life under real runtimes. Numbers refer to the conformance list for container hooks.
 * The tests cover what Lifehook promises, not how a runtime runs its hooks.
 */
import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { chmod, copyFile, mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { WrapHook } from '../../src/lifecycles/container/life/inject.ts';
import { spoolFolder } from '../../src/lifecycles/container/life/life.ts';
import { wrapHook } from '../../src/lifecycles/container/shim/hook-command.ts';
import type { RunnerChoice } from '../../src/lifecycles/container/life/container.ts';
import { exitCodeOf } from '../../src/model/exit-code.ts';
import { killContainer, listContainers } from '../../src/lifecycles/container/life/query.ts';
import type { OciHook, Stage } from '../../src/lifecycles/container/points.ts';
import { containerId, openStand, processesOf, until, type Stand } from '../e2e/oci-life-stand.ts';

const busybox = '/usr/bin/busybox';
const nativeSupervisor = resolve(import.meta.dirname, '../../dist/shim/lifehook-supervise');

/** crun refuses a hybrid cgroup tree, so this script runs it in a mount namespace without the cgroup2 part. */
const crunScript = `#!/bin/sh
exec unshare -m sh -c 'umount /sys/fs/cgroup/unified 2>/dev/null; exec crun "$@"' crun "$@"
`;

describe.each(['runc', 'crun'])('the lifecycle of a container under %s', (name) => {
  let stand: Stand;
  beforeEach(async () => {
    stand = await openStand({ kind: 'runtime', command: name });
    if (name === 'crun') await stand.script('crun', crunScript);
    const rootfs = join(stand.bundle, 'rootfs');
    for (const folder of ['bin', 'proc', 'dev', 'sys']) await mkdir(join(rootfs, folder));
    await copyFile(busybox, join(rootfs, 'bin', 'sh'));
    await chmod(join(rootfs, 'bin', 'sh'), 0o755);
  });
  afterEach(() => stand.close());

  const runtime = (): RunnerChoice => ({
    kind: 'runtime',
    command: name === 'crun' ? join(stand.folder, 'crun') : name,
    stateFolder: join(stand.folder, 'state'),
  });
  const create = (): ReturnType<Stand['create']> => stand.create({ runner: runtime() });
  /** A hook that gets its stage from an environment variable, because a runtime does not pass the stage. */
  const hook = (stage: Stage, hookName: string, exitCode = 0): OciHook => ({
    ...stand.hook(hookName, exitCode),
    env: [`LIFEHOOK_STAGE=${stage}`, 'PATH=/usr/bin:/bin'],
  });
  const config = (script: string, hooks: object = {}): Record<string, unknown> => ({
    process: {
      cwd: '/',
      args: ['/bin/sh', '-c', script],
      env: ['PATH=/bin'],
      user: { uid: 0, gid: 0 },
    },
    mounts: [{ destination: '/proc', type: 'proc', source: 'proc' }],
    linux: { namespaces: [{ type: 'pid' }, { type: 'mount' }] },
    hooks,
  });

  it('runs the hooks of config.json and of hooks directories, with the state of the specification (OCI-CASE23, OCI-CASE32)', async () => {
    const stages = ['prestart', 'poststart', 'poststop'] as const;
    const own = Object.fromEntries(stages.map((stage) => [stage, [hook(stage, 'own')]]));
    await stand.writeConfig(config('while :; do sleep 1; done', own));
    for (const stage of ['createRuntime', 'poststop'] as const) {
      const file = { version: '1.0.0', hook: hook(stage, 'ours'), when: { always: true } };
      await stand.writeHookFile(`${stage}.json`, { ...file, stages: [stage] });
    }
    expect(await create()).toMatchObject({ kind: 'done' });
    const { pid } = (await stand.view()).state;
    expect(await stand.start()).toMatchObject({ kind: 'done' });
    expect(await stand.status()).toBe('running');
    await stand.remove();
    const points = await stand.points();
    expect(points.filter((point) => !point.startsWith('poststart'))).toEqual([
      'prestart own',
      'createRuntime ours',
      'poststop own',
      'poststop ours',
    ]);
    expect(points).toContain('poststart own');
    for (const { stage, state } of await stand.seen()) {
      expect(state).toMatchObject({ id: containerId, bundle: stand.bundle });
      expect(state.annotations).toMatchObject({ 'com.example.tier': 'web' });
      if (stage === 'prestart')
        expect(state).toMatchObject({ pid, status: expect.stringMatching(/creat/) });
      if (stage === 'poststop') expect(state.status).toBe('stopped');
    }
  });

  it('changes only the hooks of config.json, and nothing on a second create (OCI-CASE36)', async () => {
    const file = { version: '1.0.0', hook: hook('poststop', 'ours'), when: { always: true } };
    await stand.writeHookFile('ours.json', { ...file, stages: ['poststop'] });
    const path = join(stand.bundle, 'config.json');
    await stand.writeConfig({ ...config('true'), hooks: null });
    const text = (await readFile(path, 'latin1')).replace(
      '"cwd"',
      '"x-unknown": 18446744073709551615,  "rlimits" :[], "cwd"',
    );
    await writeFile(path, text, 'latin1');
    await chmod(path, 0o640);
    const texts: string[] = [];
    for (let round = 0; round < 2; round += 1) {
      expect(await create()).toMatchObject({ kind: 'done' });
      await stand.remove();
      texts.push(await readFile(path, 'latin1'));
    }
    const ours = JSON.stringify({ poststop: [hook('poststop', 'ours')] });
    expect(texts).toEqual([text.replace('"hooks":null', `"hooks":${ours}`), texts[0]]);
    expect((await stat(path)).mode & 0o777).toBe(0o640);
    expect(await stand.points()).toEqual(['poststop ours', 'poststop ours']);
  });

  it('gives a hook without env no variable of the host but those that runtimes need (OCI-CASE25)', async () => {
    const text = '#!/bin/sh\ntr "\\0" "\\n" </proc/$$/environ >"${0%/*}/environment"\n';
    await stand.writeConfig(
      config('true', { createRuntime: [await stand.script('env.sh', text)] }),
    );
    expect(await create()).toMatchObject({ kind: 'done' });
    const environment = await readFile(join(stand.folder, 'environment'), 'utf8');
    expect(environment).toContain('PATH=');
    expect(environment).not.toContain('do-not-leak');
  });

  it('gives a hook exactly its argv (OCI-CASE28)', async () => {
    const hooks = { createRuntime: [{ path: busybox, args: ['cat', '/nosuchfile'] }] };
    await stand.writeConfig(config('true', hooks));
    await expect(create()).rejects.toMatchObject({ problems: [{ code: 'LHC230' }] });
    if (name === 'runc') await expect(create()).rejects.toThrow("can't open '/nosuchfile'");
  });

  it('fails create with the error of the runtime when a hook fails, runs poststop and leaves no container (OCI-CASE29)', async () => {
    const hooks = {
      createRuntime: [
        hook('createRuntime', 'a'),
        hook('createRuntime', 'b', 3),
        hook('createRuntime', 'c'),
      ],
      poststop: [hook('poststop', 'after')],
    };
    await stand.writeConfig(config('true', hooks));
    await expect(create()).rejects.toThrow(/hook.*(#1|recorder\.sh)/s);
    expect(await stand.points()).toEqual(['createRuntime a', 'createRuntime b', 'poststop after']);
    expect(await listContainers(stand.life)).toEqual([]);
    const left = await readdir(join(stand.folder, 'state')).catch(() => []);
    expect(left).toEqual([]);
  });

  it('names what a hook that failed create has printed', async () => {
    const refuses = { path: '/bin/sh', args: ['sh', '-c', 'echo no licence left >&2; exit 3'] };
    const file = { version: '1.0.0', hook: refuses, when: { always: true } };
    await stand.writeHookFile('own.json', { ...file, stages: ['createRuntime'] });
    await stand.writeConfig(config('true'));
    const common = {
      onFailure: 'fail',
      retries: 0,
      timeoutSeconds: null,
      file: 'own.json',
    } as const;
    const spool = spoolFolder(stand.life.root);
    const wrap: WrapHook = ({ hook: { path, args = [path], env } }, { index }) =>
      wrapHook(
        resolve(nativeSupervisor, '../lifehook-hook'),
        { ...common, stage: 'createRuntime', index, spool, path, argv: args },
        env,
      );
    await expect(stand.create({ runner: runtime(), wrap })).rejects.toThrow('no licence left');
  });

  it('runs prestart and poststop at every restart (OCI-CASE38)', async () => {
    const hooks = { prestart: [hook('prestart', 'a')], poststop: [hook('poststop', 'a')] };
    await stand.writeConfig(config('true', hooks));
    for (let round = 0; round < 3; round += 1) {
      await create();
      await stand.start();
      await until(async () => (await stand.status()) === 'stopped', 'it has ended');
      await stand.remove(false);
    }
    expect(await stand.points()).toEqual([1, 2, 3].flatMap(() => ['prestart a', 'poststop a']));
  });

  it('passes standard input and output through and records the exit code in the foreground, and leaves no files', async () => {
    Object.assign(stand.life, { supervisor: [nativeSupervisor] });
    const hooks = { poststop: [hook('poststop', 'after')] };
    await stand.writeConfig(config('read line; echo "out $line"; exit 7', hooks));
    const options = stand.options({ runner: runtime() });
    const [file = '', ...args] = stand.argv({ do: 'run', options });
    const { stdout } = spawnSync(file, args, { input: 'hello\n', encoding: 'utf8' });
    expect(stdout).toMatch(/^out hello\n/);
    expect(stdout).toContain('"exit":{"exitCode":7,"signal":null');
    expect(await stand.points()).toEqual(['poststop after']);
    expect(await readdir(stand.life.root)).toEqual([]);
  });

  it('starts, lists and deletes a container whose state is longer than any tail', async () => {
    await stand.writeConfig({
      ...config('while :; do sleep 1; done'),
      annotations: { 'com.example.tier': 'web', long: 'x'.repeat(200_000) },
    });
    expect(await create()).toMatchObject({ kind: 'done' });
    expect(await listContainers(stand.life)).toMatchObject([{ state: { status: 'created' } }]);
    expect(await stand.start()).toMatchObject({ kind: 'done' });
    expect(await listContainers(stand.life)).toMatchObject([{ state: { status: 'running' } }]);
    await stand.remove();
    await until(async () => (await processesOf(stand.folder)).length === 0, 'none is left');
  });

  it('leaves no container when the start of a foreground run is refused', async () => {
    Object.assign(stand.life, { supervisor: [nativeSupervisor] });
    await stand.writeConfig(config('true'));
    const options = stand.options({ runner: runtime() });
    const [file = '', ...args] = stand.argv({ do: 'runAlone', options });
    // A file is used because a container that is left running would hold a pipe open.
    const said = openSync(join(stand.folder, 'said'), 'w');
    const ended = spawnSync(file, args, { stdio: ['ignore', said, 'inherit'], timeout: 60_000 });
    closeSync(said);
    expect(ended.signal).toBe(null);
    expect(await readFile(join(stand.folder, 'said'), 'utf8')).toContain('LHC216');
    expect(await readdir(stand.life.root)).toEqual([]);
    await until(async () => (await processesOf(stand.folder)).length === 0, 'none is left');
  });

  describe('its exit', () => {
    const postexit = { when: { always: true }, version: '1.0.0', stages: ['postexit'] };

    it.each([
      ['its code', 'echo out; exit 7', 7, '7/'],
      ['its signal', 'while :; do sleep 0.05; done', 137, '/SIGKILL'],
    ])('is reported by the native supervisor with %s', async (...[, script, code, variables]) => {
      Object.assign(stand.life, { supervisor: [nativeSupervisor] });
      await stand.writeHookFile('exit.json', { ...postexit, hook: stand.hook('a') });
      await stand.writeConfig(config(script));
      expect(await create()).toMatchObject({ kind: 'done' });
      expect(await stand.start()).toMatchObject({ kind: 'done' });
      if (code === 137) await killContainer(stand.life, containerId, 'SIGKILL');
      await until(async () => (await stand.points()).length === 1, 'the postexit hook has run');
      const { exit } = await stand.view();
      expect(exit === null ? null : exitCodeOf(exit)).toBe(code);
      expect(await stand.seen()).toMatchObject([{ stage: 'postexit', exit: variables }]);
      if (code === 7) {
        const log = join(stand.life.root, containerId, 'stdout.log');
        expect(await readFile(log, 'utf8')).toBe('out\n');
      }
    });

    it('is unknown under the Node supervisor, which reports why', async () => {
      await stand.writeHookFile('exit.json', { ...postexit, hook: stand.hook('a') });
      await stand.writeConfig(config('exit 7'));
      await create();
      await stand.start();
      await until(async () => (await stand.points()).length === 1, 'the postexit hook has run');
      const { exit } = await stand.view();
      expect(exit).toMatchObject({ exitCode: null, signal: null });
      expect(exit?.reason).toContain('build the native shim');
      expect(await stand.seen()).toMatchObject([{ exit: '/' }]);
    });
  });
});
