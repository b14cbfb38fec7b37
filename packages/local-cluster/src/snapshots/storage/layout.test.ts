import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { nodePlatform } from '../../../../../src/platform/node-platform.ts';
import { readRecord, writeRecord } from './layout.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lifehook-cut-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

it('reads the record of a cut whose source has a name beyond Latin-1', async () => {
  const { files } = nodePlatform;
  const ended = { method: 'btrfs', cutAtMs: 2 } as const;
  await writeRecord(files, join(folder, 'c'), { source: '/home/Ģirts', startedAtMs: 1, ...ended });
  expect(await readRecord(files, join(folder, 'c'))).toEqual({ ...ended, proof: null });
});
