/** `lifehook oci run` as a user calls it, on the process runner. */
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  expectTrouble,
  openWorkbench,
  shell,
  until,
  type Answer,
  type Running,
  type Workbench,
} from './oci-workbench.ts';

let bench: Workbench;
beforeEach(async () => {
  bench = await openWorkbench();
});
afterEach(() => bench.close());

const command = ['--runner', 'process', '--bundle', 'web', '--hooks-dir', 'hooks.d', 'web-1'];
const run = (...args: string[]): Promise<Answer> => bench.life('run', ...command, ...args);
const hookFile = (word: string, stages: string[], exitCode = 0): object => ({
  version: '1.0.0',
  hook: bench.hook(word, exitCode),
  when: { annotations: { '^com\\.example\\.tier$': '^web$' } },
  stages,
});

describe('lifehook oci run', () => {
  it('passes output and exit code of the program through, and leaves no container', async () => {
    await bench.bundle('web', { process: shell('echo out; echo err >&2; exit 7') });
    expect(await run()).toEqual({ status: 7, stdout: 'out\n', stderr: 'err\n' });
    expect(await readdir(bench.containers)).toEqual([]);
  });

  it('exits with 128 plus the number of the signal that killed the program', async () => {
    await bench.bundle('web', { process: shell('kill -KILL $$') });
    expect(await run()).toEqual({ status: 137, stdout: '', stderr: '' });
    await bench.bundle('web', { process: shell('kill -TERM $$') });
    expect((await run()).status).toBe(143);
  });

  it('runs the hooks of the bundle and of hooks directories at all stages, in order', async () => {
    const points = ['prestart', 'createRuntime', 'createContainer', 'startContainer', 'poststart'];
    const stages = [...points, 'poststop', 'postexit'];
    // The program waits, because otherwise its postexit hooks could run at the same time as its poststart hooks.
    const process = shell('until grep -q poststart ../../seen; do sleep 0.05; done');
    await bench.bundle('web', { process, hooks: { poststop: [bench.hook('own')] } });
    await bench.writeJson('hooks.d/20-b.json', hookFile('b', stages));
    await bench.writeJson('hooks.d/10-a.json', hookFile('a', ['createRuntime']));
    await bench.writeJson('hooks.d/30-c.json', { ...hookFile('c', stages), when: {} });
    const before = await bench.read('web/config.json');
    expect((await run('--prestart', 'keep')).status).toBe(0);
    const ofB = (point: string): string => `${point} b`;
    expect(await bench.seen()).toEqual([
      ofB('prestart'),
      'createRuntime a',
      ...points.slice(1).map(ofB),
      ofB('postexit'),
      'poststop own',
      ofB('poststop'),
    ]);
    expect(await bench.read('web/config.json')).toBe(before);
  });

  it('prints each status and hook with --verbose', async () => {
    const talks = { path: '/bin/sh', args: ['sh', '-c', 'echo one; echo two >&2'] };
    await bench.bundle('web', {
      hooks: { createRuntime: [talks], poststop: [bench.hook('b', 3)] },
    });
    const { status, stdout, stderr } = await run('--verbose');
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
    for (const line of [
      /^web-1 {2}creating$/m,
      /^web-1 {2}createRuntime hook #0 {2}\| one$/m,
      /^web-1 {2}createRuntime hook #0 {2}\| two$/m,
      /^web-1 {2}createRuntime hook #0 {2}Succeeded in \d+ ms$/m,
      /^web-1 {2}created$/m,
      /^web-1 {2}running$/m,
      /^web-1 {2}poststop hook #0 {2}Failed in \d+ ms: .*exited with code 3/m,
      /^web-1 {2}deleted$/m,
      /warning LHC221: poststop hook #0 .* Next: /,
    ])
      expect(stderr).toMatch(line);
  });

  it.each([['SIGINT'], ['SIGTERM']] as const)(
    'forwards %s to the program and exits like the program',
    async (signal) => {
      const script = `trap 'echo caught; exit 9' ${signal.slice(3)}; echo ready; while :; do sleep 0.05; done`;
      await bench.bundle('web', {
        process: shell(script),
        hooks: { poststop: [bench.hook('b')] },
      });
      const running = bench.startLife('run', ...command);
      await untilRunning(running);
      running.child.kill(signal);
      expect(await running.answer).toEqual({ status: 9, stdout: 'ready\ncaught\n', stderr: '' });
      expect(await bench.seen()).toEqual(['poststop b']);
    },
  );

  it('exits with 130 on SIGINT during a hook, after its poststop hooks', async () => {
    const slow = {
      path: await bench.write('slow.sh', '#!/bin/sh\necho >begun\nexec sleep 100\n', 0o755),
    };
    await bench.bundle('web', {
      process: shell('echo never'),
      hooks: { createRuntime: [slow], poststop: [bench.hook('b')] },
    });
    const running = bench.startLife('run', ...command);
    await until(() => existsSync(bench.path('web/begun')), 'the hook runs');
    running.child.kill('SIGINT');
    const { status, stdout, stderr } = await running.answer;
    expect({ status, stdout }).toEqual({ status: 130, stdout: '' });
    expect(stderr).toContain('interrupted');
    expect(await bench.seen()).toEqual(['poststop b']);
    expect(await readdir(bench.containers)).toEqual([]);
  });
});

