/**
 * Features that only the process runner has: directories, mounts and users of this machine, and the loss of a
 * supervisor.
 */
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ContainerSpec } from '../../src/platform/container-runtime.ts';
import { nodePlatform } from '../../src/platform/node-platform.ts';
import { logOf } from './runtime-words.ts';
import { POLL, finish, isRunning, neverAborted, openStand, type Stand } from './runtime-stand.ts';

const outputOf = async (
  stand: Stand,
  script: string,
  more: Partial<ContainerSpec> = {},
): Promise<string> => {
  const container = await stand.run(script, more);
  await container.ended;
  return logOf(container);
};

const mount = (source: string, target: string): ContainerSpec['mounts'][number] => ({
  name: 'my-data',
  source,
  target,
  readOnly: false,
});

describe('a container of the process runner', () => {
  it('runs in its working directory, in its image or on this machine, or in a directory of its own', async () => {
    await using stand = await openStand('process');
    const root = stand.image.rootPath ?? '';
    expect(await outputOf(stand, 'pwd')).toBe(`${root}\n`);
    expect(await outputOf(stand, 'pwd', { workingDir: '/tmp' })).toBe(`${root}/tmp\n`);
    expect(await outputOf(stand, 'pwd', { workingDir: '/usr' })).toBe('/usr\n');
    const unknown = { ...stand.image, rootPath: null };
    expect(await outputOf(stand, 'pwd; ls', { image: unknown })).toMatch(
      /containers\/[^/]+\/root\n$/,
    );
    const nowhere = stand.run('pwd', { workingDir: '/no/such/folder' });
    await expect(nowhere).rejects.toMatchObject({ reason: 'CreateContainerConfigError' });
  });

  it('finds its program on its own PATH, or in its image', async () => {
    await using stand = await openStand('process');
    const root = stand.image.rootPath ?? '';
    await writeFile(join(root, 'server'), '#!/bin/sh\necho served\n');
    const start = (): ReturnType<Stand['run']> => stand.run('', { argv: ['/server'] });
    await expect(start()).rejects.toMatchObject({
      exitCode: 126,
      message: expect.stringContaining('permission denied') as string,
    });
    await chmod(join(root, 'server'), 0o755);
    const container = await start();
    await container.ended;
    expect(await logOf(container)).toBe('served\n');
    const bare = { argv: ['server'], env: { PATH: root } };
    expect((await (await stand.run('', bare)).ended).exitCode).toBe(0);
    await expect(stand.run('', { argv: ['server'] })).rejects.toMatchObject({ exitCode: 127 });
  });

  it('finds a command in its image, also after a restart of the node', async () => {
    await using stand = await openStand('process');
    await writeFile(join(stand.image.rootPath ?? '', 'probe'), '#!/bin/sh\necho healthy\n', {
      mode: 0o755,
    });
    await stand.run('sleep 60', { workingDir: '/tmp' });
    const command = { argv: ['/probe'], stdin: false, tty: false, signal: neverAborted };
    for (const runtime of [stand.runtime, await stand.reopen()]) {
      const [container] = await runtime.list();
      if (container === undefined) throw new Error('no container');
      expect(await finish(container.exec(command))).toMatchObject({ stdout: 'healthy\n' });
    }
  });

  it.each([
    ['its program is not found', { argv: ['no-such-program'] }],
    ['its program is no program', { argv: ['/etc/hostname'] }],
  ])('leaves no directory when %s', async (_, more) => {
    await using stand = await openStand('process');
    const image = { ...stand.image, rootPath: null };
    await expect(stand.run('', { image, ...more })).rejects.toThrow();
    expect(await readdir(join(stand.world.stateFolder, 'containers'))).toEqual([]);
  });

  it('has the paths of its volumes in variables, and the possible mounts at their targets', async () => {
    await using stand = await openStand('process');
    const source = join(stand.folder, 'volume');
    await mkdir(source);
    await writeFile(join(source, 'given'), 'text\n');
    const image = { ...stand.image, rootPath: null };
    const mounts = [mount(source, source), { ...mount(source, 'in/here'), name: 'other' }];
    const script = 'cat "$LIFEHOOK_VOLUME_MY_DATA/given" in/here/given; echo x > in/here/taken';
    expect(await outputOf(stand, script, { image, mounts })).toBe('text\ntext\n');
    expect((await readdir(source)).toSorted()).toEqual(['given', 'taken']);
    for (const target of ['/data', '../out', '/']) {
      const refused = stand.run('true', { mounts: [mount(source, target)] });
      await expect(refused).rejects.toMatchObject({
        reason: 'CreateContainerConfigError',
        message: expect.stringMatching(/"my-data".*OCI runner.*LIFEHOOK_VOLUME_MY_DATA/s) as string,
      });
    }
    expect(await readdir(`${stand.world.stateFolder}/containers`)).toHaveLength(1);
  });

  it('runs as the user of its spec, and is refused when the node is not root', async () => {
    await using stand = await openStand('process');
    const groups = Array.from({ length: 100 }, (_, index) => 3456 + index);
    const user = { uid: 1234, gid: 2345, groups };
    if (stand.world.uid === 0) {
      await chmod(stand.folder, 0o755);
      const said = await outputOf(stand, 'id -u; id -g; id -G', { user });
      // A supervisor under Node cannot set supplementary groups.
      const seen = [2345, ...(stand.isNative ? groups : [])];
      expect(said).toBe(`1234\n2345\n${seen.join(' ')}\n`);
    } else {
      const reason = 'CreateContainerConfigError';
      await expect(stand.run('id', { user })).rejects.toMatchObject({ reason });
    }
  });
});

