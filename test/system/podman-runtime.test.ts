/** Podman with the wrapper as its runtime and runc behind it: containers from creation to deletion. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { openPodmanBench, type Finished, type PodmanBench } from './podman-bench.ts';
import { POLL, WRAPPER } from './shim-world.ts';

const stages = ['prestart', 'createContainer', 'poststart', 'poststop'];

let bench: PodmanBench;
let runtime: string;
let outcome: string;

beforeAll(async () => {
  bench = await openPodmanBench();
  const at = (name: string): string => join(bench.folder, name);
  outcome = at('out');
  await mkdir(at('hooks.d'));
  await writeFile(
    at('runtime.json'),
    JSON.stringify({
      runtime: 'runc',
      hooksDirs: [at('hooks.d')],
      index: at('hooks.index'),
      spool: at('spool'),
    }),
  );
  const command = `echo $LIFEHOOK_STAGE >> ${outcome}`;
  await writeFile(
    at('hooks.d/10-chosen.json'),
    JSON.stringify({
      version: '1.0.0',
      hook: { path: '/bin/sh', args: ['sh', '-c', command] },
      when: { annotations: { '^com\\.example\\.hooked$': '^yes$' } },
      stages,
    }),
  );
  // Podman starts a runtime with an environment of its own, so this script sets the variable for the wrapper.
  runtime = at('runtime');
  const script = `#!/bin/sh\nLIFEHOOK_RUNTIME_CONFIG=${at('runtime.json')} exec ${WRAPPER} "$@"\n`;
  await writeFile(runtime, script, { mode: 0o755 });
});

afterAll(async () => {
  await bench[Symbol.asyncDispose]();
});

beforeEach(async () => {
  await writeFile(outcome, '');
});

const podman = (...args: readonly string[]): Promise<Finished> =>
  bench.podman(['--runtime', runtime, ...args]);

const limits = ['--ulimit', 'nofile=1024:4096', '--ulimit', 'nproc=1000:1000'];
const options = ['--network', 'none', ...limits];
const hooked = ['--annotation', 'com.example.hooked=yes'];
const image = 'lifehook-differential';

async function ran(): Promise<string[]> {
  return (await readFile(outcome, 'utf8')).split('\n').filter((line) => line !== '');
}

const oneLife = ['createRuntime', 'createContainer', 'poststart', 'poststop'];

describe('podman with lifehook-runtime', () => {
  it('runs the hooks that an annotation selects, and none without the annotation', async () => {
    const plain = await podman('run', '--rm', ...options, image, 'sh', '-c', 'echo plain');
    expect(plain).toMatchObject({ code: 0, stdout: 'plain\n' });
    expect(await ran()).toEqual([]);

    const chosen = await podman('run', '--rm', ...options, ...hooked, image, 'sh', '-c', 'exit 5');
    expect(chosen.code).toBe(5);
    await expect.poll(ran, POLL).toEqual(oneLife);
  });

  it('runs the hooks of each stage once over run, exec, stop and rm', async () => {
    const name = 'whole-life';
    const loop = ['sh', '-c', 'trap "exit 0" TERM; while true; do sleep 0.1; done'];
    const started = await podman(
      'run',
      '-d',
      '--name',
      name,
      ...options,
      ...hooked,
      image,
      ...loop,
    );
    expect(started).toMatchObject({ code: 0, stderr: '' });
    expect(await ran()).toEqual(oneLife.slice(0, 3));
    const inside = await podman('exec', name, 'sh', '-c', 'echo inside; exit 3');
    expect(inside).toMatchObject({ code: 3, stdout: 'inside\n' });
    expect(await podman('stop', '--time', '10', name)).toMatchObject({ code: 0 });
    expect(await podman('rm', name)).toMatchObject({ code: 0 });
    await expect.poll(ran, POLL).toEqual(oneLife);
  });

  it('runs the hooks of every stage again at each restart (OCI-CASE38)', async () => {
    const name = 'restarted';
    const created = await podman('create', '--name', name, ...options, ...hooked, image, 'true');
    expect(created).toMatchObject({ code: 0 });
    for (const life of [1, 2, 3]) {
      const again = await podman('start', '--attach', name);
      expect({ life, ...again }).toMatchObject({ life, code: 0, stderr: '' });
      const expected = Array.from({ length: life }, () => oneLife).flat();
      await expect.poll(ran, POLL).toEqual(expected);
    }
    expect(await podman('rm', name)).toMatchObject({ code: 0 });
  });

  it('shows its user the standard error of a failing hook, with stage and file', async () => {
    const file = join(bench.folder, 'hooks.d/20-refuses.json');
    await writeFile(
      file,
      JSON.stringify({
        version: '1.0.0',
        hook: { path: '/bin/sh', args: ['sh', '-c', 'echo no licence left >&2; exit 4'] },
        when: { annotations: { '^com\\.example\\.refused$': '' } },
        stages: ['createRuntime'],
      }),
    );
    const refused = ['--annotation', 'com.example.refused=yes'];
    const { code, stderr } = await podman('run', '--rm', ...options, ...refused, image, 'true');
    expect(code).not.toBe(0);
    expect(stderr).toContain('no licence left');
    expect(stderr).toContain('createRuntime hook 20-refuses.json');
  });

  it('shows its user the position of the error in a malformed hook file', async () => {
    await writeFile(join(bench.folder, 'hooks.d/99-bad.json'), '{');
    const { code, stderr } = await podman('run', '--rm', ...options, image, 'true');
    expect(code).not.toBe(0);
    expect(stderr).toContain('99-bad.json:1:2');
  });
});
