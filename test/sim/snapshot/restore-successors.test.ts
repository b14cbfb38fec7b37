/** Two restores that stop the same workload, on a simulated API server: which one scales it back. */
import { describe, expect, it } from 'vitest';

import {
  type RestoreHook,
  type SnapshotRestoreSpec,
  snapshotRestores,
} from '../../../src/lifecycles/snapshot/restore/kinds.ts';
import { RESTORE } from './restore-bench.ts';
import { WorkloadBench } from './workload-bench.ts';

const HOUR_MS = 3_600_000;
const NEXT = 'next';
const STOP: RestoreHook = { name: 'stop', scale: { kind: 'StatefulSet', name: 'db' } };

/** A restore that stops the workload, and checks the copy with a hook of this name. */
function stopping(check: string, claimName: string): Partial<SnapshotRestoreSpec> {
  const claims = [{ sourceClaimName: 'data-db-0', claimName }];
  return { claims, preRestore: [STOP], verify: [{ name: check, pod: { image: 'i' } }] };
}

async function until(bench: WorkloadBench, what: string, isSo: () => boolean): Promise<void> {
  await bench.eventually(what, isSo, HOUR_MS);
}

const isIn = (bench: WorkloadBench, name: string, phase: string) => (): boolean =>
  bench.restore(name)?.status?.phase === phase;

async function deleteFirst(bench: WorkloadBench): Promise<void> {
  bench.api.delete(snapshotRestores, { namespace: 'ns', name: RESTORE }, {});
  await until(bench, 'it is deleted', () => bench.restore() === undefined);
}

/** A bench with a workload of two pods, which are running. */
async function running(): Promise<WorkloadBench> {
  const bench = new WorkloadBench({ kind: 'StatefulSet' });
  bench.makeSnapshot('ApplicationConsistent', 'data-db-0');
  bench.exitCodes.set('bad', 1);
  await until(bench, 'it runs', () => bench.podsOfWorkload().length === 2);
  bench.startRestores();
  return bench;
}

/** A bench after a restore that has failed, and keeps the workload at 0. */
async function afterFailure(): Promise<WorkloadBench> {
  const bench = await running();
  bench.deleteClaim('data-db-0');
  bench.makeRestore(stopping('bad', 'data-db-0'));
  await until(bench, 'it has failed', () => bench.isOver());
  expect(bench.replicas()).toBe(0);
  return bench;
}

describe('a workload that two restores have stopped (SNAP-V9)', () => {
  it('stays stopped when the failed one is deleted while the next one runs', async () => {
    const bench = await afterFailure();
    bench.makeRestore(stopping('check', 'copy'), NEXT);
    await until(bench, 'the next one verifies', isIn(bench, NEXT, 'Verifying'));
    await deleteFirst(bench);
    expect(bench.replicas()).toBe(0);
    await until(bench, 'the next one is over', () => bench.isOver(NEXT));
    expect(bench.restore(NEXT)?.status?.failure).toBeUndefined();
    expect(bench.replicas()).toBe(2);
  });

  it('keeps the replicas that a user has set after the next one was complete', async () => {
    const bench = await afterFailure();
    bench.makeRestore(stopping('check', 'copy'), NEXT);
    await until(bench, 'the next one is complete', isIn(bench, NEXT, 'Completed'));
    expect(bench.replicas()).toBe(2);
    bench.scale(0);
    await deleteFirst(bench);
    expect(bench.replicas()).toBe(0);
  });

  it('is scaled back by the last of two that run at the same time', async () => {
    const bench = await running();
    bench.makeRestore(stopping('check', 'copy-1'));
    await until(bench, 'the first one verifies', isIn(bench, RESTORE, 'Verifying'));
    bench.makeRestore(stopping('check', 'copy-2'), NEXT);
    await until(bench, 'the first one is complete', () => bench.isOver());
    expect([bench.isOver(NEXT), bench.replicas()]).toEqual([false, 0]);
    await until(bench, 'the next one is over', () => bench.isOver(NEXT));
    expect(bench.restore(NEXT)?.status?.failure).toBeUndefined();
    expect(bench.replicas()).toBe(2);
  });

  it('is left to the one that runs by one that fails, and its message says so', async () => {
    const bench = await running();
    bench.makeRestore(stopping('bad', 'copy-1'));
    await until(bench, 'the first one verifies', isIn(bench, RESTORE, 'Verifying'));
    bench.makeRestore(stopping('check', 'copy-2'), NEXT);
    await until(bench, 'the first one has failed', () => bench.isOver());
    expect([bench.isOver(NEXT), bench.replicas()]).toEqual([false, 0]);
    expect(bench.restore()?.status?.failure?.message).toContain(
      'StatefulSet db uses no claim of this restore. Another restore has stopped it too, and sets its replicas.',
    );
    await until(bench, 'the next one is over', () => bench.isOver(NEXT));
    expect(bench.replicas()).toBe(2);
  });

  it('stays stopped when the one that runs longer is complete, since the other one has failed', async () => {
    const bench = await running();
    const verify = Array.from({ length: 9 }, (_, at) => ({
      name: `check-${at}`,
      pod: { image: 'i' },
    }));
    bench.makeRestore({ ...stopping('check', 'copy'), verify });
    await until(bench, 'the first one verifies', isIn(bench, RESTORE, 'Verifying'));
    bench.deleteClaim('data-db-0');
    bench.makeRestore(stopping('bad', 'data-db-0'), NEXT);
    await until(bench, 'the next one is over', () => bench.isOver(NEXT));
    expect([bench.isOver(), bench.restore(NEXT)?.status?.failure?.reason]).toEqual([
      false,
      'CheckFailed',
    ]);
    await until(bench, 'the first one is complete', isIn(bench, RESTORE, 'Completed'));
    expect(bench.replicas()).toBe(0);
  });
});
