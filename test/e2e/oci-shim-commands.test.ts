/** `lifehook oci index` and `lifehook oci records` as a user calls them. */
import { stat } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectTrouble, openWorkbench, type Workbench } from './oci-workbench.ts';

let bench: Workbench;
beforeEach(async () => {
  bench = await openWorkbench();
});
afterEach(() => bench.close());

describe('lifehook oci index', () => {
  const hookFile = {
    version: '1.0.0',
    hook: { path: '/bin/true' },
    when: { always: true },
    stages: ['createRuntime'],
  };
  const index = (): ReturnType<Workbench['oci']> =>
    bench.oci('index', '--config', bench.path('runtime.json'));

  beforeEach(async () => {
    await bench.writeJson('hooks.d/10-a.json', hookFile);
    const settings = { index: bench.path('hooks.index'), hooksDirs: [bench.path('hooks.d')] };
    await bench.writeJson('runtime.json', settings);
  });

  it('writes the index to the path of the settings, and prints the number of files', async () => {
    expect(await index()).toEqual({
      status: 0,
      stdout: `${bench.path('hooks.index')}: 1 hook file from ${bench.path('hooks.d')}\n`,
      stderr: '',
    });
    expect((await stat(bench.path('hooks.index'))).size).toBeGreaterThan(0);
  });

  it('exits with 1 and the position of the error for a malformed hook file', async () => {
    await bench.write('hooks.d/20-bad.json', '{"version": "1.0.0",}');
    const { status, stderr } = await index();
    expect(status).toBe(1);
    expect(stderr).toMatch(/20-bad\.json:1:\d+: error LHC101: .+ Next: .+/);
  });

  it('refuses unknown settings, and settings that other users can write', async () => {
    await bench.writeJson('runtime.json', { hookDirs: [] });
    expectTrouble(await index(), 'LHC310');
    await bench.write('runtime.json', '{}', 0o666);
    expectTrouble(await index(), 'LHC311');
  });
});

describe('lifehook oci records', () => {
  const records = (...args: string[]): ReturnType<Workbench['life']> =>
    bench.life('records', ...args);

  it('lists the hooks of a deleted container, newest first', async () => {
    const talks = {
      path: '/bin/sh',
      args: ['sh', '-c', 'echo one; echo no disk left >&2; exit 3'],
    };
    await bench.bundle('web', { hooks: { createRuntime: [bench.hook('a')], poststop: [talks] } });
    const command = ['--runner', 'process', '--bundle', 'web', '--hooks-dir', 'none', 'web-1'];
    expect((await bench.life('run', ...command)).status).toBe(0);
    const { status, stdout } = await records();
    expect(status).toBe(0);
    const [heading, newest, oldest, ...rest] = stdout.trimEnd().split('\n');
    expect(heading).toMatch(/^STARTED +CONTAINER +STAGE +HOOK +OUTCOME +MS +OUTPUT$/);
    expect(newest).toMatch(/^\S+Z +web-1 +poststop .+ Failed +[\d.]+ +no disk left$/);
    expect(oldest).toMatch(/^\S+Z +web-1 +createRuntime .+ Succeeded +[\d.]+$/);
    expect(rest).toEqual([]);
    const one = await records('--limit', '1', '--output', 'json');
    expect(JSON.parse(one.stdout)).toMatchObject([
      {
        container: 'web-1',
        bundle: bench.path('web'),
        stage: 'poststop',
        index: 0,
        attempts: 1,
        result: {
          outcome: 'Failed',
          exitCode: 3,
          signal: null,
          stdout: { text: 'one\n' },
          stderr: { text: 'no disk left\n' },
        },
      },
    ]);
  });

  it('prints an empty list without records', async () => {
    expect((await records('--output', 'json')).stdout).toBe('[]\n');
    expect((await records()).stdout).toMatch(/^STARTED .+\n$/);
  });

  it.each(['0', '-1', 'many', '1.5'])('refuses the limit %s', async (limit) => {
    expectTrouble(await records(`--limit=${limit}`), 'LHG001', 2);
  });
});