describe('a restarted node of the process runner', () => {
  it('keeps exit code, signal and times of exited containers, and adopts running ones (POD-R2)', async () => {
    await using stand = await openStand('process');
    const [exited, killed] = [await stand.run('exit 9'), await stand.run('kill -TERM $$')];
    const runs = await stand.run('sleep 600');
    const ends = await Promise.all([exited.ended, killed.ended]);
    expect(ends).toMatchObject([
      { exitCode: 9, signal: null },
      { exitCode: null, signal: 'SIGTERM' },
    ]);
    const adopted = await stand.reopen();
    for (const { id, startedAtMs, end } of [exited, killed, runs]) {
      expect(adopted.get(id)).toMatchObject({ startedAtMs, end });
    }
    await adopted.get(runs.id)?.kill();
    expect(await runs.ended).toMatchObject({ signal: 'SIGKILL' });
  });
});

describe('a supervisor of the process runner', () => {
  it('takes its container along when it is killed, and the exit is unknown', async () => {
    await using stand = await openStand('process');
    const container = await stand.run('sleep 300 & echo up; wait');
    await expect.poll(() => logOf(container), POLL).toBe('up\n');
    const stat = await nodePlatform.files.read(`/proc/${container.pid}/stat`);
    const children = await nodePlatform.files.read(
      `/proc/${container.pid}/task/${container.pid}/children`,
    );
    process.kill(Number(stat.slice(stat.lastIndexOf(')')).split(' ')[2]), 'SIGKILL');
    expect(await container.ended).toMatchObject({
      exitCode: null,
      signal: null,
      reason: 'ContainerStatusUnknown',
    });
    for (const pid of [container.pid, ...children.trim().split(' ').map(Number)]) {
      await expect.poll(() => isRunning(pid), POLL).toBe(false);
    }
    const adopted = await stand.reopen();
    expect(adopted.get(container.id)?.end).toEqual(container.end);
  });

  it('can repeat a start that was interrupted (POD-R1)', async () => {
    await using stand = await openStand('process');
    const { stateFolder } = stand.world;
    const half = `${stateFolder}/containers/half`;
    await mkdir(half);
    const without = await stand.reopen();
    expect(await without.list()).toEqual([]);
    const container = await stand.runtime.start(stand.spec('half', 'echo once'));
    await container.ended;
    const order = await nodePlatform.files.read(`${half}/order.json`);
    await container.remove();
    await mkdir(half);
    await writeFile(`${half}/order.json`, order);
    expect(await (await stand.reopen()).list()).toEqual([]);
    const again = await stand.runtime.start(stand.spec('half', 'echo twice'));
    await again.ended;
    expect(await logOf(again)).toBe('twice\n');
  });

  it('starts nothing after the node has abandoned its container', async () => {
    await using stand = await openStand('process');
    const { supervisorArgv, supervisors, stateFolder } = stand.world;
    const first = await stand.runtime.start(stand.spec('late', 'echo once >> starts'));
    await first.ended;
    const folder = `${stateFolder}/containers/late`;
    const order = await nodePlatform.files.read(`${folder}/order.json`);
    await first.remove();
    await mkdir(folder);
    await writeFile(`${folder}/order.json`, order);
    await writeFile(`${folder}/s`, '');
    const { exited } = supervisors.start({ argv: [...supervisorArgv, folder], env: {}, folder });
    expect((await exited).code).toBe(1);
    const said = await nodePlatform.files.read(`${folder}/supervisor.log`);
    expect(said).toMatch(/EADDRINUSE|errno 98/);
    expect(await nodePlatform.files.read(join(stand.image.rootPath ?? '', 'starts'))).toBe(
      'once\n',
    );
  });
});
