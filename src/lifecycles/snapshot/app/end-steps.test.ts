/**
 * A snapshot deletes exactly the objects that it created: an object of the same name may belong to another client
 * (SNAP-I9, SNAP-I12).
 */
import { describe, expect, it } from 'vitest';

import { sampleHook } from '../../../../test/fixtures/snapshot/app-facts.ts';
import { failure } from '../../../../test/sim/controller/sim-api.ts';
import { SimBench } from '../../../../test/sim/controller/sim-bench.ts';
import type { KubeClient } from '../../../kube/client.ts';
import { getOrNull } from '../../../kube/get-or-null.ts';
import { snapshots as volumeSnapshots } from '../../../kube/snapshots.ts';
import { type ExecutionHook, executionHooks } from '../kinds.ts';
import type { Acting } from './acting.ts';
import { deleteHook, deleteSnapshots, thawAll } from './end-steps.ts';
import type { HookFacts } from './facts.ts';

function benchThat() {
  const bench = new SimBench();
  const remembered: (string | undefined)[] = [];
  const caches = {
    writtenHooks: {
      remember: ({ metadata }: ExecutionHook) => remembered.push(metadata?.deletionTimestamp),
    },
    kinds: { snapshots: { resource: volumeSnapshots } },
  };
  const acting = { client: bench.client, caches } as unknown as Acting;
  return { bench, acting, remembered };
}
const recreated = <T extends { metadata?: object }>(object: T): T => ({
  ...object,
  metadata: { ...object.metadata, uid: 'uid-of-the-one-before' },
});

describe('deleteHook', () => {
  it('deletes the hook, and keeps it as terminating until its thaw', async () => {
    const { bench, acting, remembered } = benchThat();
    const hook = await bench.until(bench.client.create(executionHooks, sampleHook()));
    const others = await bench.until(deleteHook(acting, hook));
    expect(others?.metadata?.deletionTimestamp).toBeDefined();
    expect(remembered).toEqual([others?.metadata?.deletionTimestamp]);
  });

  it('leaves a recreated hook of the same name alone', async () => {
    const { bench, acting, remembered } = benchThat();
    const hook = await bench.until(bench.client.create(executionHooks, sampleHook()));
    expect(await bench.until(deleteHook(acting, recreated(hook)))).toBeNull();
    const key = { namespace: 'shop', name: 'hook-0' };
    const found = await bench.until(getOrNull(bench.client, executionHooks, key));
    expect([found?.metadata?.deletionTimestamp, remembered]).toEqual([undefined, []]);
  });

  it('reports a hook that is deleted already as absent', async () => {
    const { bench, acting } = benchThat();
    expect(await bench.until(deleteHook(acting, sampleHook()))).toBeNull();
  });
});

it('deletes no VolumeSnapshot that was recreated under the same name', async () => {
  const { bench, acting } = benchThat();
  const metadata = { name: 'nightly-data', namespace: 'shop' };
  const made = await bench.until(bench.client.create(volumeSnapshots, { metadata }));
  const there = (): Promise<boolean> =>
    bench.until(getOrNull(bench.client, volumeSnapshots, metadata).then((found) => found !== null));
  const step = { kind: 'deleteSnapshots', groups: [] } as const;
  await bench.until(deleteSnapshots(acting, { ...step, snapshots: [recreated(made)] }));
  expect(await there()).toBe(true);
  await bench.until(deleteSnapshots(acting, { ...step, snapshots: [made] }));
  expect(await there()).toBe(false);
});

it('asks every hook for its thaw that is not asked yet, the last one first (SNAP-G9, SNAP-G18)', async () => {
  const { bench, acting } = benchThat();
  const names = ['first', 'thawed', 'deleted', 'last'];
  const made = await Promise.all(
    names.map((name) => bench.until(bench.client.create(executionHooks, sampleHook({ name })))),
  );
  const deleted: string[] = [];
  const client: KubeClient = {
    ...bench.client,
    delete: (resource, key, options) => {
      deleted.push(key.name);
      return bench.client.delete(resource, key, options);
    },
  };
  const hooks = made.map((hook, index) => ({ name: names[index] ?? '', hook }));
  const [first, thawed, others, last] = hooks;
  const settled = { ...thawed?.hook, status: { ...thawed?.hook.status, postActionSucceed: true } };
  const terminating = {
    ...others?.hook,
    metadata: { ...others?.hook.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' },
  };
  const all = [
    first,
    { name: 'thawed', hook: settled },
    { name: 'deleted', hook: terminating },
    { name: 'missing', hook: null },
    last,
  ];
  await bench.until(thawAll({ ...acting, client }, all as HookFacts[]));
  expect(deleted).toEqual(['last', 'first']);
});

it('requests the thaw of the other hooks although the server refuses the deletion of one (SNAP-I15)', async () => {
  const { bench, acting } = benchThat();
  const made = await Promise.all(
    ['first', 'last'].map((name) =>
      bench.until(bench.client.create(executionHooks, sampleHook({ name }))),
    ),
  );
  const deleted: string[] = [];
  const refusal = failure(403, 'Forbidden', 'admission webhook denied the request');
  const client: KubeClient = {
    ...bench.client,
    delete: (resource, key, options) => {
      if (key.name === 'last') return Promise.reject(refusal);
      deleted.push(key.name);
      return bench.client.delete(resource, key, options);
    },
  };
  const hooks = made.map((hook) => ({ name: hook.metadata?.name ?? '', hook }));
  const thawing = thawAll({ ...acting, client }, hooks);
  await expect(bench.until(thawing)).rejects.toBe(refusal);
  expect(deleted).toEqual(['first']);
});
