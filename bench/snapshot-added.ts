/**
 * How long an application stays frozen because of us: from the end of its freeze to the beginning of its
 * thaw, without the cut.
 *
 *   freeze ends ──create──> VolumeSnapshot exists ──cut──> its content has a creationTime ──watch event──> thaw begins
 *   controller's log       a watch                          a watch of contents                     controller's log
 *
 * The ends are the moments at which the controller logs `AttemptEnded` of the preAction and, with its
 * intent durable, `AttemptStarted` of the postAction. A `creationTime` has whole seconds only, so that the
 * cut is from the one act of others that begins it to the one that ends it, as a watch sees them.
 *
 * What is ours of it is five writes to the API server, each of which waits for the one before; so many
 * bare ones are made next to each snapshot, since a machine that is busy with other things is slow with them.
 */
import { CLASS_NAME } from '../packages/local-cluster/src/testing.ts';
import { persistentVolumeClaims, persistentVolumes, pods } from '../src/kube/resources.ts';
import { snapshots } from '../src/kube/snapshots.ts';
import { applicationSnapshots, executionHookTemplates } from '../src/lifecycles/snapshot/kinds.ts';
import { openLoopVolumes } from '../test/fixtures/snapshot-databases/loop-volumes.ts';
import { median, type BenchResult } from './measure.ts';
import {
  completeSnapshot,
  idlePod,
  removeAll,
  type SnapshotCluster,
  untilRunning,
} from './snapshot-cluster.ts';
import { type ControllerProcess, startController, timeOf } from './snapshot-controller.ts';
import { watchCuts, type WatchedCuts } from './snapshot-cuts.ts';

const ROUNDS = 25;
const GOAL_MS = 30;
const CLAIM = 'data';
const TEMPLATE = 'nothing';
const RUNNING_SECONDS = 90;
const MEMORY = '/dev/shm';
const WRITES = 5;

/** Of one snapshot, milliseconds. */
interface Parts {
  readonly askedMs: number;
  readonly cutMs: number;
  readonly reportedMs: number;
  readonly bareMs: number;
}

export async function freezeAdded(cluster: SnapshotCluster): Promise<BenchResult> {
  // A cut is written out: not to the disk that the API server waits for.
  await using volumes = openLoopVolumes(MEMORY);
  const path = await volumes.make(CLAIM);
  const volumeName = `${cluster.namespace}-${CLAIM}`;
  // It lets the snapshots go at the end.
  await using controller = await startController(cluster);
  try {
    await makeApplication(cluster, { path, volumeName });
    return resultOf(cluster, await takeAll(cluster, controller));
  } finally {
    await removeApplication(cluster, volumeName);
  }
}

async function takeAll(
  cluster: SnapshotCluster,
  controller: ControllerProcess,
): Promise<readonly Parts[]> {
  using cuts = watchCuts(cluster);
  const parts: Parts[] = [];
  // The first round is not counted: it loads what the others find loaded.
  for (let round = -1; round < ROUNDS; round += 1) {
    const taken = await takeSnapshot(cluster, { controller, cuts, name: `added-${round + 1}` });
    const bareMs = await writeBare(cluster, round);
    if (round >= 0) parts.push({ ...taken, bareMs });
  }
  return parts;
}

function resultOf(cluster: SnapshotCluster, parts: readonly Parts[]): BenchResult {
  const of = (pick: (of: Parts) => number): number => median(parts.map(pick));
  const [asked, reported] = [of(({ askedMs }) => askedMs), of(({ reportedMs }) => reportedMs)];
  const [cut, bare] = [of(({ cutMs }) => cutMs), of(({ bareMs }) => bareMs)];
  return {
    name: `freeze-added-${cluster.name}`,
    value: of(({ askedMs, reportedMs }) => askedMs + reportedMs),
    unit: 'ms',
    goal: cluster.name === 'real' ? GOAL_MS : null,
    against: `the cut alone, ${cut.toFixed(0)} ms (${asked.toFixed(0)} ms before it, ${reported.toFixed(0)} ms after; ${WRITES} bare writes ${bare.toFixed(0)} ms)`,
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
  for (const resource of [applicationSnapshots, snapshots, pods, persistentVolumeClaims]) {
    await removeAll(client, resource, namespace);
  }
  await client.delete(persistentVolumes, { name: volumeName });
}

interface Taking {
  readonly controller: ControllerProcess;
  readonly cuts: WatchedCuts;
  readonly name: string;
}

async function takeSnapshot(
  cluster: SnapshotCluster,
  { controller, cuts, name }: Taking,
): Promise<Omit<Parts, 'bareMs'>> {
  const status = await completeSnapshot(cluster, name, {
    source: { persistentVolumeClaimNames: [CLAIM] },
    volumeSnapshotClassName: CLASS_NAME,
    executionHookInfos: [{ executionHookTemplateName: TEMPLATE }],
  });
  const [hook = ''] = status.executionHookNames ?? [];
  const [volume] = status.volumes ?? [];
  const seen = await cuts.of(volume?.volumeSnapshotName ?? '');
  const frozenMs = timeOf(controller.reported(), { msg: 'AttemptEnded', action: 'pre', hook });
  const thawMs = timeOf(controller.reported(), { msg: 'AttemptStarted', action: 'post', hook });
  return {
    askedMs: seen.thereMs - frozenMs,
    cutMs: seen.cutMs - seen.thereMs,
    reportedMs: thawMs - seen.cutMs,
  };
}

/** Milliseconds. */
async function writeBare({ client, namespace }: SnapshotCluster, round: number): Promise<number> {
  const startedMs = performance.now();
  for (let write = 0; write < WRITES; write += 1) {
    const body = { metadata: { annotations: { written: `${round}-${write}` } } };
    const key = { namespace, name: TEMPLATE };
    await client.patch(executionHookTemplates, key, { type: 'merge', body });
  }
  return performance.now() - startedMs;
}
