/**
 * How long an application stays frozen because of us: from the end of its freeze to the beginning of its
 * thaw, without the cut.
 *
 *   freeze ends ──asked──> VolumeSnapshot is there ──cut──> it has a creationTime ──told──> thaw begins
 *   controller's log       a watch beside it                the same watch                  controller's log
 *
 * The ends are the moments at which the controller tells `AttemptEnded` of the preAction and, with its
 * intent durable, `AttemptStarted` of the postAction. A `creationTime` has whole seconds only, so that the
 * cut is from the one act of others that begins it to the one that ends it, as a watch sees them.
 */
import { listWatch } from '../src/kube/list-watch.ts';
import { persistentVolumeClaims, persistentVolumes, pods } from '../src/kube/resources.ts';
import { snapshots } from '../src/kube/snapshots.ts';
import { applicationSnapshots, executionHookTemplates } from '../src/lifecycles/snapshot/kinds.ts';
import { eventually } from '../test/fixtures/api-cases/eventually.ts';
import { openLoopVolumes } from '../test/fixtures/snapshot-databases/loop-volumes.ts';
import { median, type BenchResult } from './measure.ts';
import { idlePod, removeAll, type SnapshotCluster, untilRunning } from './snapshot-cluster.ts';
import { type ControllerProcess, startController, type Told } from './snapshot-controller.ts';

const ROUNDS = 25;
const GOAL_MS = 30;
const CLAIM = 'data';
const TEMPLATE = 'nothing';
const RUNNING_SECONDS = 90;

/** Of one snapshot, milliseconds. */
interface Parts {
  readonly askedMs: number;
  readonly cutMs: number;
  readonly toldMs: number;
}

export async function freezeAdded(cluster: SnapshotCluster): Promise<BenchResult> {
  await using volumes = openLoopVolumes();
  const path = await volumes.make(CLAIM);
  const volumeName = `${cluster.namespace}-${CLAIM}`;
  await makeApplication(cluster, { path, volumeName });
  await using controller = await startController(cluster);
  using cuts = watchCuts(cluster);
  const parts: Parts[] = [];
  // The first only warms what is loaded when it is needed.
  for (let round = -1; round < ROUNDS; round += 1) {
    const taken = await takeSnapshot(cluster, { controller, cuts, name: `added-${round + 1}` });
    if (round >= 0) parts.push(taken);
  }
  await removeApplication(cluster, volumeName);
  const of = (pick: (of: Parts) => number): number => median(parts.map(pick));
  const told = `${of(({ askedMs }) => askedMs).toFixed(1)} ms to the VolumeSnapshot, ${of(({ toldMs }) => toldMs).toFixed(1)} ms from its creationTime`;
  return {
    name: `freeze-added-${cluster.name}`,
    value: of(({ askedMs, toldMs }) => askedMs + toldMs),
    unit: 'ms',
    goal: cluster.name === 'real' ? GOAL_MS : null,
    against: `the cut alone (${of(({ cutMs }) => cutMs).toFixed(0)} ms; ${told})`,
    samples: ROUNDS,
  };
}

async function makeApplication(
  cluster: SnapshotCluster,
  { path, volumeName }: { readonly path: string; readonly volumeName: string },
): Promise<void> {
  const { client, namespace } = cluster;
  const storage = '64Mi';
  const spec = { accessModes: ['ReadWriteOnce'], storageClassName: `by-hand-${namespace}` };
  await client.create(persistentVolumes, {
    metadata: { name: volumeName },
    spec: { ...spec, capacity: { storage }, hostPath: { path } },
  });
  await client.create(persistentVolumeClaims, {
    metadata: { name: CLAIM, namespace },
    spec: { ...spec, volumeName, resources: { requests: { storage } } },
  });
  // A process has no root of its own that a volume could be mounted below.
  const mountPath = cluster.name === 'local' ? CLAIM : `/${CLAIM}`;
  await client.create(pods, {
    metadata: { name: 'db', namespace },
    spec: {
      ...idlePod(['db'], { volumeMounts: [{ name: CLAIM, mountPath }] }),
      volumes: [{ name: CLAIM, persistentVolumeClaim: { claimName: CLAIM } }],
    },
  });
  await untilRunning(cluster, 'db', RUNNING_SECONDS);
  const exec = { command: ['true'] };
  await client.create(executionHookTemplates, {
    metadata: { name: TEMPLATE, namespace },
    preAction: { exec },
    postAction: { exec },
    expirationSeconds: 60,
  });
}

