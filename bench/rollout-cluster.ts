/**
 * A namespace with the kinds that `lifehook controller` needs, on the local cluster or a real one; and that controller
 * with its gate. The webhook configurations of the gate apply to the whole cluster, so no other controller of ours may
 * run on it during a measurement.
 */
import { randomBytes } from 'node:crypto';

import { groupDefinitions, singleDefinitions } from '../packages/local-cluster/src/index.ts';
import type { Definition } from '../src/controller/definitions/definition.ts';
import { findCondition } from '../src/controller/conditions.ts';
import type { KubeClient, KubeConnection } from '../src/kube/client.ts';
import { getOrNull } from '../src/kube/get-or-null.ts';
import type { Resource } from '../src/kube/object.ts';
import { customResourceDefinitions, namespaces, serviceAccounts } from '../src/kube/resources.ts';
import { groupSnapshots, snapshots } from '../src/kube/snapshots.ts';
import type { DeploymentLifecycle } from '../src/lifecycles/rollout/kinds.ts';
import { connectToCluster, kubeconfigPath } from '../test/cluster/real-cluster.ts';
import { openCluster } from '../test/e2e/cluster-stand.ts';
import { eventually } from '../test/fixtures/api-cases/eventually.ts';
import { defineKinds } from '../test/fixtures/define-kinds.ts';
import { defineSnapshotKinds } from '../test/fixtures/define-snapshot-kinds.ts';
import { removeWebhooks } from '../test/fixtures/rollout-cases/remove-webhooks.ts';
import { defineRolloutKinds } from '../test/fixtures/rollout/define-rollout-kinds.ts';
import { type ControllerProcess, startController } from './snapshot-controller.ts';

export interface RolloutCluster extends AsyncDisposable {
  readonly name: 'local' | 'real';
  readonly client: KubeClient;
  readonly connection: KubeConnection;
  readonly kubeconfig: string;
  readonly namespace: string;
}

const ID_BYTES = 4;

/** The local cluster without our controllers; its containers are plain processes. */
export async function openLocal(): Promise<RolloutCluster> {
  const cluster = await openCluster('--runner', 'process');
  const { client, connection, kubeconfig } = cluster;
  await define(client);
  return {
    name: 'local',
    client,
    connection,
    kubeconfig,
    namespace: await makeNamespace(client),
    [Symbol.asyncDispose]: async () => cluster[Symbol.asyncDispose](),
  };
}

export async function openReal(): Promise<RolloutCluster> {
  const { client, connection } = connectToCluster();
  const undefine = await define(client);
  const namespace = await makeNamespace(client);
  return {
    name: 'real',
    client,
    connection,
    kubeconfig: kubeconfigPath(),
    namespace,
    [Symbol.asyncDispose]: async () => {
      await client.delete(namespaces, { name: namespace });
      await undefine();
      connection.transport.close();
    },
  };
}

/** Resolves once the controller is leader and its gate is configured. */
export async function startGatedController(cluster: RolloutCluster): Promise<ControllerProcess> {
  const flags = ['--webhook-address', '127.0.0.1:0'];
  const controller = await startController({ ...cluster, flags });
  return {
    ...controller,
    [Symbol.asyncDispose]: async () => {
      await controller[Symbol.asyncDispose]();
      await removeWebhooks(cluster.client);
    },
  };
}

export function isArmed({ status }: DeploymentLifecycle): boolean {
  return findCondition(status?.conditions ?? [], 'Armed')?.status === 'True';
}

async function define(client: KubeClient): Promise<() => Promise<void>> {
  const { items } = await client.list(customResourceDefinitions);
  const there = new Set(items.map(({ metadata }) => metadata?.name));
  const definitions = [...singleDefinitions, ...groupDefinitions] as readonly unknown[];
  const resources = [snapshots, groupSnapshots] as readonly unknown[];
  const undo = [
    await defineKinds(client, {
      // Definitions that the cluster's own snapshot controller installed stay as they are.
      definitions: (definitions as readonly Definition[]).filter(
        ({ metadata }) => !there.has(metadata.name),
      ),
      resources: resources as readonly Resource[],
    }),
    await defineSnapshotKinds(client),
    await defineRolloutKinds(client),
  ];
  return async () => {
    for (const each of undo.toReversed()) await each();
  };
}

async function makeNamespace(client: KubeClient): Promise<string> {
  const namespace = `lifehook-bench-${randomBytes(ID_BYTES).toString('hex')}`;
  await client.create(namespaces, { metadata: { name: namespace } });
  const account = { namespace, name: 'default' };
  await eventually('pods are taken', () => getOrNull(client, serviceAccounts, account));
  return namespace;
}
