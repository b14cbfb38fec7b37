import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

import { nodePlatform } from '../platform/node-platform.ts';
import { procTable } from './process-table.ts';
import { waitForWriterLock } from './wait-for-lock.ts';
import { takeWriterLock } from './writer-lock.ts';

const { files } = nodePlatform;

function lockedFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'lifehook-lock-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  return folder;
}

/** A clock whose time passes only while a timer waits; `onWait` is called at each wait. */
function waits(onWait: () => Promise<void>) {
  let nowMs = 0;
  return {
    clock: { nowMs: () => nowMs, monotonicMs: () => nowMs },
    timers: {
      after: (ms: number, callback: () => void) => {
        nowMs += ms;
        void (async () => {
          await onWait();
          callback();
        })();
        return () => undefined;
      },
    },
  };
}

it('takes the lock of a directory once its owner has released it', async () => {
  const options = { files, folder: lockedFolder(), processes: procTable(files) };
  const first = await takeWriterLock(options);
  const { clock, timers } = waits(() => first.release());
  const second = await waitForWriterLock({ ...options, clock, timers, waitMs: 1_000 });
  expect(await second.isHeld()).toBe(true);
});

it('names the owner if it keeps the lock until the wait is over', async () => {
  const options = { files, folder: lockedFolder(), processes: procTable(files) };
  await takeWriterLock(options);
  const { clock, timers } = waits(() => Promise.resolve());
  const wait = waitForWriterLock({ ...options, clock, timers, waitMs: 1_000 });
  await expect(wait).rejects.toThrow(/LHE008: .*in use by process \d+/);
  expect(clock.monotonicMs()).toBe(1_000);
});

it('leaves a shared lock that another user can read: the owner of a directory may follow root', async () => {
  const folder = lockedFolder();
  await takeWriterLock({ files, folder, name: 'shared', processes: procTable(files) });
  expect(statSync(join(folder, 'shared.1.lock')).mode & 0o777).toBe(0o644);
});
