import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { nodeFileTails } from '../../../../src/platform/file-tails.ts';
import { nodeTimers } from '../../../../src/platform/timers.ts';
import type { RunningContainer } from '../../../../src/platform/container-runtime.ts';
import { withMessage } from './termination-message.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lifehook-message-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

it('is the end of the log, however long its lines are', async () => {
  const line = (number: number): string =>
    `2026-01-01T00:00:00.000000000Z stdout F ${number}${'x'.repeat(8_000)}\n`;
  const logPath = join(folder, 'log');
  await writeFile(logPath, Array.from({ length: 100 }, (_, number) => line(number)).join(''));
  const end = { exitCode: 1, signal: null, endedAtMs: 0 };
  const ended = Promise.resolve(end);
  const container = { id: 'c', logPath, end, ended } as unknown as RunningContainer;
  const named = await withMessage(container, {
    podFolder: folder,
    container: { name: 'a', terminationMessagePolicy: 'FallbackToLogsOnError' },
    tails: nodeFileTails,
    timers: nodeTimers,
  });
  expect(named.end?.message).toBe(`${'x'.repeat(2_047)}\n`);
});
