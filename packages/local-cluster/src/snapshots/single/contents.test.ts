import { beforeEach, describe, expect, it } from 'vitest';

import { Random } from '../../../../../test/sim/random.ts';
import { SimBench } from '../../../../../test/sim/controller/sim-bench.ts';
import { makeSimWatch, noWatchFaults } from '../../../../../test/sim/controller/sim-watch.ts';
import { runManager } from '../../../../../src/controller/manager.ts';
import { SharedInformers } from '../../../../../src/controller/shared-informers.ts';
import { persistentVolumes } from '../../../../../src/kube/resources.ts';
import { contents, type VolumeSnapshotContent } from '../../../../../src/kube/snapshots.ts';
import { BEING_CREATED, CONTENT_BOUND, DRIVER, type SnapshotterContext } from '../context.ts';
import type { Cutter, CutResult } from '../storage/cutter.ts';
import { makeContentController } from './contents.ts';

let bench: SimBench;
/** What was asked of the cutter, with the mark that the content had then. */
let asked: string[];
/** The next answers of the cutter; null: it does not answer. */
let cuts: (CutResult | null)[];
let removals: (string | null)[];

const stored = (): VolumeSnapshotContent | undefined =>
  bench.api.list(contents)[0] as VolumeSnapshotContent | undefined;
const markOf = (): string | undefined => stored()?.metadata?.annotations?.[BEING_CREATED];

const cutter = {
  cut: (_: readonly string[], name: string) => {
    asked.push(`cut ${name}, mark ${markOf()}`);
    const next = cuts.shift() ?? null;
    return next === null ? new Promise(() => undefined) : Promise.resolve(next);
  },
  remove: (handle: string) => {
    asked.push(`remove ${handle}`);
    return Promise.resolve(removals.shift() ?? null);
  },
} as unknown as Cutter;

const cutAt = (cutAtMs: number): CutResult => ({
  kind: 'cut',
  cut: { handles: ['/cut'], method: 'copy', atomic: true, reason: '', cutAtMs },
});

/** Runs the controller for this long, as one process, and then stops it. */
async function runFor(ms: number): Promise<void> {
  const { api, host, client } = bench;
  const watch = makeSimWatch({ api, host, random: new Random(1), faults: () => noWatchFaults });
  const informers = new SharedInformers({ watch });
  const context = { client, informers, platform: host, random: () => 1 };
  const made = makeContentController(context as unknown as SnapshotterContext, cutter);
  const stop = new AbortController();
  const { signal } = stop;
  void runManager({ informers, controllers: [made], election: null, signal });
  await bench.pass(ms);
  stop.abort();
  // Longer than a stopped controller waits for its reconciles.
  await bench.pass(20_000);
}

function makeContent({ deletionPolicy = 'Delete', status = {} } = {}): void {
  const content = {
    metadata: { name: 'c', finalizers: [CONTENT_BOUND] },
    spec: {
      driver: DRIVER,
      deletionPolicy,
      source: { volumeHandle: 'v' },
      volumeSnapshotRef: { namespace: 'n', name: 's' },
    },
    status,
  };
  bench.api.create(contents, content, 'u1');
}

beforeEach(() => {
  bench = new SimBench();
  [asked, cuts, removals] = [[], [], []];
  bench.api.create(persistentVolumes, {
    metadata: { name: 'v' },
    spec: { hostPath: { path: '/data' } },
  } as object);
});

describe('a VolumeSnapshotContent', () => {
  it('CLUS-C1: is marked before its copy begins, and until the outcome is known', async () => {
    makeContent();
    // After a failure that may not be the end of the copy, the next attempt is not answered.
    cuts = [{ kind: 'failed', final: false, message: 'no answer in time' }, null];
    await runFor(500);
    expect([stored()?.status?.error?.message, markOf()]).toEqual(['no answer in time', 'yes']);
    cuts = [cutAt(5)];
    await runFor(500);
    expect(new Set(asked)).toEqual(new Set(['cut snapshot-u1, mark yes']));
    expect([stored()?.status?.readyToUse, markOf()]).toEqual([true, undefined]);
  });

  it('CLUS-C2: has its copy under the same name after a restart during it', async () => {
    makeContent();
    cuts = [null];
    await runFor(500);
    cuts = [cutAt(5)];
    await runFor(500);
    expect(new Set(asked)).toEqual(new Set(['cut snapshot-u1, mark yes']));
    expect([asked.length, stored()?.status?.snapshotHandle]).toEqual([2, '/cut']);
  });

  it('CLUS-C3: keeps its creation time, and is not copied again', async () => {
    makeContent();
    cuts = [cutAt(5), cutAt(9)];
    await runFor(500);
    const body = { metadata: { labels: { changed: 'yes' } } };
    await bench.until(bench.client.patch(contents, { name: 'c' }, { type: 'merge', body }));
    await runFor(60_000);
    expect([asked.length, stored()?.status?.creationTime]).toEqual([1, 5e6]);
  });

  it('CLUS-C4: is deleted only once its copy is removed', async () => {
    makeContent({ status: { snapshotHandle: '/cut' } });
    await bench.until(bench.client.delete(contents, { name: 'c' }));
    removals = ['busy'];
    await runFor(500);
    expect([asked, stored()?.metadata?.finalizers]).toEqual([['remove /cut'], [CONTENT_BOUND]]);
    await runFor(500);
    expect([asked, stored()]).toEqual([['remove /cut', 'remove /cut'], undefined]);
  });

  it('CLUS-C4: is deleted without its copy, which its policy retains', async () => {
    makeContent({ deletionPolicy: 'Retain', status: { snapshotHandle: '/cut' } });
    await bench.until(bench.client.delete(contents, { name: 'c' }));
    await runFor(500);
    expect([asked, stored()]).toEqual([[], undefined]);
  });
});
