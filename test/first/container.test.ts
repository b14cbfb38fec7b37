/** One container, run by a user: `lifehook oci run` on the process runner, with hooks at every point of its life. */
import { readdir } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { type Answer, openWorkbench, shell, type Workbench } from '../e2e/oci-workbench.ts';

let bench: Workbench;

beforeEach(async () => {
  bench = await openWorkbench();
});

afterEach(() => bench.close());

const run = (): Promise<Answer> =>
  bench.life('run', '--runner', 'process', '--bundle', 'web', '--hooks-dir', 'hooks.d', 'web-1');

describe('a container with hooks', () => {
  it('runs its own hooks and those of a hooks directory around its program, in the order of the specification', async () => {
    const stages = ['createRuntime', 'startContainer', 'poststart', 'postexit', 'poststop'];
    await bench.bundle('web', {
      // Waits until its poststart hooks have run, so that its postexit hooks run after them.
      process: shell('echo out; until grep -q poststart ../../seen; do sleep 0.05; done; exit 7'),
      hooks: { createRuntime: [bench.hook('own')], poststop: [bench.hook('own')] },
    });
    await bench.writeJson('hooks.d/10-all.json', {
      version: '1.0.0',
      hook: bench.hook('folder'),
      when: { annotations: { '^com\\.example\\.tier$': '^web$' } },
      stages,
    });
    expect(await run()).toEqual({ status: 7, stdout: 'out\n', stderr: '' });
    expect(await bench.seen()).toEqual([
      'createRuntime own',
      'createRuntime folder',
      'startContainer folder',
      'poststart folder',
      'postexit folder',
      'poststop own',
      'poststop folder',
    ]);
    expect(await readdir(bench.containers)).toEqual([]);
  });

  it('does not start its program when a createRuntime hook fails, and runs its poststop hooks', async () => {
    await bench.bundle('web', {
      process: shell('echo never'),
      hooks: { createRuntime: [bench.hook('a', 5)], poststop: [bench.hook('b')] },
    });
    const { status, stdout, stderr } = await run();
    expect({ status, stdout }).toEqual({ status: 3, stdout: '' });
    expect(stderr).toMatch(/error LHC220: createRuntime hook #0 .*code 5.*a gives up/);
    expect(await bench.seen()).toEqual(['createRuntime a', 'poststop b']);
    expect(await bench.list()).toEqual([]);
  });
});