/** While the snapshotter runs, which takes along what it has made; the volume is in no namespace. */
async function removeApplication(
  { client, namespace }: SnapshotCluster,
  volumeName: string,
): Promise<void> {
  for (const resource of [applicationSnapshots, snapshots, pods]) {
    await removeAll(client, resource, namespace);
  }
  await client.delete(persistentVolumeClaims, { namespace, name: CLAIM });
  await client.delete(persistentVolumes, { name: volumeName });
}

interface Taking {
  readonly controller: ControllerProcess;
  readonly cuts: WatchedCuts;
  readonly name: string;
}

async function takeSnapshot(
  { client, namespace }: SnapshotCluster,
  { controller, cuts, name }: Taking,
): Promise<Parts> {
  const source = { persistentVolumeClaimNames: [CLAIM] };
  const executionHookInfos = [{ executionHookTemplateName: TEMPLATE }];
  const spec = { source, executionHookInfos };
  await client.create(applicationSnapshots, { metadata: { name, namespace }, spec });
  const { status } = await eventually(`${name} is over`, async () => {
    const found = await client.get(applicationSnapshots, { namespace, name });
    return found.status?.completedAt === undefined ? null : found;
  });
  const [hook = ''] = status?.executionHookNames ?? [];
  const [volume] = status?.volumes ?? [];
  const seen = cuts.of(volume?.volumeSnapshotName ?? '');
  const frozenMs = timeOf(controller.told(), { msg: 'AttemptEnded', action: 'pre', hook });
  const thawMs = timeOf(controller.told(), { msg: 'AttemptStarted', action: 'post', hook });
  return {
    askedMs: seen.thereMs - frozenMs,
    cutMs: seen.cutMs - seen.thereMs,
    toldMs: thawMs - seen.cutMs,
  };
}

function timeOf(
  told: readonly Told[],
  { msg, action, hook }: Pick<Told, 'msg' | 'action' | 'hook'>,
): number {
  const found = told.find((one) => one.msg === msg && one.action === action && one.hook === hook);
  if (found !== undefined) return found.atMs;
  throw new Error(
    `the controller has not told ${msg} of ${action ?? ''} of the hook ${hook ?? ''}`,
  );
}

interface SeenCut {
  readonly thereMs: number;
  readonly cutMs: number;
}

interface WatchedCuts extends Disposable {
  of(snapshot: string): SeenCut;
}

function watchCuts({ connection, namespace }: SnapshotCluster): WatchedCuts {
  const end = new AbortController();
  const { signal } = end;
  const there = new Map<string, number>();
  const cut = new Map<string, number>();
  const note = (times: Map<string, number>, name: string): void => {
    if (!times.has(name)) times.set(name, Date.now());
  };
  void (async () => {
    for await (const event of listWatch(connection, snapshots, { namespace, signal })) {
      if (event.type !== 'Upsert') continue;
      const { metadata, status } = event.object;
      note(there, metadata?.name ?? '');
      if (status?.creationTime !== undefined) note(cut, metadata?.name ?? '');
    }
  })();
  return {
    of: (name) => {
      const [thereMs, cutMs] = [there.get(name), cut.get(name)];
      if (thereMs !== undefined && cutMs !== undefined) return { thereMs, cutMs };
      throw new Error(`the cut of ${name} was not seen`);
    },
    [Symbol.dispose]: () => {
      end.abort();
    },
  };
}
