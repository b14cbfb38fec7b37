/** Restores that stop a workload, on a simulated API server: their claims, replicas and reports. */
import type { Pod } from 'kubernetes-types/core/v1.js';
import { describe, expect, it } from 'vitest';

import { persistentVolumeClaims, pods } from '../../../src/kube/resources.ts';
import { snapshots } from '../../../src/kube/snapshots.ts';
import {
  type RestoreHook,
  type SnapshotRestoreSpec,
  snapshotRestores,
} from '../../../src/lifecycles/snapshot/restore/kinds.ts';
import { failure } from '../controller/sim-api.ts';
import { RESTORE } from './restore-bench.ts';
import { type MadeWorkload, WorkloadBench } from './workload-bench.ts';

const HOUR_MS = 3_600_000;
const IN_PLACE = [{ sourceClaimName: 'data-db-0', claimName: 'data-db-0' }];
const check: RestoreHook = { name: 'check', pod: { image: 'i', command: ['run'] } };
const drain: RestoreHook = { name: 'drain', pod: { image: 'i', command: ['run'] } };
const SET: MadeWorkload = { kind: 'StatefulSet' };
/** The pods of this Deployment mount the source claim. The restore creates another claim. */
const DEPLOYMENT: MadeWorkload = { kind: 'Deployment', claim: 'data-db-0' };

function benchOf(workload: MadeWorkload): WorkloadBench {
  const bench = new WorkloadBench(workload);
  bench.makeSnapshot('ApplicationConsistent', 'data-db-0');
  return bench;
}

function stopping(
  { kind }: WorkloadBench,
  more: Partial<SnapshotRestoreSpec> = {},
): Partial<SnapshotRestoreSpec> {
  const stop: RestoreHook = { name: 'stop', scale: { kind, name: 'db' } };
  return { ...more, preRestore: [stop, ...(more.preRestore ?? [])] };
}

async function start(bench: WorkloadBench, more?: Partial<SnapshotRestoreSpec>): Promise<void> {
  await bench.eventually('it runs', () => bench.podsOfWorkload().length === 2, HOUR_MS);
  if (more?.claims === IN_PLACE) bench.deleteClaim('data-db-0');
  bench.makeRestore(stopping(bench, more));
  bench.startRestores();
}

async function end(bench: WorkloadBench, name: string = RESTORE): Promise<void> {
  await bench.eventually('the restore is over', () => bench.isOver(name), HOUR_MS);
}

async function run(bench: WorkloadBench, more?: Partial<SnapshotRestoreSpec>): Promise<void> {
  await start(bench, more);
  await end(bench);
}

const saysSo = (event: string): boolean =>
  event.startsWith('WorkloadStopped: StatefulSet db stays');
const failureOf = (bench: WorkloadBench): string =>
  bench.restore()?.status?.failure?.message ?? 'none';
const reasonOf = (bench: WorkloadBench): string =>
  bench.restore()?.status?.failure?.reason ?? 'none';
const deleteRestore = (bench: WorkloadBench): void => {
  bench.api.delete(snapshotRestores, { namespace: 'ns', name: RESTORE }, {});
};

describe('a workload that is stopped for a restore (SNAP-V9)', () => {
  it.each([SET, DEPLOYMENT])('has no pods when it counts as stopped: $kind', async (workload) => {
    const bench = benchOf(workload);
    let left: number | null = null;
    bench.onWrite = ({ resource, object }) => {
      const isNewClaim = resource === 'persistentvolumeclaims' && object.metadata?.name !== '';
      if (isNewClaim) left ??= bench.podsOfWorkload().length;
    };
    await run(bench);
    expect(reasonOf(bench)).toBe('none');
    expect(left).toBe(0);
    expect(bench.replicas()).toBe(2);
  });

  it('is not stopped if that deletes its claims', async () => {
    const bench = benchOf({ ...SET, whenScaled: 'Delete' });
    await run(bench);
    expect(failureOf(bench)).toContain('set persistentVolumeClaimRetentionPolicy.whenScaled to');
    expect(bench.replicas()).toBe(2);
  });

  it('fails the restore if another client scales it up, and is left alone', async () => {
    const bench = benchOf(SET);
    let isScaled = false;
    await start(bench, { verify: [check] });
    bench.onWrite = () => {
      if (isScaled || bench.restore()?.status?.phase !== 'Verifying') return;
      isScaled = true;
      bench.scale(3);
    };
    await end(bench);
    expect(reasonOf(bench)).toBe('NotStopped');
    expect(failureOf(bench)).toContain('StatefulSet db has 3 replicas again');
    expect(bench.replicas()).toBe(3);
  });
});

