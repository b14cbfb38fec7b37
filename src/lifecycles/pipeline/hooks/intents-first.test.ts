import { describe, expect, test } from 'vitest';

import type { Ledger } from '../../../engine/ledger.ts';
import type { RunRecord } from '../../../model/attempt.ts';
import { intentsFirst } from './intents-first.ts';

const key = { runId: 'r', step: 's', attempt: 1, atMs: 1 };
const opened: RunRecord = {
  type: 'RunOpened',
  runId: 'r',
  atMs: 1,
  title: 't',
  steps: [],
  deadlineAtMs: null,
};
const started: RunRecord = { type: 'AttemptStarted', ...key };
const settled: RunRecord = {
  type: 'RunSettled',
  runId: 'r',
  atMs: 2,
  outcome: 'Succeeded',
  reason: '',
};

/** Takes each record when it is told to. */
class SlowDisk implements Ledger {
  readonly asked: string[] = [];
  readonly #waiting: { readonly resolve: () => void; readonly reject: (error: Error) => void }[] =
    [];

  read(): Promise<readonly RunRecord[]> {
    return Promise.resolve([]);
  }

  append({ type }: RunRecord): Promise<void> {
    this.asked.push(type);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
    });
  }

  take(): void {
    for (const { resolve } of this.#waiting.splice(0)) resolve();
  }

  refuse(): void {
    for (const { reject } of this.#waiting.splice(0)) reject(new Error('no space'));
  }
}

describe('a ledger that waits for intents', () => {
  test('resolves an intent only when it is on disk, and appends earlier records with it', async () => {
    const disk = new SlowDisk();
    const ledger = intentsFirst(disk, () => undefined);
    await ledger.append(opened);
    expect(disk.asked).toEqual([]);
    let durable = false;
    const intent = ledger.append(started).then(() => (durable = true));
    expect(disk.asked).toEqual(['RunOpened', 'AttemptStarted']);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(durable).toBe(false);
    disk.take();
    await intent;
    expect(durable).toBe(true);
  });

  test('resolves an outcome without waiting for the disk', async () => {
    const disk = new SlowDisk();
    const ledger = intentsFirst(disk, () => undefined);
    await ledger.append(opened);
    await ledger.append(settled);
    expect(disk.asked).toEqual(['RunOpened', 'RunSettled']);
  });

  test('rejects an intent that the disk refuses, and reports an outcome that is lost', async () => {
    const disk = new SlowDisk();
    const lost: string[] = [];
    const ledger = intentsFirst(disk, (why) => lost.push(why));
    const intent = ledger.append(started);
    disk.refuse();
    await expect(intent).rejects.toThrow('no space');
    await ledger.append(settled);
    disk.refuse();
    await expect.poll(() => lost, { timeout: 20_000 }).toEqual(['no space']);
  });
});
