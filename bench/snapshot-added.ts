/**
 * The time for which an application stays frozen because of us. It lasts from the end of the freeze to the start of the
 * thaw, without the cut.
 *
 *   freeze ends ──create──> VolumeSnapshot exists ──cut──> its content has a creationTime ──watch event──> thaw begins
 *   controller's log       a watch                          a watch of contents                     controller's log
 *
 * The measurement begins when the controller logs `AttemptEnded` of the preAction. It ends when the controller logs
 * `AttemptStarted` of the postAction, whose intent is durable by then. A `creationTime` has whole seconds only. So the
 * cut lasts from the VolumeSnapshot to the creationTime of its content, both as a watch sees them.
 *
 * Our part has five writes to the API server, each of which waits for the one before. For comparison, five bare writes
 * are made next to each snapshot, because they are slow too on a busy machine.
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

/** Milliseconds of one snapshot. */
interface Parts {
  readonly askedMs: number;
  readonly cutMs: number;
  readonly reportedMs: number;
  readonly bareMs: number;
}

export async function freezeAdded(cluster: SnapshotCluster): Promise<BenchResult> {
  // The volumes are in memory: their writes must not slow down the disk of the API server.
  await using volumes = openLoopVolumes(MEMORY);
  const path = await volumes.make(CLAIM);
  const volumeName = `${cluster.namespace}-${CLAIM}`;
  // The controller runs until `removeApplication` is done, because it must release the snapshots.
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
  // Round -1 is not counted; it only warms the caches.
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
  // A plain process has no root directory of its own, so its volume is mounted below the working directory.
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

/**
 * Removes the objects while the snapshotter still runs, because it deletes what it created. The volume is
 * cluster-scoped.
 */
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

/** Milliseconds for WRITES bare writes. */
async function writeBare({ client, namespace }: SnapshotCluster, round: number): Promise<number> {
  const startedMs = performance.now();
  for (let write = 0; write < WRITES; write += 1) {
    const body = { metadata: { annotations: { written: `${round}-${write}` } } };
    const key = { namespace, name: TEMPLATE };
    await client.patch(executionHookTemplates, key, { type: 'merge', body });
  }
  return performance.now() - startedMs;
}