describe('a claim that is restored under its own name (SNAP-V4)', () => {
  it('is created when the deleted one is no longer used, with its labels', async () => {
    const bench = benchOf(SET);
    const before = bench.claim('data-db-0')?.metadata?.uid;
    await run(bench, { claims: IN_PLACE, verify: [check] });
    expect(failureOf(bench)).toBe('none');
    const { metadata = {} } = bench.claim('data-db-0') ?? {};
    expect(metadata.uid).not.toBe(before);
    expect(metadata.labels).toMatchObject({ tier: 'gold' });
    expect(bench.replicas()).toBe(2);
  });

  it('is kept by no pod of a restore that is complete (SNAP-V17)', async () => {
    const bench = benchOf(SET);
    await run(bench, { claims: IN_PLACE, verify: [check] });
    bench.scale(0);
    bench.deleteClaim('data-db-0');
    await bench.eventually('deleted', () => bench.claim('data-db-0') === undefined, HOUR_MS);
  });

  it('waits for the deletion, and names the pod that keeps the deleted one (SNAP-V17)', async () => {
    const bench = benchOf(SET);
    const reader = { namespace: 'ns', name: 'reader' };
    const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'data-db-0' } }];
    const pod: Pod = { metadata: reader, spec: { containers: [], volumes } };
    bench.api.create(pods, pod);
    await start(bench, { claims: IN_PLACE });
    const waiting = () =>
      bench.restore()?.status?.conditions?.find(({ reason }) => reason === 'WaitForClaim');
    await bench.eventually('it waits', () => waiting() !== undefined, HOUR_MS);
    expect(waiting()?.message).toBe(
      'Claim data-db-0 is being deleted, and is kept by pods that mount it: reader.',
    );
    expect(bench.restore()?.status?.phase).toBe('Restoring');
    bench.api.delete(pods, reader, {});
    await end(bench);
    expect(failureOf(bench)).toBe('none');
  });

  it('is not created while the deleted one stays, and the restore says why', async () => {
    const bench = benchOf(SET);
    bench.keepsClaims = true;
    await run(bench, { claims: IN_PLACE, bindDeadlineSeconds: 60 });
    expect(reasonOf(bench)).toBe('ClaimExists');
    expect(failureOf(bench)).toContain(
      'Claim data-db-0 was still being deleted after 60 s, kept by kubernetes.io/pvc-protection: ',
    );
  });

  it('is created once the quota of the deleted one is free', async () => {
    const bench = benchOf(SET);
    let refused = 0;
    const create = bench.api.create.bind(bench.api);
    bench.api.create = (resource, object) => {
      if (resource !== persistentVolumeClaims || refused === 3) return create(resource, object);
      refused += 1;
      throw failure(403, 'Forbidden', 'exceeded quota: claims, requested: 1, used: 1, limited: 1');
    };
    await run(bench, { claims: IN_PLACE });
    expect([failureOf(bench), refused]).toEqual(['none', 3]);
  });

  it('is created if the deleted one is removed between two requests', async () => {
    const bench = benchOf(SET);
    let collisions = 0;
    const create = bench.api.create.bind(bench.api);
    bench.api.create = (resource, object) => {
      if (resource !== persistentVolumeClaims || collisions === 1) return create(resource, object);
      collisions += 1;
      throw failure(409, 'AlreadyExists', 'it exists, and is removed now');
    };
    await run(bench, { claims: IN_PLACE });
    expect([failureOf(bench), collisions]).toEqual(['none', 1]);
  });

  it('is refused while it is not being deleted', async () => {
    const bench = benchOf(SET);
    await run(bench, { claims: [...IN_PLACE] });
    expect(failureOf(bench)).toContain('Claim data-db-0 exists already');
    expect(bench.replicas()).toBe(2);
  });
});

