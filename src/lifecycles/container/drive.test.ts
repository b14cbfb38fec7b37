import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

import { sampleContainer as container } from '../../../test/fixtures/sample-container.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import { procTable } from '../../store/process-table.ts';
import { startContainer } from './drive.ts';
import { writePart } from './life/container-folder.ts';
import type { Life } from './life/life.ts';

it('a start reports its own failure, also if the tear-down after it fails', async () => {
  const root = await mkdtemp(join(tmpdir(), 'lifehook-drive-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const folder = { path: `${root}/web`, files: nodePlatform.files };
  // The program waits at the gate, which is a named pipe: a directory cannot be opened.
  await mkdir(join(folder.path, 'gate'), { recursive: true });
  const process = await procTable(nodePlatform.files).self();
  await writePart(folder, 'container', container);
  await writePart(folder, 'phase', { name: 'created' });
  const report = { kind: 'started', supervisor: process, process, startedAtMs: 2 } as const;
  await writePart(folder, 'report', report);
  const supervision = {
    signalProcess: () => {
      throw new Error('cannot be signalled');
    },
  };
  const life = { platform: nodePlatform, supervision, root, env: {} } as unknown as Life;
  await expect(startContainer(life, 'web')).rejects.toThrow('LHC230');
});
