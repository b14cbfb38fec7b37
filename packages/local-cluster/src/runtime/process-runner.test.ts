import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

import { nodePlatform } from '../../../../src/platform/node-platform.ts';
import { nodeSupervision } from '../../../../src/platform/node-supervision.ts';
import type { Files } from '../../../../src/platform/platform.ts';
import { posixError } from '../../../../src/platform/posix-error.ts';
import { writeRecord, type ContainerOrder } from '../../../../src/supervisor/records.ts';
import { openProcessRuntime } from './process-runner.ts';
import type { RuntimeWorld } from './runtime-world.ts';

const { files } = nodePlatform;

/** The files of a container whose supervisor was killed, while a process of its session runs. */
async function leaveContainer(folder: string, pid: number): Promise<void> {
  await files.makeFolder(join(folder, 's'), 0o700);
  const order = { id: 'c', labels: {}, log: { path: join(folder, 'log'), maxBytes: 1 } };
  await writeRecord(files, folder, ['order', order as unknown as ContainerOrder]);
  const stat = await files.read(`/proc/${pid}/stat`);
  const boot = (await files.read('/proc/sys/kernel/random/boot_id')).trim();
  const started = `${boot}/${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`;
  const process = { pid, started };
  const supervisor = { pid: 1, started: 'none' };
  const report = { kind: 'started', supervisor, process, startedAtMs: 1 } as const;
  await writeRecord(files, folder, ['report', report]);
}

it.each([posixError('EMFILE', 'too many open files'), posixError('EACCES', 'permission denied')])(
  'leaves a container alone whose supervisor cannot be reached: $message',
  async (failure) => {
    const stateFolder = await mkdtemp(join(tmpdir(), 'lifehook-process-'));
    const program = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' });
    onTestFinished(async () => {
      if (program.signalCode === null && program.kill('SIGKILL')) await once(program, 'exit');
      await rm(stateFolder, { recursive: true });
    });
    const folder = join(stateFolder, 'containers/c');
    await leaveContainer(folder, program.pid ?? 0);
    const world = {
      platform: nodePlatform,
      supervision: nodeSupervision,
      supervisors: { connect: () => Promise.reject(failure) },
      stateFolder,
      env: {},
    } as unknown as RuntimeWorld;
    await expect(openProcessRuntime(world)).rejects.toBe(failure);
    await expect(access(join(folder, 'exit.json'))).rejects.toHaveProperty('code', 'ENOENT');
  },
);

it.each([
  ['the table of processes', 'list'],
  ['a process', 'read'],
] as const)(
  'records no end of a container while %s cannot be read for lack of descriptors',
  async (_, unreadable) => {
    const stateFolder = await mkdtemp(join(tmpdir(), 'lifehook-process-'));
    const program = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' });
    onTestFinished(async () => {
      if (program.signalCode === null && program.kill('SIGKILL')) await once(program, 'exit');
      await rm(stateFolder, { recursive: true });
    });
    const pid = program.pid ?? 0;
    const folder = join(stateFolder, 'containers/c');
    await leaveContainer(folder, pid);
    const full = posixError('EMFILE', 'too many open files');
    let isFull = true;
    let reads = 0;
    const scarce: Files = {
      ...files,
      list: (path) =>
        isFull && unreadable === 'list' && path === '/proc'
          ? Promise.reject(full)
          : files.list(path),
      read: (path) => {
        if (path === `/proc/${pid}/stat`) reads += 1;
        // The first read finds out whether the first process lives.
        const fails = isFull && unreadable === 'read' && path === `/proc/${pid}/stat` && reads > 1;
        return fails ? Promise.reject(full) : files.read(path);
      },
    };
    const world = {
      platform: { ...nodePlatform, files: scarce },
      supervision: nodeSupervision,
      supervisors: { connect: () => Promise.reject(posixError('ECONNREFUSED', 'refused')) },
      stateFolder,
      env: {},
    } as unknown as RuntimeWorld;
    await expect(openProcessRuntime(world)).rejects.toBe(full);
    await expect(access(join(folder, 'exit.json'))).rejects.toHaveProperty('code', 'ENOENT');
    isFull = false;
    const exited = once(program, 'exit');
    await openProcessRuntime(world);
    expect(await exited).toEqual([null, 'SIGKILL']);
  },
);

it('kills no session of this boot for a container of an earlier one, when descriptors are short', async () => {
  const stateFolder = await mkdtemp(join(tmpdir(), 'lifehook-process-'));
  const signalled: number[] = [];
  onTestFinished(() => rm(stateFolder, { recursive: true }));
  const folder = join(stateFolder, 'containers/c');
  await leaveContainer(folder, process.pid);
  const earlier = { pid: 7, started: 'earlier/1' };
  const report = {
    kind: 'started',
    supervisor: earlier,
    process: earlier,
    startedAtMs: 1,
  } as const;
  await writeRecord(files, folder, ['report', report]);
  const full = posixError('EMFILE', 'too many open files');
  const scarce: Files = {
    ...files,
    list: async (path) => (path === '/proc' ? ['8'] : files.list(path)),
    read: async (path) => {
      if (path === '/proc/7/stat') throw posixError('ENOENT', path);
      if (path === '/proc/8/stat') return '8 (other) S 1 7 7 0';
      if (path === '/proc/sys/kernel/random/boot_id') throw full;
      return files.read(path);
    },
  };
  const world = {
    platform: { ...nodePlatform, files: scarce },
    supervision: { ...nodeSupervision, signalProcess: (pid: number) => signalled.push(pid) },
    supervisors: { connect: () => Promise.reject(posixError('ECONNREFUSED', 'refused')) },
    stateFolder,
    env: {},
  } as unknown as RuntimeWorld;
  await expect(openProcessRuntime(world)).rejects.toBe(full);
  expect(signalled).toEqual([]);
});
