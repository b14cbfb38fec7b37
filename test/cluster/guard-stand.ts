/**
 * A namespace with guarded snapshots on the real cluster, and `lifehook controller` with its webhook. The controller
 * is a process on this machine. The cluster's CSI driver provides the volumes and snapshots.
 */
import { getOrNull } from '../../src/kube/get-or-null.ts';
import type { KubeClient } from '../../src/kube/client.ts';
import type { KubeObject, Resource } from '../../src/kube/object.ts';
import { namespaces, persistentVolumeClaims, pods } from '../../src/kube/resources.ts';
import {
  contents,
  groupSnapshots,
  snapshots,
  type VolumeSnapshot,
} from '../../src/kube/snapshots.ts';
import {
  type SnapshotGuardSpec,
  snapshotGuards,
  type ApplicationSnapshot,
  applicationSnapshots,
  executionHooks,
} from '../../src/lifecycles/snapshot/kinds.ts';
import {
  GUARD_ENABLED,
  GUARD_ENABLED_VALUE,
  VERDICT,
  VERDICT_REASON,
} from '../../src/lifecycles/snapshot/names.ts';
import { type Ended, kubectlPath, run } from '../e2e/cluster-stand.ts';
import { type ControllerProgram, startController } from '../e2e/controller-program.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { removeWebhooks } from '../fixtures/rollout-cases/remove-webhooks.ts';
import type { CsiPlace } from './csi-application.ts';
import { findCsiClasses } from './csi-classes.ts';
import { kubeconfigPath, makeNamespace } from './real-cluster.ts';
import { openCaseStand } from './rollout-case-stand.ts';

/** Kinds that Lifehook creates or marks. */
const OURS: readonly Resource[] = [
  applicationSnapshots,
  executionHooks,
  snapshotGuards,
  snapshots,
  groupSnapshots,
  persistentVolumeClaims,
  pods,
];

export const PATIENCE_SECONDS = 120;
const GUARD = 'guard';

export interface GuardStand extends CsiPlace, AsyncDisposable {
  /** Creates the guard, in place of the previous one. Resolves when requests are guarded. */
  guard(spec: SnapshotGuardSpec): Promise<void>;
  /** Runs kubectl in the namespace. Also resolves if kubectl fails. */
  readonly kubectl: (args: readonly string[], manifest?: object) => Promise<Ended>;
  /** Creates a VolumeSnapshot as a client that does not know of guards would. */
  create(name: string, claim: string, more?: Partial<VolumeSnapshot['spec']>): Promise<Ended>;
  /** Creates a VolumeSnapshot without the time that kubectl needs to start. Rejects if it is refused. */
  createAtOnce(name: string, claim: string): Promise<VolumeSnapshot>;
  /** "verdict reason", from the labels of a VolumeSnapshot and of its content; resolves when both have the labels. */
  verdictOf(name: string): Promise<readonly [string, string]>;
  groupVerdictOf(name: string): Promise<string>;
  /** All windows, in order of creation. */
  windows(): Promise<readonly ApplicationSnapshot[]>;
  /** The VolumeSnapshots of the group's members; null if none exist yet. */
  membersOf(group: string): Promise<readonly VolumeSnapshot[] | null>;
  /** The window that admitted a snapshot of that name; resolves when it has ended. */
  windowOf(snapshot: string): Promise<ApplicationSnapshot>;
  /** The newest controller. Terminate it with its `end` or `kill`. */
  controller(): ControllerProgram;
  startController(options?: ControllerOptions): Promise<ControllerProgram>;
}

export interface ControllerOptions {
  /** Path of a kubeconfig; default: that of an administrator. */
  readonly kubeconfig?: string;
  /** Serve the webhooks and register them at the API server; default: true. */
  readonly webhook?: boolean;
}

