import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

import { nodeFiles } from '../../../platform/files.ts';
import { procTable } from '../../../store/process-table.ts';
import { claimFolder, removeFolder, withLock } from './container-folders.ts';
import type { Life } from './life.ts';

/** More waits than three seconds can have: it stops the test if the code waits without end. */
const WAITS_MAX = 1_000;

it('gives up after three seconds in which another command keeps the lock', async () => {
  const path = await mkdtemp(join(tmpdir(), 'lifehook-lock-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  const { pid, started } = await procTable(nodeFiles).self();
  await writeFile(`${path}/writer.1.lock`, `pid ${pid} started ${started}\n`);
  let nowMs = 0;
  let waits = 0;
  const timers = {
    after: (ms: number, callback: () => void) => {
      nowMs += ms;
      waits += 1;
      if (waits > WAITS_MAX) throw new Error('it waits without end');
      queueMicrotask(callback);
      return () => undefined;
    },
  };
  const platform = { clock: { monotonicMs: () => nowMs }, timers };
  const folder = { path, files: nodeFiles };
  const taking = withLock({ platform } as unknown as Life, folder, () => Promise.resolve());
  await expect(taking).rejects.toMatchObject({ problems: [{ code: 'LHC213' }] });
  expect(nowMs).toBe(3_000);
});

it('leaves a directory alone that another command is removing, and clears those of killed commands', async () => {
  const root = await mkdtemp(join(tmpdir(), 'lifehook-lock-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const { pid, started } = await procTable(nodeFiles).self();
  const owners = { deleted: `pid ${pid} started ${started}\n`, '.deleted-1-killed': '' };
  for (const [name, owner] of Object.entries(owners)) {
    await mkdir(`${root}/${name}`);
    await writeFile(`${root}/${name}/writer.1.lock`, owner);
    await writeFile(`${root}/${name}/report.json`, '{"kind":"failed"}');
  }
  let meanwhile = (): Promise<void> => Promise.resolve();
  const files = {
    ...nodeFiles,
    rename: async (from: string, to: string) => {
      await nodeFiles.rename(from, to);
      await meanwhile();
    },
  };
  const platform = { files, clock: { nowMs: () => 1, monotonicMs: () => 0 } };
  const life = { root, platform } as unknown as Life;
  meanwhile = async () => {
    meanwhile = () => Promise.resolve();
    await claimFolder(life, { path: `${root}/created`, files }, () => Promise.resolve());
  };
  const report = await removeFolder(life, { path: `${root}/deleted`, files });
  expect(report).toEqual({ kind: 'failed' });
  expect(await readdir(root)).toEqual([]);
});
