import { beforeEach, describe, expect, it } from 'vitest';

import {
  GUARD_NAMESPACE as namespace,
  sampleGuard,
  sampleWindow,
} from '../../../../test/fixtures/snapshot/guard-samples.ts';
import { SimBench } from '../../../../test/sim/controller/sim-bench.ts';
import type { Outcome, PassContext } from '../../../controller/reconcile.ts';
import { LifehookError } from '../../../model/problem.ts';
import { namespaces } from '../../../kube/resources.ts';
import type { SnapshotContext } from '../context.ts';
import {
  type ApplicationSnapshot,
  applicationSnapshots,
  executionHookTemplates,
  type SnapshotGuard,
  snapshotGuards,
} from '../kinds.ts';
import { GUARD_ENABLED, GUARD_ENABLED_VALUE } from '../names.ts';
import type { GuardCaches } from './caches.ts';
import { KEPT_AT_LEAST_MS } from './decide.ts';
import { driveGuard } from './drive.ts';

const KEY = `${namespace}/mariadb`;

let bench: SimBench;
let cached: { guard: SnapshotGuard | null; windows: ApplicationSnapshot[] };

beforeEach(() => {
  bench = new SimBench();
  cached = { guard: null, windows: [] };
  const labels = { [GUARD_ENABLED]: GUARD_ENABLED_VALUE };
  bench.api.create(namespaces, { metadata: { name: namespace, labels } });
});

/** One reconcile with the caches of the test. */
function drive(mayAct = true): Promise<Outcome> {
  const { client, host } = bench;
  const context = { client, platform: host } as unknown as SnapshotContext;
  const caches = {
    guards: { get: () => cached.guard ?? undefined },
    windowsOf: () => cached.windows,
  };
  const pass = { mayAct: () => mayAct } as PassContext;
  const options = { context, caches: caches as unknown as GuardCaches };
  return bench.until(driveGuard(options, KEY, pass));
}

function makeGuard(): void {
  cached.guard = bench.api.create(snapshotGuards, sampleGuard()) as unknown as SnapshotGuard;
}

/** Makes a window that ended `endedMs` ago, on the server and in the cache. */
function makeWindow(number: number, endedMs = KEPT_AT_LEAST_MS): void {
  const completedAt = new Date(bench.world.wallMs - endedMs).toISOString();
  const window = sampleWindow(number, { phase: 'Completed', completedAt });
  const made = bench.api.create(applicationSnapshots, window) as unknown as ApplicationSnapshot;
  cached.windows.push({ ...made, status: window.status ?? {} });
}

const windowNames = (): readonly (string | undefined)[] =>
  bench.api.list(applicationSnapshots).map(({ metadata }) => metadata.name);

const statusOnServer = (): SnapshotGuard['status'] =>
  (bench.api.get(snapshotGuards, { namespace, name: 'mariadb' }) as unknown as SnapshotGuard)
    .status;

describe('a reconcile of a deleted guard (SNAP-W13)', () => {
  it('deletes its old windows, and is done when none is left', async () => {
    makeWindow(1);
    makeWindow(2, 0);
    expect(await drive()).toMatchObject({ kind: 'requeueAfter' });
    expect(windowNames()).toEqual(['mariadb-window-2']);
    cached.windows = [];
    expect(await drive()).toEqual({ kind: 'done' });
  });

  it('does not delete a window that another one of its name has replaced', async () => {
    makeWindow(1);
    const key = { namespace, name: 'mariadb-window-1' };
    bench.api.delete(applicationSnapshots, key, {});
    bench.api.create(applicationSnapshots, sampleWindow(1));
    await drive();
    expect(windowNames()).toEqual(['mariadb-window-1']);
  });
});

describe('the status of a guard (SNAP-W13)', () => {
  it('names missing templates, also while it has windows', async () => {
    makeGuard();
    makeWindow(1);
    await drive();
    const missing = { status: 'False', reason: 'TemplateMissing' };
    expect(statusOnServer()?.conditions?.[0]).toMatchObject({ type: 'Ready', ...missing });
  });

  it('finds templates in the namespace of the guard only', async () => {
    makeGuard();
    const template = { metadata: { namespace: 'other', name: 'lock' }, spec: {} };
    bench.api.create(executionHookTemplates, template);
    await drive();
    expect(statusOnServer()?.conditions?.[0]).toMatchObject({ reason: 'TemplateMissing' });
  });

  it('does not count a window as deleted before it is', async () => {
    makeGuard();
    for (let number = 1; number <= 21; number += 1) makeWindow(number);
    bench.onWrite = ({ verb }) => {
      if (verb === 'delete') bench.faults = { ...bench.faults, refused: 1 };
    };
    await expect(drive()).rejects.toThrow();
    expect(statusOnServer()).toBeUndefined();
    expect(windowNames()).toHaveLength(21);
  });

  it('is not written by a process that no longer leads', async () => {
    makeGuard();
    makeWindow(1);
    await expect(drive(false)).rejects.toThrow(LifehookError);
    expect(statusOnServer()).toBeUndefined();
    cached.guard = null;
    await expect(drive(false)).rejects.toThrow(LifehookError);
    expect(windowNames()).toEqual(['mariadb-window-1']);
  });
});
