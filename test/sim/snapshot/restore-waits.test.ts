/** Restores of a snapshot that has no verdict yet, on a simulated API server. */
import { beforeEach, describe, expect, it } from 'vitest';

import { findCondition } from '../../../src/controller/conditions.ts';
import { contents, snapshots } from '../../../src/kube/snapshots.ts';
import {
  type ApplicationSnapshot,
  applicationSnapshots,
  type ApplicationSnapshotStatus,
} from '../../../src/lifecycles/snapshot/kinds.ts';
import { RestoreBench } from './restore-bench.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const source = { volumeSnapshotNames: ['nightly-data'] };
const VOLUME_SNAPSHOT = { name: 'nightly-data' };

let bench: RestoreBench;

beforeEach(() => {
  bench = new RestoreBench();
  bench.makeSnapshot();
});

function judgement(status: Partial<ApplicationSnapshotStatus>): void {
  const key = { namespace: 'ns', name: 'nightly' };
  const found = bench.api.find(applicationSnapshots, key) as ApplicationSnapshot | undefined;
  bench.api.replace(applicationSnapshots, { ...found, status } as ApplicationSnapshot, 'status');
}

/** Creates a window of a guard that has admitted the VolumeSnapshot of another client. */
function makeWindow(phase: ApplicationSnapshotStatus['phase'], uid: string = uidOf()): void {
  judgement({ phase: 'Completed', volumes: [] });
  bench.api.create(applicationSnapshots, {
    metadata: { namespace: 'ns', name: 'shop-window-1' },
    spec: { source: {}, window: { guardName: 'shop', freezeTimeoutSeconds: 10 } },
    status: { phase, admitted: [{ uid, kind: 'VolumeSnapshot', ...VOLUME_SNAPSHOT }] },
  } as unknown as ApplicationSnapshot);
}

function uidOf(): string {
  const [content] = bench.api.list(contents);
  return (content as unknown as { spec: { volumeSnapshotRef: { uid: string } } }).spec
    .volumeSnapshotRef.uid;
}

/** Adds the label that our controller adds to its own VolumeSnapshots. */
function label(): void {
  const [snapshot] = bench.api.list(snapshots);
  const labels = { 'lifehook.dev/application-snapshot': 'nightly' };
  const metadata = { ...snapshot?.metadata, labels };
  bench.api.replace(snapshots, { ...snapshot, metadata }, 'object');
}

function mark(value: string): void {
  const [content] = bench.api.list(contents);
  const metadata = { ...content?.metadata, labels: { 'lifehook.dev/verdict': value } };
  bench.api.replace(contents, { ...content, metadata }, 'object');
}

async function end(): Promise<string> {
  await bench.eventually('the restore is over', () => bench.isOver(), 20 * MINUTE_MS);
  const { failure, phase = '' } = bench.restore()?.status ?? {};
  return failure === undefined ? phase : `${failure.reason}: ${failure.message}`;
}

function waitsFor(): string {
  const { conditions = [] } = bench.restore()?.status ?? {};
  const found = findCondition(conditions, 'Reconciling');
  return `${found?.status ?? ''} ${found?.reason ?? ''}: ${found?.message ?? ''}`;
}

describe('a restore of a snapshot without a verdict (SNAP-V15)', () => {
  it('waits until the window that admitted the snapshot is closed and its content marked', async () => {
    makeWindow('Cutting');
    bench.makeRestore({ source });
    bench.startRestores();
    await bench.pass(30 * SECOND_MS);
    expect(bench.restore()?.status?.failure).toBeUndefined();
    expect(waitsFor()).toBe(
      'True WaitForSnapshot: VolumeSnapshot nightly-data has no verdict yet (ApplicationSnapshot shop-window-1 is Cutting)',
    );
    mark('ApplicationConsistent');
    expect(await end()).toBe('Completed');
    expect(bench.restore()?.status?.sourceVerdict).toMatchObject({ origin: 'Content' });
    expect(waitsFor()).toContain('False Restored');
  });

  it('is refused once the verdict is decided and too low', async () => {
    makeWindow('Completed');
    bench.makeRestore({ source });
    bench.startRestores();
    await bench.pass(5 * SECOND_MS);
    mark('Inconsistent');
    expect(await end()).toContain('VerdictTooLow: The snapshot is Inconsistent');
  });

  it('waits until the ApplicationSnapshot that created the snapshot has ended', async () => {
    const key = { namespace: 'ns', name: 'nightly' };
    const { status } = bench.api.find(applicationSnapshots, key) as ApplicationSnapshot;
    judgement({ phase: 'Thawing', volumes: status?.volumes ?? [] });
    label();
    bench.makeRestore({ source });
    bench.startRestores();
    await bench.pass(30 * SECOND_MS);
    expect(waitsFor()).toContain('(ApplicationSnapshot nightly is Thawing)');
    judgement(status ?? {});
    expect(await end()).toBe('Completed');
  });

  it('waits for ten minutes, and not for a verdict that it does not need', async () => {
    makeWindow('Cutting');
    bench.makeRestore({ source });
    bench.startRestores();
    expect(await end()).toBe(
      'SnapshotNotReady: VolumeSnapshot nightly-data has no verdict yet (ApplicationSnapshot shop-window-1 is Cutting) after 10 minutes: restore it again when the snapshot is complete.',
    );
    bench.makeRestore({ source, requiredVerdict: 'Any' }, 'any');
    await bench.eventually('it is over', () => bench.isOver('any'), MINUTE_MS);
    expect(bench.restore('any')?.status?.phase).toBe('Completed');
  });

  it('waits although the clock of its controller is an hour ahead', async () => {
    makeWindow('Cutting');
    bench.makeRestore({ source });
    bench.startRestores().skewMs = 60 * MINUTE_MS;
    await bench.pass(30 * SECOND_MS);
    expect(bench.restore()?.status?.failure).toBeUndefined();
    const waitedMs = bench.world.wallMs;
    expect(await end()).toContain('SnapshotNotReady');
    expect(bench.world.wallMs - waitedMs).toBeGreaterThan(9 * MINUTE_MS);
  });

  it('fails at once if no window has admitted the snapshot', async () => {
    makeWindow('Cutting', 'another');
    bench.makeRestore({ source });
    bench.startRestores();
    await bench.pass(5 * SECOND_MS);
    expect(await end()).toContain('VerdictTooLow: The snapshot is Unknown (NoTrustedVerdict)');
  });
});
