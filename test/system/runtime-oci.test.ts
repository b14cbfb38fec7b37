/** Tests what only real containers have: a root directory, limits, users, hooks, and a life after the node's exit. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { runtimeHooks } from '../../src/cli/container/hooked-containers.ts';
import type { ContainerSpec } from '../../src/platform/container-runtime.ts';
import { logOf } from '../e2e/runtime-words.ts';
import { finish, isRunning, neverAborted, openStand, POLL } from '../e2e/runtime-stand.ts';

const runc = { name: 'runc', command: '/usr/sbin/runc' };

const outputOf = async (script: string, more: Partial<ContainerSpec> = {}): Promise<string> => {
  await using stand = await openStand(runc);
  const container = await stand.run(script, more);
  await container.ended;
  return await logOf(container);
};

describe('a container of the OCI runner', () => {
  it('has its own root filesystem, host name, processes and /etc/hosts', async () => {
    const env = { POD_IP: '127.1.2.3' };
    const said = await outputOf('hostname; echo $$; ls /; cat /etc/hosts; echo x > /new', { env });
    expect(said.startsWith('web-0\n1\nbin\ndev\netc\nproc\nsys\ntmp\n')).toBe(true);
    expect(said).toContain('127.1.2.3\tweb-0\n');
  });

  it('does not change its image, and cannot write with a read-only root', async () => {
    await using stand = await openStand(runc);
    const writes = 'echo x > /tmp/new && echo written || echo refused';
    const free = await stand.run(writes);
    const bound = await stand.run(writes, { readOnlyRoot: true });
    await Promise.all([free.ended, bound.ended]);
    expect(await logOf(free)).toBe('written\n');
    expect(await logOf(bound)).toContain('refused\n');
    expect(
      await readFile(join(stand.image.rootPath ?? '', 'tmp/new'), 'utf8').catch(() => ''),
    ).toBe('');
  });

  it('has its volumes at their targets, read-only where asked', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lifehook-volume-'));
    await writeFile(join(folder, 'given'), 'text\n');
    const mount = { name: 'data', source: folder };
    const mounts = [
      { ...mount, target: '/data', readOnly: false },
      { ...mount, target: '/fixed/data', readOnly: true },
    ];
    const script =
      'cat /data/given; echo back > /data/taken; echo x > /fixed/data/no || echo refused';
    expect(await outputOf(script, { mounts })).toContain('text\n');
    expect(await readFile(join(folder, 'taken'), 'utf8')).toBe('back\n');
    await rm(folder, { recursive: true });
  });

  it('runs as the user of its spec, else as the user of its image', async () => {
    const user = { uid: 1234, gid: 2345, groups: [3456] };
    expect(await outputOf('id', { user })).toContain('uid=1234 gid=2345 groups=3456');
    await using stand = await openStand(runc);
    const etc = join(stand.image.rootPath ?? '', 'etc');
    await writeFile(join(etc, 'passwd'), 'root:x:0:0::/:\nweb:x:77:88::/:\n');
    await writeFile(join(etc, 'group'), 'www:x:88:\nextra:x:99:web\n');
    const image = { ...stand.image, config: { ...stand.image.config, user: 'web' } };
    const container = await stand.run('id', { image });
    await container.ended;
    expect(await logOf(container)).toContain('uid=77(web) gid=88(www) groups=99(extra)');
  });

  it('is OOM-killed when it uses more memory than its limit', async () => {
    await using stand = await openStand(runc);
    const container = await stand.run('', {
      argv: ['sh', '-c', 'exec dd if=/dev/zero of=/dev/null bs=200M count=1'],
      limits: { memoryBytes: 32 * 1024 * 1024, cpuMillis: 500 },
    });
    expect(await container.ended).toMatchObject({ reason: 'OOMKilled' });
  });

  it('is not started without its image, and names the command that imports one', async () => {
    await using stand = await openStand(runc);
    const image = { ...stand.image, rootPath: null };
    await expect(stand.runtime.start(stand.spec('x', '', { image }))).rejects.toMatchObject({
      reason: 'ErrImageNeverPull',
      message: expect.stringContaining('lifehook image import') as string,
    });
  });

  it('leaves no mount and no container in the runtime after its removal', async () => {
    await using stand = await openStand(runc);
    const container = await stand.run('sleep 600');
    const mounts = async (): Promise<boolean> =>
      (await readFile('/proc/self/mountinfo', 'utf8')).includes(stand.folder);
    expect(await mounts()).toBe(true);
    await container.kill();
    await container.remove();
    expect(await mounts()).toBe(false);
    const root = `${stand.world.stateFolder}/runtime`;
    expect(execFileSync('runc', ['--root', root, 'list', '-q'], { encoding: 'utf8' })).toBe('');
  });
});

describe('hooks.d under the OCI runner', () => {
  it('run at their stages for containers whose annotations match', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lifehook-hooks-'));
    const hooksDir = join(folder, 'hooks.d');
    await mkdir(hooksDir);
    const stages = ['createRuntime', 'poststart', 'poststop'];
    const command = `echo $LIFEHOOK_STAGE >> ${folder}/seen`;
    const hook = { path: '/bin/sh', args: ['sh', '-c', command], env: ['PATH=/bin'] };
    const when = { annotations: { '^team$': '^blue$' } };
    await writeFile(
      join(hooksDir, 'a.json'),
      JSON.stringify({ version: '1.0.0', hook, when, stages }),
    );
    const hooks = runtimeHooks(folder, { hooksDir: [hooksDir] });
    {
      await using stand = await openStand({ ...runc, hooks });
      const blue = await stand.run('exit 0', { annotations: { team: 'blue' } });
      const red = await stand.run('exit 0', { annotations: { team: 'red' } });
      await Promise.all([blue.ended, red.ended]);
      await blue.remove();
      await red.remove();
    }
    const seen = await readFile(join(folder, 'seen'), 'utf8');
    expect(seen.split('\n')).toHaveLength(stages.length + 1);
    await rm(folder, { recursive: true });
  });
});

describe('a restarted node of the OCI runner', () => {
  it('adopts running and exited containers, and runs commands in them (POD-R2)', async () => {
    await using stand = await openStand(runc);
    const [runs, ended] = [await stand.run('echo up; sleep 600'), await stand.run('exit 9')];
    const end = await ended.ended;
    expect(end).toMatchObject({ exitCode: 9, reason: 'Error' });
    const adopted = await stand.reopen();
    expect(adopted.get(ended.id)?.end).toEqual(end);
    const again = adopted.get(runs.id);
    expect(again).toMatchObject({ pid: runs.pid, end: null, labels: { test: runs.id } });
    const command = { argv: ['echo', 'hi'], stdin: false, tty: false, signal: neverAborted };
    if (again !== undefined) expect((await finish(again.exec(command))).stdout).toBe('hi\n');
    await again?.kill();
    expect(await runs.ended).toMatchObject({ signal: 'SIGKILL' });
  });

  it('kills a container whose supervisor was killed, and reports its exit as unknown', async () => {
    await using stand = await openStand(runc);
    const container = await stand.run('sleep 600');
    const report = JSON.parse(
      await readFile(`${stand.world.stateFolder}/lives/${container.id}/report.json`, 'utf8'),
    ) as { supervisor: { pid: number } };
    process.kill(report.supervisor.pid, 'SIGKILL');
    expect(await container.ended).toMatchObject({
      exitCode: null,
      reason: 'ContainerStatusUnknown',
    });
    // On a busy machine a killed process exits only when the scheduler runs it.
    await expect.poll(() => isRunning(container.pid), POLL).toBe(false);
  });
});