describe('a workload after a failed restore (SNAP-V9)', () => {
  const failed = async (
    workload: MadeWorkload,
    more: Partial<SnapshotRestoreSpec>,
  ): Promise<WorkloadBench> => {
    const bench = benchOf(workload);
    bench.exitCodes.set('check', 1).set('drain', 1);
    await run(bench, more);
    return bench;
  };

  it.each<[string, Partial<SnapshotRestoreSpec>]>([
    ['before its claims', { preRestore: [drain] }],
    ['at its check', { verify: [check] }],
  ])('is started again if it uses none of its claims: failed %s', async (_when, more) => {
    const bench = await failed(DEPLOYMENT, more);
    expect(failureOf(bench)).toContain(
      'Deployment db uses no claim of this restore, and is scaled back to 2 replicas.',
    );
    expect(bench.replicas()).toBe(2);
    const isReleased = (): boolean => bench.restore()?.metadata?.finalizers?.length === 0;
    await bench.eventually('our finalizer is removed', isReleased, HOUR_MS);
  });

  it('stays at 0 if its claim is not verified, and the message has the command', async () => {
    const bench = await failed(SET, { claims: IN_PLACE, verify: [check] });
    expect(bench.replicas()).toBe(0);
    expect(failureOf(bench)).toContain(
      'StatefulSet db stays at 0 replicas: it uses claim data-db-0, which this restore created and did not complete. To start the workload with this data: kubectl -n ns scale statefulset/db --replicas=2',
    );
    expect(bench.restore()?.status?.scaled?.[0]?.keptStopped).toBe(true);
    await bench.eventually('an event says so', () => bench.events().some(saysSo), HOUR_MS);
    deleteRestore(bench);
    await bench.eventually('it is deleted', () => bench.restore() === undefined, HOUR_MS);
    expect(bench.replicas()).toBe(2);
  });

  it('stays at 0 where a start would create an empty claim, also after a deletion', async () => {
    const bench = await failed(SET, { claims: IN_PLACE, preRestore: [drain] });
    expect(bench.claim('data-db-0')).toBeUndefined();
    expect(bench.replicas()).toBe(0);
    expect(failureOf(bench)).toContain(
      'StatefulSet db stays at 0 replicas: it uses claim data-db-0, which this restore did not create: check that it exists, or restore it. Then: kubectl -n ns scale statefulset/db --replicas=2',
    );
    deleteRestore(bench);
    await bench.eventually('it is deleted', () => bench.restore() === undefined, HOUR_MS);
    expect(bench.replicas()).toBe(0);
  });

  it('is scaled back by the next restore, to the replicas that the failed one recorded', async () => {
    const bench = await failed(SET, { claims: IN_PLACE, preRestore: [drain] });
    bench.makeRestore(stopping(bench, { claims: IN_PLACE }), 'again');
    await end(bench, 'again');
    expect(bench.restore('again')?.status?.failure).toBeUndefined();
    expect(bench.replicas()).toBe(2);
  });
});

it('a restore whose snapshot is being deleted fails before it stops anything', async () => {
  const bench = benchOf(SET);
  const key = { namespace: 'ns', name: 'nightly-data' };
  const body = { metadata: { finalizers: ['snapshot.storage.kubernetes.io/bound'] } };
  bench.api.patch(snapshots, key, { type: 'merge', body });
  bench.api.delete(snapshots, key, {});
  await run(bench, { claims: [{ sourceClaimName: 'data-db-0', claimName: 'copy' }] });
  expect(reasonOf(bench)).toBe('SnapshotNotFound');
  expect(bench.restore()?.status?.scaled).toBeUndefined();
});
