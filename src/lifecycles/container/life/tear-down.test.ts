import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

import { sampleContainer as container } from '../../../../test/fixtures/sample-container.ts';
import { nodePlatform } from '../../../platform/node-platform.ts';
import type { Files, Signal } from '../../../platform/platform.ts';
import { procTable } from '../../../store/process-table.ts';
import { type ContainerFolder, writePart } from './container-folder.ts';
import type { Life } from './life.ts';
import { tearDown } from './tear-down.ts';

it('kills a process that its supervisor reports just before the directory is removed (OCI-V1)', async () => {
  const root = await mkdtemp(join(tmpdir(), 'lifehook-tear-down-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
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
    },
  };
  const folder: ContainerFolder = { path: `${root}/web`, files: late };
  await folder.files.makeFolder(folder.path, 0o700);
  const signals: [number, Signal][] = [];
  const supervision = {
    signalProcess: (pid: number, signal: Signal) => signals.push([pid, signal]) > 0,
  };
  const life = { platform: { ...nodePlatform, files: late }, supervision, root, env: {} };
  await tearDown({ life: life as unknown as Life, folder, container, by });
  expect(signals).toEqual([[-by.pid, 'SIGKILL']]);
});
