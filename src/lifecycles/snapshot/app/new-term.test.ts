/**
 * A process that starts to lead: its cache may show a time before the server was restored, and its failures and windows
 * may be of an earlier term.
 */
import { describe, expect, it } from 'vitest';

import { sampleHook, sampleSnapshot } from '../../../../test/fixtures/snapshot/app-facts.ts';
import { SimBench } from '../../../../test/sim/controller/sim-bench.ts';
import { failure } from '../../../../test/sim/controller/sim-api.ts';
import { SnapshotStand } from '../../../../test/sim/snapshot/stand.ts';
import type { FencingToken } from '../../../controller/leadership.ts';
import type { PassContext } from '../../../controller/reconcile.ts';
import { nodes, pods } from '../../../kube/resources.ts';
import { snapshots } from '../../../kube/snapshots.ts';
import { resourceName } from '../../../kube/object.ts';
import {
  type ApplicationSnapshot,
  applicationSnapshots,
  type ApplicationSnapshotStatus,
  type ExecutionHook,
  executionHooks,
} from '../kinds.ts';
import type { SnapshotCaches } from './caches.ts';
import { SnapshotDriver } from './drive.ts';

function hookOf({ api }: SnapshotStand): ExecutionHook | undefined {
  return api.peek(executionHooks)[0] as ExecutionHook | undefined;
}

it('requests no snapshot of a volume before the server says that the hook has frozen, whatever the cache says (SNAP-I12)', async () => {
  const stand = new SnapshotStand({ replicas: 2 });
  const { api } = stand;
  await stand.eventually(() => hookOf(stand) !== undefined);
  const backup = api.backup();
  await stand.eventually(() => api.peek(snapshots).length > 0);
  const answer = api.rules.add(() => ({ kind: 'losesRequest' }));
  await stand.eventually(() => stand.world.elapsedMs > 20_000);
  const list = api.rules.add(({ verb, resource }) =>
    ['list', 'watch'].includes(verb) && resource === executionHooks
      ? { kind: 'answers', afterMs: 0, refusal: failure(500, 'InternalError', 'conversion failed') }
      : null,
  );
  api.restore(backup, [pods, nodes]);
  answer();
  const frozen: unknown[] = [];
  api.onCommit(({ resource, type }) => {
    if (resource === resourceName(snapshots) && type === 'Upsert' && frozen.length === 0)
      frozen.push(hookOf(stand)?.status?.preActionSucceed);
  });
  stand.world.after(60_000, list);
  await stand.eventually(() => stand.snapshot?.status?.completedAt !== undefined);
  expect(frozen).toEqual([true]);
});

it('does not count the failures of an earlier term, in which another leader may have acted (SNAP-I5)', async () => {
  const bench = new SimBench();
  const created = sampleSnapshot({ executionHookNames: ['hook-0'] });
  const snapshot = await bench.until(bench.client.create(applicationSnapshots, created));
  const hook = await bench.until(bench.client.create(executionHooks, sampleHook()));
  const client = { ...bench.client, get: () => Promise.reject(new Error('no answer')) };
  const context = { client, platform: bench.host, random: () => 0.5 } as never;
  const caches = {
    beginTerm: () => {},
    application: () => snapshot,
    hook: () => hook,
    applications: { resource: applicationSnapshots, get: () => snapshot, list: () => [] },
    writtenApplications: { isSeen: () => false },
    writtenHooks: { remember: () => {} },
  } as unknown as SnapshotCaches;
  const driver = new SnapshotDriver(context, caches);
  const [first, second] = [1, 2].map((transitions) => ({ leaseUid: 'lease', transitions }));
  const failIn = async (token: FencingToken | undefined): Promise<boolean> => {
    const pass = { token, mayAct: () => true } as unknown as PassContext;
    await expect(bench.until(driver.pass('shop/nightly', pass))).rejects.toThrow('no answer');
    return (bench.api.peek(executionHooks)[0]?.metadata.deletionTimestamp ?? null) !== null;
  };
  expect(await failIn(first)).toBe(false);
  await bench.pass(60_000);
  expect(await failIn(second)).toBe(false);
  await bench.pass(25_000);
  expect(await failIn(second)).toBe(true);
});

describe('a window that was opened while no controller led (SNAP-W8)', () => {
  const KEY = { namespace: 'ns', name: 'mariadb-window-1' };
  const open = ({ api }: SnapshotStand): void => {
    const source = { persistentVolumeClaimNames: ['c0'] };
    const window = { guardName: 'mariadb', freezeTimeoutSeconds: 10, holdOpenSeconds: 0 };
    const executionHookInfos = [{ executionHookTemplateName: 'none' }];
    const spec = { source, window, executionHookInfos };
    api.create(applicationSnapshots, { metadata: KEY, spec } as never);
  };
  const statusIn = ({ api }: SnapshotStand): ApplicationSnapshotStatus | undefined =>
    (api.find(applicationSnapshots, KEY) as ApplicationSnapshot | undefined)?.status;

  it('is not begun by a leader that finds it after the time of its request', async () => {
    const stand = new SnapshotStand({ replicas: 0 });
    open(stand);
    stand.replaceAfter(15_000);
    await stand.eventually(() => statusIn(stand)?.completedAt !== undefined);
    expect(statusIn(stand)?.failure?.reason).toBe('FreezeTimeout');
    expect(statusIn(stand)?.startedAt).toBeUndefined();
  });

  it('is begun by one that finds it earlier, or that led before it was opened', async () => {
    const early = new SnapshotStand({ replicas: 0 });
    open(early);
    early.replaceAfter(5_000);
    await early.eventually(() => statusIn(early)?.startedAt !== undefined);
    const leading = new SnapshotStand({ replicas: 1 });
    await leading.eventually(() => leading.snapshot?.status?.completedAt !== undefined);
    open(leading);
    await leading.eventually(() => statusIn(leading)?.startedAt !== undefined);
  });
});