/** Waits until the program can get a signal: it is ready, and `start` has ended. */
async function untilRunning(running: Running): Promise<void> {
  await until(() => running.stdout().includes('ready'), 'the program is ready');
  const isRunning = async (): Promise<boolean> =>
    (await bench.read('state/containers/web-1/phase.json')).includes('"running"');
  await until(isRunning, 'start has ended');
}

describe('a hook that fails under lifehook oci run', () => {
  it('makes it exit with 3, names stage and index, and runs poststop hooks (OCI-CASE29)', async () => {
    await bench.bundle('web', {
      process: shell('echo never'),
      hooks: {
        createRuntime: [bench.hook('a'), bench.hook('b', 5), bench.hook('c')],
        poststop: [bench.hook('d', 1), bench.hook('e')],
      },
    });
    const { status, stdout, stderr } = await run();
    expect({ status, stdout }).toEqual({ status: 3, stdout: '' });
    expect(stderr).toMatch(
      /config\.json:1:\d+: error LHC220: createRuntime hook #1 of container web-1 .*code 5.*b gives up.* Next: /,
    );
    expect(stderr).toMatch(/warning LHC221: poststop hook #0 /);
    const ran = ['createRuntime a', 'createRuntime b', 'poststop d', 'poststop e'];
    expect(await bench.seen()).toEqual(ran);
    expect(await bench.list()).toEqual([]);
  });

  it('is reported with its hook file', async () => {
    await bench.bundle('web', {});
    await bench.writeJson('hooks.d/10-a.json', hookFile('a', ['createContainer'], 4));
    const { status, stderr } = await run();
    expect(status).toBe(3);
    expect(stderr).toContain(`${bench.path('hooks.d/10-a.json')}:1:`);
    expect(stderr).toContain('createContainer hook #0');
  });

  it('at poststart fails the container, or only warns on request (OCI-CASE30)', async () => {
    await bench.bundle('web', {
      process: shell('sleep 600'),
      hooks: { poststart: [bench.hook('a', 1)], poststop: [bench.hook('b')] },
    });
    const strict = await run();
    expect(strict.status).toBe(3);
    expect(strict.stderr).toContain('error LHC220: poststart hook #0');
    await bench.bundle('web', {
      process: shell('until [ $(grep -c poststart ../../seen) = 2 ]; do sleep 0.05; done; exit 6'),
      hooks: { poststart: [bench.hook('a', 1)], poststop: [bench.hook('b')] },
    });
    const lenient = await run('--poststart-failure', 'warn');
    expect(lenient.status).toBe(6);
    expect(lenient.stderr).toContain('warning LHC221: poststart hook #0');
    const once = ['poststart a', 'poststop b'];
    expect(await bench.seen()).toEqual([...once, ...once]);
  });
});

describe('lifehook oci run with invalid input', () => {
  it.each([
    ['a program that is not installed', { cwd: '/', args: ['no-such-program'] }, 'LHC224'],
    ['no program', { cwd: '/', args: [] }, 'LHC224'],
  ])('refuses %s', async (_, process, code) => {
    await bench.bundle('web', { process });
    expectTrouble(await run(), code);
    expect(await bench.list()).toEqual([]);
  });

  it('refuses a missing bundle, a missing runtime, and an invalid id', async () => {
    expectTrouble(await run(), 'LHC205');
    await bench.bundle('web', {});
    const runtime = ['--bundle', 'web', '--hooks-dir', 'hooks.d', '--runner', 'no-such-runtime'];
    expectTrouble(await bench.life('run', ...runtime, 'web-1'), 'LHC230');
    expectTrouble(await bench.life('run', '--bundle', 'web', '../web'), 'LHC210');
    expect(await bench.list()).toEqual([]);
  });

  it('refuses malformed hook files before it creates a container', async () => {
    await bench.bundle('web', { process: shell('echo never') });
    await bench.write('hooks.d/bad.json', '{"version": "9"}');
    expectTrouble(await run(), 'LHC103');
    expect(await bench.list()).toEqual([]);
  });
});
