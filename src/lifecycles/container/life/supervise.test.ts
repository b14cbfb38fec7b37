import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { expect, it, onTestFinished } from 'vitest';
import { join } from 'node:path';

import { sampleContainer } from '../../../../test/fixtures/sample-container.ts';
import type { Descendant } from '../../../platform/descendants.ts';
import { host } from '../../../platform/node-supervisor-host.ts';
import { posixError } from '../../../platform/posix-error.ts';
import type { Files, Signal } from '../../../platform/platform.ts';
import { type ContainerFolder, readPart, writePart } from './container-folder.ts';
import type { Container } from './container.ts';
import { supervise } from './supervise.ts';

/** A program that exits with the code 7 once its supervisor has reported it. */
function containerIn(cwd: string): Container {
  const script = 'until [ -e report.json ]; do sleep 0.01; done; exit 7';
  const command = {
    file: '/bin/sh',
    argv: ['sh', '-c', script],
    env: { PATH: '/usr/bin:/bin' },
    cwd,
  };
  return { ...sampleContainer, order: { ...sampleContainer.order, command } };
}

/** A supervisor kills the processes that its container leaves. Here these would be all children of the test runner. */
const nothing = (): readonly Descendant[] => [];

/** Runs a container whose exit is recorded through these files, and resolves with what its supervisor printed. */
async function superviseIn(
  filesFor: (folder: ContainerFolder) => Files,
  {
    descendants = nothing,
    made = containerIn,
    signalProcess = (pid, signal) => host.supervision.signalProcess(pid, signal),
  }: {
    readonly descendants?: typeof nothing;
    readonly made?: typeof containerIn;
    readonly signalProcess?: (pid: number, signal: Signal) => boolean;
  } = {},
): Promise<{ readonly folder: ContainerFolder; readonly printed: readonly string[] }> {
  const root = await mkdtemp(join(tmpdir(), 'lifehook-supervise-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const folder = { path: join(root, 'web'), files: host.files };
  await host.files.makeFolder(folder.path, 0o700);
  const container = made(folder.path);
  await writePart(folder, 'container', container);
  await writePart(folder, 'phase', { name: 'created' });
  const printed: string[] = [];
  const print = (_: string, text: string): void => {
    printed.push(text);
  };
  const timers = { after: (_: number, callback: () => void) => host.timers.after(0, callback) };
  const files = filesFor(folder);
  const { instance } = container;
  const supervision = { ...host.supervision, descendants, signalProcess };
  const own = { ...host, files, print, timers, supervision };
  await supervise({ host: own, folder: folder.path, instance });
  return { folder, printed };
}

it('keeps the exit of a container while the disk is full, and logs that then and afterwards', async () => {
  let failures = 0;
  const { folder, printed } = await superviseIn(() => ({
    ...host.files,
    replace: (path, content, like) => {
      if (!path.endsWith('/exit.json') || (failures += 1) > 2)
        return host.files.replace(path, content, like);
      return Promise.reject(posixError('ENOSPC', 'no space left on device'));
    },
  }));
  expect(await readPart(folder, 'exit')).toMatchObject({ exitCode: 7 });
  expect(printed).toEqual([
    'The end of the container cannot be recorded yet: no space left on device. The supervisor retries until it can.\n',
    'The end of the container was recorded late: no space left on device.\n',
  ]);
});

it('waits until the remaining processes can be listed, logs why, and then records the exit', async () => {
  let failures = 0;
  const { folder, printed } = await superviseIn(() => host.files, {
    descendants: () => {
      failures += 1;
      if (failures <= 3) throw posixError('EMFILE', 'too many open files');
      return [];
    },
  });
  expect(await readPart(folder, 'exit')).toMatchObject({ exitCode: 7 });
  expect(printed).toEqual([
    'The processes of the container cannot be listed yet: file descriptors or memory are short. The supervisor retries until they can, and then kills them.\n',
  ]);
});

/** A container of a runtime, which exits after it has created the process, and so is not its parent any more. */
function runtimeContainerIn(cwd: string): Container {
  const { order, ...container } = containerIn(cwd);
  const script = `{ ${order.command.argv[2] ?? ''}; } >&- 2>&- & echo $! >pid`;
  const command = { ...order.command, argv: ['sh', '-c', script] };
  return { ...container, order: { ...order, command, pidFile: join(cwd, 'pid') } };
}

it('records the end of a process of a runtime although the process could not be seen for a while', async () => {
  let failures = 0;
  const filesFor = ({ path: folder }: ContainerFolder): Files => ({
    ...host.files,
    read: (path) => {
      const isLook = /^\/proc\/\d+\/stat$/.test(path) && existsSync(join(folder, 'report.json'));
      if (!isLook || (failures += 1) > 3) return host.files.read(path);
      return Promise.reject(posixError('EMFILE', 'too many open files'));
    },
  });
  const { folder } = await superviseIn(filesFor, { made: runtimeContainerIn });
  expect(failures).toBeGreaterThan(3);
  expect(await readPart(folder, 'exit')).toMatchObject({ exitCode: null });
});

it('OCI-V3: records no exit for the next container of the name, which was created while the disk was full', async () => {
  const next = { ...sampleContainer, instance: '8-1' };
  let folder: ContainerFolder | null = null;
  const run = superviseIn((own) => {
    folder = own;
    return {
      ...host.files,
      replace: async () => {
        await writePart(own, 'container', next);
        throw posixError('ENOSPC', 'no space left on device');
      },
    };
  });
  await expect(run).rejects.toThrow('was deleted');
  expect(await readPart(folder as unknown as ContainerFolder, 'exit')).toBeNull();
});

/** A container of a runtime that leaves the file "undone" in the directory when it deletes the container. */
function deletableContainerIn(cwd: string): Container {
  const { order, ...container } = runtimeContainerIn(cwd);
  return { ...container, order: { ...order, undo: ['/bin/sh', '-c', 'touch undone'] } };
}

/** Calls `meanwhile` before the report of the process is written, and then lets that write fail if `fails` is set. */
function beforeReport(
  folder: ContainerFolder,
  { meanwhile, fails = false }: { meanwhile: (pid: number) => Promise<void>; fails?: boolean },
): Files {
  const isReport = (path: string): boolean => path.includes('/.report-');
  return {
    ...host.files,
    create: async (path, content, mode) => {
      if (isReport(path)) await meanwhile(Number(await host.files.read(join(folder.path, 'pid'))));
      if (isReport(path) && fails) throw posixError('ENOSPC', 'no space left on device');
      await host.files.create(path, content, mode);
    },
  };
}

const isUndone = ({ path }: ContainerFolder): boolean => existsSync(join(path, 'undone'));

it('OCI-V1: deletes the container of a runtime whose process it cannot report', async () => {
  const folders: ContainerFolder[] = [];
  const run = superviseIn(
    (folder) => {
      folders.push(folder);
      return beforeReport(folder, { meanwhile: async () => undefined, fails: true });
    },
    { made: deletableContainerIn },
  );
  await expect(run).rejects.toThrow('no space left on device');
  expect(folders.map(isUndone)).toEqual([true]);
});

it('OCI-V3: does not delete the next container of the name, but kills its own process', async () => {
  const folders: ContainerFolder[] = [];
  const pids: number[] = [];
  const run = superviseIn(
    (folder) => {
      folders.push(folder);
      const meanwhile = async (pid: number): Promise<void> => {
        pids.push(pid);
        await writePart(folder, 'container', { ...sampleContainer, instance: '8-1' });
      };
      return beforeReport(folder, { meanwhile });
    },
    { made: deletableContainerIn },
  );
  await expect(run).rejects.toThrow('was deleted');
  expect(folders.map(isUndone)).toEqual([false]);
  await Promise.all(pids.map(untilExited));
  expect(pids).toHaveLength(1);
});

it('does not signal the pid of a process that has exited before its report', async () => {
  const signals: string[] = [];
  const run = superviseIn(
    (folder) => {
      const meanwhile = async (pid: number): Promise<void> => {
        process.kill(pid, 'SIGKILL');
        await untilExited(pid);
      };
      return beforeReport(folder, { meanwhile, fails: true });
    },
    { made: runtimeContainerIn, signalProcess: (_, signal) => signals.push(signal) > 0 },
  );
  await expect(run).rejects.toThrow('no space left on device');
  expect(signals).toEqual([]);
});

async function untilExited(pid: number): Promise<void> {
  const stat = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'utf8') : '';
  if (stat === '' || stat.includes(') Z ')) return;
  await new Promise((resolve) => {
    setTimeout(resolve, 5);
  });
  await untilExited(pid);
}
