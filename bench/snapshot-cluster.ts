/** A namespace with the kinds of the snapshot lifecycle, on the local cluster or on a real one. */
import { randomBytes } from 'node:crypto';
import type { Container, PodSpec } from 'kubernetes-types/core/v1.js';

import type { KubeClient, KubeConnection } from '../src/kube/client.ts';
import type { Resource } from '../src/kube/object.ts';
import { namespaces, pods, serviceAccounts } from '../src/kube/resources.ts';
import { getOrNull } from '../src/kube/get-or-null.ts';
import { snapshots } from '../src/kube/snapshots.ts';
import {
  applicationSnapshots,
  type ApplicationSnapshotSpec,
  type ApplicationSnapshotStatus,
  type ExecutionHook,
  executionHooks,
} from '../src/lifecycles/snapshot/kinds.ts';
import { connect, openCluster } from '../test/e2e/cluster-stand.ts';
import { connectToCluster, kubeconfigPath } from '../test/cluster/real-cluster.ts';
import { startSnapshotter } from '../test/cluster/snapshot-databases-cluster.ts';
import { defineSnapshotKinds } from '../test/fixtures/define-snapshot-kinds.ts';
import { defineRolloutKinds } from '../test/fixtures/rollout/define-rollout-kinds.ts';
import { eventually } from '../test/fixtures/api-cases/eventually.ts';
import { BASE_IMAGE } from '../test/cluster/parameters.ts';

export interface SnapshotCluster extends AsyncDisposable {
  readonly name: 'local' | 'real';
  readonly client: KubeClient;
  readonly connection: KubeConnection;
  /** Opens another connection with its own sockets; the caller closes its transport. */
  connect(): Promise<KubeConnection>;
  readonly kubeconfig: string;
  readonly namespace: string;
}

/** The local cluster with its own snapshotter; its containers are plain processes. */
export async function openLocal(): Promise<SnapshotCluster> {
  const cluster = await openCluster('--runner', 'process');
  const { client, connection, kubeconfig } = cluster;
  await define(client);
  const namespace = await makeNamespace(client);
  return {
    name: 'local',
    client,
    connection,
    kubeconfig,
    namespace,
    connect: () => connect(kubeconfig),
    [Symbol.asyncDispose]: async () => cluster[Symbol.asyncDispose](),
  };
}

/** The real cluster with a snapshotter in this process. */
export function openReal(): Promise<SnapshotCluster> {
  return openNamespace(startSnapshotter);
}

/** The real cluster with the snapshots of its CSI driver. */
export function openCsi(): Promise<SnapshotCluster> {
  return openNamespace(async () => async () => {});
}

async function openNamespace(start: typeof startSnapshotter): Promise<SnapshotCluster> {
  const cluster = connectToCluster();
  const { client, connection } = cluster;
  const undefine = await define(client);
  const namespace = await makeNamespace(client);
  const stopSnapshotter = await start(cluster, namespace);
  return {
    name: 'real',
    client,
    connection,
    kubeconfig: kubeconfigPath(),
    namespace,
    connect: async () => connectToCluster().connection,
    [Symbol.asyncDispose]: async () => {
      for (const resource of [applicationSnapshots, executionHooks, snapshots, pods]) {
        await removeAll(client, resource, namespace);
      }
      await stopSnapshotter();
      await client.delete(namespaces, { name: namespace });
      await undefine();
      connection.transport.close();
    },
  };
}

/**
 * Installs all our kinds, because the controller lists them all. Returns a function that deletes those which are new.
 */
async function define(client: KubeClient): Promise<() => Promise<void>> {
  const undefine = [await defineSnapshotKinds(client), await defineRolloutKinds(client)];
  return async () => {
    for (const one of undefine) await one();
  };
}

const ID_BYTES = 4;

async function makeNamespace(client: KubeClient): Promise<string> {
  const namespace = `lifehook-bench-${randomBytes(ID_BYTES).toString('hex')}`;
  await client.create(namespaces, { metadata: { name: namespace } });
  const account = { namespace, name: 'default' };
  await eventually('pods are taken', () => getOrNull(client, serviceAccounts, account));
  return namespace;
}

const DELETE_SECONDS = 300;

/** Deletes all objects of one kind in a namespace, and waits until they are deleted. */
export async function removeAll(
  client: KubeClient,
  resource: Resource,
  namespace: string,
): Promise<void> {
  const { items } = await client.list(resource, { namespace });
  await inTurns(items, async ({ metadata }) => {
    await client.delete(resource, { namespace, name: metadata?.name ?? '' }).catch(() => {});
  });
  await eventually(
    `no ${resource.kind} is left`,
    async () => (await client.list(resource, { namespace })).items.length === 0,
    DELETE_SECONDS,
  );
}

const AT_ONCE = 32;

/** Runs `work` for each item, at most `atOnce` at a time. */
export async function inTurns<T>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<unknown>,
  atOnce: number = AT_ONCE,
): Promise<void> {
  const rest = items.entries();
  const workers = Array.from({ length: atOnce }, async () => {
    for (const [index, item] of rest) await work(item, index);
  });
  await Promise.all(workers);
}

/** Creates an ApplicationSnapshot. Resolves with its status once it is completed; rejects if it has failed. */
export async function completeSnapshot(
  { client, namespace }: SnapshotCluster,
  name: string,
  spec: ApplicationSnapshotSpec,
): Promise<ApplicationSnapshotStatus> {
  await client.create(applicationSnapshots, { metadata: { name, namespace }, spec });
  const status = await eventually(`${name} is over`, async () => {
    const found = await client.get(applicationSnapshots, { namespace, name });
    return found.status?.completedAt !== undefined && found.status;
  });
  if (status.failure === undefined) return status;
  throw new Error(`The snapshot ${name} failed: ${JSON.stringify(status.failure)}`);
}

/** The smallest possible pod. It mounts no service account token, because each pod would wait for one. */
export function idlePod(names: readonly string[], more: Partial<Container> = {}): PodSpec {
  return {
    terminationGracePeriodSeconds: 0,
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    containers: names.map((name) => ({
      name,
      image: BASE_IMAGE,
      imagePullPolicy: 'IfNotPresent',
      command: ['sleep', '100000'],
      ...more,
    })),
  };
}

/** Waits until all containers of a pod run. */
export async function untilRunning(
  { client, namespace }: SnapshotCluster,
  name: string,
  seconds: number,
): Promise<void> {
  await eventually(
    `${name} runs`,
    async () => {
      const { status } = await client.get(pods, { namespace, name });
      const { containerStatuses: all = [] } = status ?? {};
      return all.length > 0 && all.every(({ state }) => state?.running !== undefined);
    },
    seconds,
  );
}

/** Whether all targets of the hook are frozen; throws if a freeze has failed. */
export function isFrozen({ status }: ExecutionHook): boolean {
  if (status?.preActionSucceed !== false) return status?.preActionSucceed === true;
  throw new Error(`a freeze has failed: ${JSON.stringify(status.conditions)}`);
}
