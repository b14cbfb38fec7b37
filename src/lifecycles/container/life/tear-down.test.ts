import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

import { sampleContainer as container } from '../../../../test/fixtures/sample-container.ts';
import { nodePlatform } from '../../../platform/node-platform.ts';
import type { Files, Signal } from '../../../platform/platform.ts';
import { procTable } from '../../../store/process-table.ts';
import { type ContainerFolder, writePart } from './container-folder.ts';
import type { Container } from './container.ts';
import type { Life } from './life.ts';
import { tearDown } from './tear-down.ts';

interface Late {
  readonly made?: Partial<Container>;
  /** Called after the directory was removed. */
  readonly meanwhile?: (folder: ContainerFolder) => Promise<void>;
}

/** Tears a container down whose supervisor reports its process just before the directory is removed. */
async function tearDownLate(root: string, { made = {}, meanwhile }: Late) {
  const by = await procTable(nodePlatform.files).self();
  const late: Files = {
    ...nodePlatform.files,
    rename: async (from, to) => {
      await writePart(folder, 'report', {
        kind: 'started',
        supervisor: by,
        process: by,
        startedAtMs: 2,
      });
      await nodePlatform.files.rename(from, to);
      await meanwhile?.(folder);
    },
  };
  const folder: ContainerFolder = { path: `${root}/web`, files: late };
  await folder.files.makeFolder(folder.path, 0o700);
  const signals: [number, Signal][] = [];
  const supervision = {
    signalProcess: (pid: number, signal: Signal) => signals.push([pid, signal]) > 0,
  };
  const life = { platform: { ...nodePlatform, files: late }, supervision, root, env: {} };
  await tearDown({
    life: life as unknown as Life,
    folder,
    container: { ...container, ...made },
    by,
  });
  return { signals, pid: by.pid };
}

async function makeRoot(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'lifehook-tear-down-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  return root;
}

it('kills a process that its supervisor reports just before the directory is removed (OCI-V1)', async () => {
  const { signals, pid } = await tearDownLate(await makeRoot(), {});
  expect(signals).toEqual([[-pid, 'SIGKILL']]);
});

it('kills only this process if another command has created the next container of the id', async () => {
  const root = await makeRoot();
  const command = join(root, 'runtime');
  await writeFile(command, '#!/bin/sh\necho "$*" >>"$0.calls"\n', { mode: 0o755 });
  const { signals, pid } = await tearDownLate(root, {
    made: { runner: { kind: 'runtime', command } },
    meanwhile: async (folder) => {
      await folder.files.makeFolder(folder.path, 0o700);
      await writePart(folder, 'container', { ...container, instance: '8-1' });
    },
  });
  // This call was before the directory was removed.
  expect(await readFile(`${command}.calls`, 'utf8')).toBe('delete --force web\n');
  expect(signals).toEqual([[pid, 'SIGKILL']]);
});
