import { describe, expect, test } from 'vitest';

import type { Ledger } from '../../../engine/ledger.ts';
import type { RunRecord } from '../../../model/attempt.ts';
import { type IntentLedger, openedLedger } from './list-intents.ts';

const key = { runId: 'r', step: 's', attempt: 1, atMs: 1 };
const started: RunRecord = { type: 'AttemptStarted', ...key };
const settled: RunRecord = {
  type: 'RunSettled',
  runId: 'r',
  atMs: 2,
  outcome: 'Succeeded',
  reason: '',
};

/** Stores each record only when the test permits it. */
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

/** A timer that the test fires. */
class OneTimer {
  #due: (() => void) | null = null;

  after(_: number, callback: () => void): () => void {
    this.#due = callback;
    return () => {
      this.#due = null;
    };
  }

  fire(): void {
    this.#due?.();
    this.#due = null;
  }
}

interface Stand {
  readonly disk: SlowDisk;
  readonly timer: OneTimer;
  readonly lost: string[];
  readonly ledger: IntentLedger;
}

function stand(): Stand {
  const disk = new SlowDisk();
  const timer = new OneTimer();
  const lost: string[] = [];
  const ledger = openedLedger(disk, timer, (runId, why) => lost.push(`${runId}: ${why}`));
  return { disk, timer, lost, ledger };
}

describe('the ledger of runs whose opening is durable', () => {
  test('resolves the first start and outcomes at once, and appends them together', async () => {
    const { disk, timer, ledger } = stand();
    await ledger.append(started);
    await ledger.append(settled);
    expect(disk.asked).toEqual([]);
    timer.fire();
    expect(disk.asked).toEqual(['AttemptStarted', 'RunSettled']);
  });

  test('appends what it has gathered when it is flushed, and once only', async () => {
    const { disk, timer, ledger } = stand();
    await ledger.append(started);
    ledger.flush();
    timer.fire();
    expect(disk.asked).toEqual(['AttemptStarted']);
  });

  test('resolves a later attempt only when it is on disk, with every earlier record', async () => {
    const { disk, ledger } = stand();
    await ledger.append(started);
    let durable = false;
    const again = ledger.append({ ...started, attempt: 2 }).then(() => (durable = true));
    expect(disk.asked).toEqual(['AttemptStarted', 'AttemptStarted']);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(durable).toBe(false);
    disk.take();
    await again;
    expect(durable).toBe(true);
  });

  test('reports an outcome that the disk refuses, and refuses every later start', async () => {
    const { disk, ledger, lost } = stand();
    await ledger.append(settled);
    ledger.flush();
    disk.refuse();
    await expect.poll(() => lost, { timeout: 20_000 }).toEqual(['r: no space']);
    await expect(ledger.append({ ...started, runId: 's' })).rejects.toThrow('no space');
    expect(disk.asked).toEqual(['RunSettled']);
  });

  test('PIPE-I3: refuses every later start of a list that runs at once with one that the disk has refused', async () => {
    const { disk, timer, ledger, lost } = stand();
    const other = openedLedger(disk, timer, () => {});
    await ledger.append(settled);
    ledger.flush();
    disk.refuse();
    await expect.poll(() => lost, { timeout: 20_000 }).toEqual(['r: no space']);
    await expect(other.append(started)).rejects.toThrow('no space');
  });

  test('PIPE-I3: refuses every later start once the disk has refused the start of a later attempt', async () => {
    const { disk, timer, ledger } = stand();
    const other = openedLedger(disk, timer, () => {});
    const again = ledger.append({ ...started, attempt: 2 });
    disk.refuse();
    await expect(again).rejects.toThrow('no space');
    await expect(other.append(started)).rejects.toThrow('no space');
  });

  test('holds a bounded number of records', async () => {
    const { disk, ledger } = stand();
    for (let number = 0; number < 250; number += 1) await ledger.append(settled);
    expect(disk.asked).toHaveLength(200);
  });
});
