import { beforeEach, describe, expect, it } from 'vitest';

import { FROZEN_WINDOW, GUARD_AT } from '../../../../test/fixtures/snapshot/guard-bench.ts';
import { sampleEntry, sampleWindow } from '../../../../test/fixtures/snapshot/guard-samples.ts';
import { SimBench } from '../../../../test/sim/controller/sim-bench.ts';
import {
  type ApplicationSnapshot,
  applicationSnapshots,
  type ApplicationSnapshotStatus,
} from '../kinds.ts';
import { Admissions } from './admissions.ts';
import { RECORD_TRIES } from './limits.ts';

let bench: SimBench;
let admissions: Admissions;

beforeEach(() => {
  bench = new SimBench();
  admissions = new Admissions(bench.client);
});

/** A frozen window of the guard in that namespace. */
function windowIn(namespace: string): ApplicationSnapshot {
  const window = sampleWindow(1);
  const metadata = { ...window.metadata, namespace };
  bench.api.create(applicationSnapshots, { ...window, metadata });
  return report(namespace, FROZEN_WINDOW);
}

/** Writes the status of the window, as the controller does. */
function report(namespace: string, status: ApplicationSnapshotStatus): ApplicationSnapshot {
  const found = onServer(namespace);
  const whole = { ...found, status: { ...found.status, ...status } };
  bench.api.replace(applicationSnapshots, whole, 'status');
  return onServer(namespace);
}

function onServer(namespace: string): ApplicationSnapshot {
  const key = { namespace, name: 'mariadb-window-1' };
  return bench.api.get(applicationSnapshots, key) as unknown as ApplicationSnapshot;
}

const admittedIn = (namespace: string): readonly string[] =>
  (onServer(namespace).status?.admitted ?? []).map(({ uid }) => uid);

const unfrozen = sampleEntry('u', { unfrozen: 'FreezeTimeout' });

describe('an admission', () => {
  it('is written into its own window when that of another namespace has the same name (SNAP-W2)', async () => {
    const [shop, blog] = [windowIn('shop'), windowIn('blog')];
    const both = [
      admissions.admit(shop, sampleEntry('a')),
      admissions.admit(blog, sampleEntry('b')),
    ];
    expect(await bench.until(Promise.all(both))).toEqual([true, true]);
    expect([admittedIn('shop'), admittedIn('blog')]).toEqual([['a'], ['b']]);
  });

  it('is based on the window that its request has seen, once no earlier one is being written', async () => {
    await bench.until(admissions.admit(windowIn('shop'), sampleEntry('a')));
    const newer = report('shop', { observedGeneration: 2 });
    expect(await bench.until(admissions.admit(newer, sampleEntry('b')))).toBe(true);
    expect(admittedIn('shop')).toEqual(['a', 'b']);
  });
});

describe('the record of an object that was not frozen', () => {
  it('is written into a closed window (SNAP-W8)', async () => {
    windowIn('shop');
    const closed = report('shop', { closedAt: GUARD_AT });
    expect(await bench.until(admissions.record(unfrozen, closed))).toBe(true);
    expect(admittedIn('shop')).toEqual(['u']);
  });

  it('is not written into a later window of the same name (SNAP-W8)', async () => {
    const seen = windowIn('shop');
    bench.api.delete(applicationSnapshots, { namespace: 'shop', name: 'mariadb-window-1' }, {});
    windowIn('shop');
    expect(await bench.until(admissions.record(unfrozen, seen))).toBe(false);
    expect(admittedIn('shop')).toEqual([]);
  });

  it(`is given up after ${RECORD_TRIES} conflicts: the API server waits for the answer`, async () => {
    const seen = windowIn('shop');
    bench.onWrite = () => {
      report('shop', { observedGeneration: bench.writes });
    };
    expect(await bench.until(admissions.record(unfrozen, seen))).toBe(false);
    expect(bench.writes).toBe(RECORD_TRIES);
  });
});
