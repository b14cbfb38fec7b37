import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { encodeUtf8 } from '../../../../src/platform/byte-text.ts';
import { nodePlatform } from '../../../../src/platform/node-platform.ts';
import { writeRecord } from '../../../../src/supervisor/records.ts';
import { openOciRuntime } from './oci-runner.ts';
import type { RuntimeWorld } from './runtime-world.ts';

let stateFolder: string;

beforeEach(async () => {
  stateFolder = await mkdtemp(join(tmpdir(), 'lifehook-oci-'));
});

afterEach(async () => {
  await rm(stateFolder, { recursive: true });
});

/** Leaves the files of a running container in its directory, as a killed node does. */
async function leaveContainer(folder: string, env: readonly string[]): Promise<void> {
  const { files } = nodePlatform;
  await files.makeFolder(folder, 0o700);
  const program = { file: 'sleep', argv: ['sleep'], env: {}, cwd: '/', user: null };
  const log = { path: `${folder}/log`, maxBytes: 1 };
  const about = { id: 'c', labels: {}, imageId: '', stdin: false, stdinOnce: false, tty: false };
  await writeRecord(files, folder, ['order', { ...about, program, log }]);
  const process = { pid: 1, started: '' };
  const report = { kind: 'started', supervisor: process, process, startedAtMs: 1 } as const;
  await writeRecord(files, folder, ['report', report]);
  const config = { process: { args: ['sleep'], env } };
  await files.replace(`${folder}/config.json`, encodeUtf8(JSON.stringify(config)), { mode: 0o600 });
}

it('gives a command in a container the environment of the container, also beyond ASCII', async () => {
  const folder = join(stateFolder, 'containers/c');
  await leaveContainer(folder, ['GREETING=Grüße']);
  const next = (): Promise<never> => new Promise(() => undefined);
  const connection = {
    incoming: { [Symbol.asyncIterator]: () => ({ next }) },
    write: () => undefined,
    close: () => undefined,
  };
  const supervisors = { connect: async () => connection };
  const world = { platform: nodePlatform, supervisors, stateFolder, env: {} };
  const containers = { neverBegan: async () => false };
  const runtime = await openOciRuntime(world as unknown as RuntimeWorld, {
    name: 'runc',
    command: '/bin/runc',
    containers: containers as never,
  });
  const { signal } = new AbortController();
  runtime.get('c')?.exec({ argv: ['env'], stdin: false, tty: false, signal });
  const handover = async (): Promise<string | undefined> =>
    (await readdir(folder)).find((name) => /^exec-.*\.json$/.test(name));
  await expect.poll(handover).toBeDefined();
  const written = JSON.parse(
    await readFile(join(folder, (await handover()) ?? ''), 'utf8'),
  ) as object;
  expect(written).toMatchObject({ args: ['env'], env: ['GREETING=Grüße'] });
});

it('ends a container of a killed supervisor, although its first deletion fails', async () => {
  await leaveContainer(join(stateFolder, 'containers/c'), []);
  const done = async (): Promise<{ done: true }> => ({ done: true });
  const connection = {
    incoming: { [Symbol.asyncIterator]: () => ({ next: done }) },
    write: () => undefined,
    close: () => undefined,
  };
  const failures = [new Error('device or resource busy')];
  const containers = {
    neverBegan: async () => false,
    delete: async () => {
      for (const failure of failures.splice(0, 1)) throw failure;
    },
  };
  const supervisors = { connect: async () => connection };
  const world = { platform: nodePlatform, supervisors, stateFolder, env: {} };
  const runtime = await openOciRuntime(world as unknown as RuntimeWorld, {
    name: 'runc',
    command: '/bin/runc',
    containers: containers as never,
  });
  expect(await runtime.get('c')?.ended).toMatchObject({ reason: 'ContainerStatusUnknown' });
  expect(failures).toEqual([]);
});