/** Resolves with null if no CSI driver of this cluster makes snapshots. */
export async function openGuardStand(prefix: string): Promise<GuardStand | null> {
  const cluster = await openCaseStand();
  const { client } = cluster;
  const csi = await findCsiClasses(client);
  if (csi === null) {
    await cluster.close();
    return null;
  }
  const { namespace, remove } = await makeNamespace(client, prefix);
  const label = { metadata: { labels: { [GUARD_ENABLED]: GUARD_ENABLED_VALUE } } };
  await client.patch(namespaces, { name: namespace }, { type: 'merge', body: label });
  const kubeconfig = kubeconfigPath();
  const started: ControllerProgram[] = [];
  const start: GuardStand['startController'] = async (options = {}) => {
    const args = ['--namespaced', '-n', namespace];
    if (options.webhook !== false) args.push('--webhook-address', '127.0.0.1:0');
    const controller = await startController({ kubeconfig, ...options }, args);
    started.push(controller);
    return controller;
  };
  const first = await start();
  const kubectl: GuardStand['kubectl'] = (words, manifest) =>
    run(
      kubectlPath(),
      ['--kubeconfig', kubeconfig, '--namespace', namespace, ...words],
      manifest === undefined ? '' : JSON.stringify(manifest),
    );
  const windows: GuardStand['windows'] = async () => {
    const { items } = await client.list(applicationSnapshots, { namespace });
    const all = items.filter(({ spec }) => spec.window !== undefined);
    return all.toSorted((a, b) => orderOf(a) - orderOf(b));
  };
  return {
    cluster,
    namespace,
    csi,
    guard: (spec) => replaceGuard({ cluster, namespace, csi }, spec),
    kubectl,
    create: (name, claim, more = {}) =>
      kubectl(['create', '-f', '-'], volumeSnapshot({ name }, { ...sourceOf(claim), ...more })),
    createAtOnce: (name, claim) =>
      client.create(snapshots, { metadata: { name, namespace }, spec: sourceOf(claim) }),
    verdictOf: (name) =>
      eventually(
        `${name} has a verdict`,
        () => verdictOf({ cluster, namespace, csi }, name),
        PATIENCE_SECONDS,
      ),
    groupVerdictOf: (name) =>
      eventually(
        `the group ${name} has a verdict`,
        async () => labelsOf(await client.get(groupSnapshots, { namespace, name })),
        PATIENCE_SECONDS,
      ),
    windows,
    membersOf: async (group) => {
      const { items } = await client.list(snapshots, { namespace });
      const found = items.filter(
        ({ metadata }) =>
          metadata?.ownerReferences?.some(
            ({ kind, name }) => kind === groupSnapshots.kind && name === group,
          ) === true,
      );
      return found.length === 0 ? null : found;
    },
    windowOf: (snapshot) =>
      eventually(
        `the window of ${snapshot} ends`,
        async () =>
          (await windows()).findLast(
            ({ status }) =>
              status?.completedAt !== undefined &&
              status.admitted?.some(({ name }) => name === snapshot) === true,
          ),
        PATIENCE_SECONDS,
      ),
    controller: () => started.at(-1) ?? first,
    startController: start,
    [Symbol.asyncDispose]: async () => {
      try {
        // The Lease is in the namespace, and is deleted with it: from then on no controller leads.
        await untilReleased({ client, namespace });
      } finally {
        try {
          await remove();
        } finally {
          await Promise.all(started.map((controller) => controller.end()));
          await removeWebhooks(client);
          await cluster.close();
        }
      }
    },
  };
}

/**
 * Resolves when no object in the namespace has a finalizer of Lifehook. Finalizers of the snapshot controller may stay
 * for minutes: it backs off from a VolumeSnapshot whose status it could not write.
 */
export async function untilReleased({
  client,
  namespace,
}: {
  readonly client: KubeClient;
  readonly namespace: string;
}): Promise<void> {
  let held: string[] = [];
  const isReleased = async (): Promise<boolean> => {
    held = [];
    for (const resource of OURS) {
      const { items } = await client.list<KubeObject>(resource, { namespace });
      const names = items.filter(isHeld).map(({ metadata }) => metadata?.name ?? '');
      held.push(...names.map((name) => `${resource.kind} ${name}`));
    }
    return held.length === 0;
  };
  try {
    await eventually('Lifehook has released its finalizers', isReleased, PATIENCE_SECONDS);
  } catch (error) {
    throw new Error(`finalizers of Lifehook: ${held.join(', ')}`, { cause: error });
  }
}

function isHeld({ metadata }: KubeObject): boolean {
  return metadata?.finalizers?.some((each) => each.startsWith('lifehook.dev/')) === true;
}

/** The number at the end of a window's name. Later windows have greater numbers. */
function orderOf({ metadata }: ApplicationSnapshot): number {
  return Number(/\d+$/.exec(metadata?.name ?? '')?.[0] ?? 0);
}

/** A manifest of a VolumeSnapshot. `metadata` needs a name or a generateName. */
export function volumeSnapshot(metadata: object, spec: object): object {
  return { apiVersion: 'snapshot.storage.k8s.io/v1', kind: 'VolumeSnapshot', metadata, spec };
}

export function sourceOf(claim: string): object {
  return { source: { persistentVolumeClaimName: claim } };
}

async function replaceGuard(
  { cluster: { client }, namespace }: CsiPlace,
  spec: SnapshotGuardSpec,
): Promise<void> {
  const key = { namespace, name: GUARD };
  if ((await getOrNull(client, snapshotGuards, key)) !== null) {
    await client.delete(snapshotGuards, key);
    const isDeleted = async (): Promise<boolean> =>
      (await getOrNull(client, snapshotGuards, key)) === null;
    await eventually('the guard before is deleted', isDeleted);
  }
  await client.create(snapshotGuards, { metadata: key, spec });
  await eventually('the guard is ready', async () => {
    const { metadata, status } = await client.get(snapshotGuards, key);
    const ready = status?.conditions?.find(({ type }) => type === 'Ready');
    return ready?.status === 'True' && status?.observedGeneration === metadata?.generation;
  });
}

async function verdictOf(
  { cluster: { client }, namespace }: CsiPlace,
  name: string,
): Promise<readonly [string, string] | null> {
  const snapshot = await client.get(snapshots, { namespace, name });
  const bound = snapshot.status?.boundVolumeSnapshotContentName;
  const content = bound === undefined ? null : await getOrNull(client, contents, { name: bound });
  const [own, its] = [labelsOf(snapshot), labelsOf(content ?? {})];
  return own === null || its === null ? null : [own, its];
}

function labelsOf({ metadata }: { readonly metadata?: VolumeSnapshot['metadata'] }): string | null {
  const { [VERDICT]: value, [VERDICT_REASON]: reason } = metadata?.labels ?? {};
  return value === undefined ? null : `${value} ${reason}`;
}
