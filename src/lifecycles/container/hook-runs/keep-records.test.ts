import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

import { bareResult } from '../../../engine/act.ts';
import type { RunRecord } from '../../../model/attempt.ts';
import { nodePlatform } from '../../../platform/node-platform.ts';
import type { Files } from '../../../platform/platform.ts';
import { posixError } from '../../../platform/posix-error.ts';
import { keepingRecords } from './keep-records.ts';
import type { PointRunning } from './run-point.ts';
import { stepName } from './plan-point.ts';

const key = { runId: 'r', step: stepName('poststop', 0), attempt: 1, atMs: 5 };
const started: RunRecord = { type: 'AttemptStarted', ...key };
const settled: RunRecord = {
  type: 'AttemptSettled',
  ...key,
  result: bareResult('Succeeded', 'The command exited with code 0.', 4),
};

/** The files of a disk on which the write with this number fails, and the number of files that are open. */
function fullAt(write: number): { readonly files: Files; readonly open: () => number } {
  const { files } = nodePlatform;
  let writes = 0;
  let open = 0;
  const openAppend: Files['openAppend'] = async (path, mode, kind) => {
    const file = await files.openAppend(path, mode, kind);
    open += 1;
    return {
      sync: () => file.sync(),
      write: async (text) => {
        writes += 1;
        if (writes === write) throw posixError('ENOSPC', 'no space left on device');
        await file.write(text);
      },
      close: async () => {
        open -= 1;
        await file.close();
      },
    };
  };
  return { files: { ...files, openAppend }, open: () => open };
}

it.each([1, 2])('closes the record of a hook although write %i of it fails', async (write) => {
  const spool = await mkdtemp(join(tmpdir(), 'lifehook-keep-'));
  onTestFinished(() => rm(spool, { recursive: true }));
  const { files, open } = fullAt(write);
  const container = { id: 'web', bundle: '/b', instance: '1', hooks: { poststop: [{}] } };
  const warnings: unknown[] = [];
  const running = {
    platform: { ...nodePlatform, files },
    spool,
    point: 'poststop',
    container,
    emit: (event: unknown) => warnings.push(event),
  };
  const ledger = keepingRecords(running as unknown as PointRunning, {
    read: async () => [],
    append: async () => undefined,
  });
  await ledger.append(started);
  await ledger.append(settled);
  expect([warnings, open()]).toMatchObject([[{ type: 'Warning' }], 0]);
});
