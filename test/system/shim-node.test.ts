/** Tests the shim under Node, for machines without a QuickJS compiler: slower than the native shim, otherwise equal. */
import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';

import { openWorld, type RunOptions, type World } from './shim-world.ts';

const wrapper = resolve('dist/shim-node/lifehook-runtime');

beforeAll(() => {
  execFileSync('npx', ['tsx', 'scripts/build-shim.ts', '--node']);
});

async function withProcess(world: World, args: readonly string[]): Promise<void> {
  await world.changeConfig((config) => {
    config['process'] = { ...(config['process'] as object), args };
  });
}

describe('the shim under Node', () => {
  it('starts with an environment whose PATH has no Node', () => {
    const env = { PATH: '/nonexistent' };
    expect(spawnSync(wrapper, ['--version'], { env }).status).toBe(0);
  });

  it('runs the hooks of every stage, and warns on the first run that it runs under Node', async () => {
    await using world = await openWorld({ wrapper });
    const stages = ['createRuntime', 'createContainer', 'poststart', 'poststop'];
    await world.hook('10-one.json', { command: 'echo $LIFEHOOK_STAGE >> $1/out', stages });
    const first = await world.run(['run', world.id]);
    expect(first.code).toBe(0);
    expect(first.stderr).toMatch(/^lifehook-runtime: the shim runs under Node, [^\n]*\n$/);
    expect(await world.text('out')).toBe(`${stages.join('\n')}\n`);
    expect(await world.run(['run', world.id])).toMatchObject({ code: 0, stderr: '' });
  });

  it('passes the exit code, descriptors and signals of the container through', async () => {
    await using world = await openWorld({ wrapper });
    await withProcess(world, ['/bin/sh', '-c', 'cat <&3; exit 37']);
    writeFileSync(`${world.folder}/handed`, 'handed on\n');
    const fd = openSync(`${world.folder}/handed`, 'r');
    const args = ['run', '--preserve-fds', '1', world.id];
    const ended = await world.run(args, { descriptors: [fd] });
    closeSync(fd);
    expect(ended).toMatchObject({ code: 37, stdout: 'handed on\n' });

    await withProcess(world, [
      '/bin/sh',
      '-c',
      'trap "exit 7" TERM; echo ready; while true; do sleep 0.1; done',
    ]);
    const terminate: RunOptions['onStart'] = async (pid, printed): Promise<void> => {
      // The kernel drops a signal to a container's first process until that process has a handler for it.
      await printed('ready');
      process.kill(pid, 'SIGTERM');
    };
    const { code } = await world.run(['run', world.id], { onStart: terminate });
    expect(code).toBe(7);
  });

  it('shares one index with the native wrapper', async () => {
    await using world = await openWorld({ wrapper });
    await world.hook('10-one.json', { command: 'echo ran >> $1/out', stages: ['poststop'] });
    await new Promise((done) => setTimeout(done, 2100));
    const indexes = new Set<number>();
    for (const program of [wrapper, undefined, wrapper]) {
      expect((await world.run(['run', world.id], { program })).code).toBe(0);
      indexes.add(await world.inodeOf('lib/hooks.index'));
    }
    expect(indexes.size).toBe(1);
  });
});
