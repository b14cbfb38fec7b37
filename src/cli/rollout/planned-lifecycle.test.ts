import { expect, it } from 'vitest';

import type { DeploymentLifecycle } from '../../lifecycles/rollout/kinds.ts';
import type { CliCluster } from '../kube-connection.ts';
import { plannedLifecycle } from './planned-lifecycle.ts';

function lifecycleOf(
  name: string,
  gate: 'Admission' | 'PausedAtRest',
  more: object = {},
): DeploymentLifecycle {
  return { metadata: { name, ...more }, spec: { deploymentName: 'web', gate } };
}

/** A cluster with these lifecycles, and the writes that it got. */
function openCluster(items: readonly DeploymentLifecycle[]) {
  const writes: unknown[] = [];
  const write =
    (verb: string) =>
    async (_: unknown, object: DeploymentLifecycle, options: object): Promise<object> => {
      writes.push([verb, object.metadata, options]);
      const { creationTimestamp = '2026-02-01T00:00:00Z' } =
        items.find(({ metadata }) => metadata?.name === object.metadata?.name)?.metadata ?? {};
      return { ...object, metadata: { ...object.metadata, creationTimestamp } };
    };
  const client = {
    list: async () => ({ items }),
    create: write('create'),
    replace: write('replace'),
  };
  return { writes, cluster: { client, namespace: 'shop' } as unknown as CliCluster };
}

const old = { resourceVersion: '7', creationTimestamp: '2026-01-01T00:00:00Z' };

it('is that of the manifest, as the server would store it, where it replaces the stored one', async () => {
  const { cluster, writes } = openCluster([lifecycleOf('hooks', 'Admission', old)]);
  const written = [lifecycleOf('hooks', 'PausedAtRest')];
  const planned = await plannedLifecycle(cluster, 'web', written);
  expect([planned.lifecycle.spec.gate, planned.isProvable]).toEqual(['PausedAtRest', false]);
  const metadata = { name: 'hooks', namespace: 'shop', resourceVersion: '7' };
  expect(writes).toEqual([['replace', metadata, { dryRun: true }]]);
});

it('has a gate that cannot be proven before the webhook holds rollouts', async () => {
  const { cluster } = openCluster([lifecycleOf('hooks', 'PausedAtRest', old)]);
  const planned = await plannedLifecycle(cluster, 'web', [lifecycleOf('hooks', 'Admission')]);
  expect([planned.lifecycle.spec.gate, planned.isProvable]).toEqual(['Admission', false]);
});

it('is a new one of the manifest, whose gate cannot be proven yet', async () => {
  const { cluster, writes } = openCluster([]);
  const planned = await plannedLifecycle(cluster, 'web', [lifecycleOf('hooks', 'Admission')]);
  expect([planned.lifecycle.metadata?.name, planned.isProvable]).toEqual(['hooks', false]);
  expect(writes).toEqual([['create', { name: 'hooks', namespace: 'shop' }, { dryRun: true }]]);
});

it('stays an older one of another name', async () => {
  const { cluster } = openCluster([lifecycleOf('older', 'Admission', old)]);
  const planned = await plannedLifecycle(cluster, 'web', [lifecycleOf('hooks', 'PausedAtRest')]);
  expect([planned.lifecycle.metadata?.name, planned.isProvable]).toEqual(['older', true]);
});

it('is required, on the server or in the manifest', async () => {
  const { cluster } = openCluster([]);
  await expect(plannedLifecycle(cluster, 'web', [])).rejects.toThrow('LHR402');
});
