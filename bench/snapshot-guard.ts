/**
 * How long a database is frozen for a snapshot, and whether the copy is consistent, by requester and by kind of freeze.
 * Our ApplicationSnapshot, `kubectl create` and Velero request snapshots, each without a freeze and with a guard.
 * Velero also does so with its own hooks.
 *
 *   writers' last answer ── freeze ──> driver cuts ──> driver answers ── thaw ──> writers' first answer
 *   └─────────────────────────────────────── frozen ────────────────────────────────────────┘
 *
 * The freeze is the longest time in which no writer got an answer. The cut is in the record of the CSI driver of the
 * recipe next to this checkout. Velero takes part if $LIFEHOOK_BENCH_VELERO has its programs (`velero.ts`).
 */
import { loadavg } from 'node:os';

import type { Resource } from '../src/kube/object.ts';
import {
  namespaces,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
} from '../src/kube/resources.ts';
import { snapshots } from '../src/kube/snapshots.ts';
import { snapshotGuards, applicationSnapshots } from '../src/lifecycles/snapshot/kinds.ts';
import { GUARD_ENABLED, GUARD_ENABLED_VALUE } from '../src/lifecycles/snapshot/names.ts';
import { sleep } from '../src/platform/sleep.ts';
import { nodePlatform } from '../src/platform/node-platform.ts';
import { type CsiClasses, findCsiClasses } from '../test/cluster/csi-classes.ts';
import { databases, loadImage } from '../test/cluster/images.ts';
import { eventually } from '../test/fixtures/api-cases/eventually.ts';
import {
  DATA,
  lookAtCopy,
  makeClaim,
  writeDatabase,
  type WrittenDatabase,
} from '../test/fixtures/snapshot-databases/written-database.ts';
import {
  judgeCopy,
  measureFreeze,
  type Taken,
} from '../test/fixtures/snapshot-databases/judge-copy.ts';
import { median, type BenchResult } from './measure.ts';
import { openCsi, removeAll, type SnapshotCluster } from './snapshot-cluster.ts';
import { type ControllerProcess, startController } from './snapshot-controller.ts';
import {
  claimOfCut,
  cutsSince,
  deleteClaim,
  RECIPE_DRIVER,
  type StorageCut,
} from './storage-cuts.ts';
import {
  DOCUMENTED,
  HELD,
  kubectlCreate,
  ownRequest,
  veleroBackup,
  type Way,
} from './third-party.ts';
import { startVelero, veleroPrograms } from './velero.ts';

const ROUNDS = 5;
/** The sidecars limit their request rate; earlier rounds must not use up that limit. */
const PAUSE_MS = 2_000;
const CUT_SECONDS = 60;
const GUARDED = { guarded: 'yes' };
/** The resources of all created objects, in the order of deletion. The controller must run until the end. */
const MADE: readonly Resource[] = [
  applicationSnapshots,
  snapshots,
  pods,
  persistentVolumeClaims,
] as readonly unknown[] as readonly Resource[];

/** Empty if the driver of the recipe does not run. */
export async function snapshotGuard(): Promise<readonly BenchResult[]> {
  await loadImage(databases);
  await using cluster = await openCsi();
  const csi = await findCsiClasses(cluster.client);
  if (csi?.driver !== RECIPE_DRIVER) return [];
  await using controller = await startController({
    ...cluster,
    flags: ['--webhook-address', '127.0.0.1:0'],
  });
  await makeClaim(cluster, { name: DATA, storageClassName: csi.storageClassName });
  const database = await writeDatabase(cluster);
  await guard(cluster);
  try {
    const volume = await volumeHandle(cluster);
    return await measureWays({ cluster, csi, controller, database, volume });
  } finally {
    await database.stop();
    for (const resource of MADE) await removeAll(cluster.client, resource, cluster.namespace);
  }
}

interface Stand {
  readonly cluster: SnapshotCluster;
  readonly csi: CsiClasses;
  readonly controller: ControllerProcess;
  readonly database: WrittenDatabase;
  readonly volume: string;
}

type Take = (ways: readonly Way[]) => Promise<void>;

async function measureWays(stand: Stand): Promise<readonly BenchResult[]> {
  const { cluster, csi } = stand;
  const bare = [
    ownRequest(cluster, csi.volumeSnapshotClassName),
    kubectlCreate(cluster, false),
    kubectlCreate(cluster, true),
  ];
  const { folder, lacking } = veleroPrograms();
  if (folder === undefined) console.error(`snapshot-guard: Velero is skipped: ${lacking}`);
  return measureRounds(stand, async (round, take) => {
    await take(bare);
    if (folder !== undefined) await takeWithVelero(stand, { programs: folder, round, take });
  });
}

interface VeleroRound {
  readonly programs: string;
  readonly round: number;
  readonly take: Take;
}

/** Runs one Velero at a time, because all of them listen on the same port. */
async function takeWithVelero(
  { cluster, csi }: Stand,
  { programs, round, take }: VeleroRound,
): Promise<void> {
  const options = { ...csi, programs, round };
  {
    await using velero = await startVelero(cluster, { ...options, isFast: false });
    await take([
      veleroBackup(velero, {}),
      veleroBackup(velero, { hooks: DOCUMENTED }),
      veleroBackup(velero, { hooks: HELD }),
      veleroBackup(velero, { isGuarded: true }),
    ]);
  }
  await using fast = await startVelero(cluster, { ...options, isFast: true });
  await take([veleroBackup(fast, { hooks: HELD, suffix: '-fast' })]);
}

async function measureRounds(
  stand: Stand,
  takeRound: (round: number, take: Take) => Promise<void>,
): Promise<readonly BenchResult[]> {
  const taken = new Map<string, Taken[]>();
  const loads: number[] = [];
  // Round 0 is not counted; it only warms the caches.
  for (let round = 0; round <= ROUNDS; round += 1) {
    await takeRound(round, async (ways) => {
      for (const way of ways) {
        const one = await takeOne(stand, way, `${way.name}-${round}`);
        if (round > 0) taken.set(way.name, [...(taken.get(way.name) ?? []), one]);
      }
    });
    loads.push(loadavg()[0] ?? 0);
  }
  return [...taken].map(([name, all]) => resultOf(name, all, median(loads)));
}

async function takeOne(stand: Stand, way: Way, id: string): Promise<Taken> {
  const { cluster, csi, database, volume } = stand;
  await markClaim(cluster, way.isGuarded);
  await sleep(nodePlatform.timers, PAUSE_MS);
  const sinceMs = Date.now();
  await way.take(id);
  const cut = await eventually<StorageCut>(
    `the cut of ${id}`,
    async () => cutsSince(volume, sinceMs)[0],
    CUT_SECONDS,
  );
  await sleep(nodePlatform.timers, PAUSE_MS);
  const freeze = measureFreeze(database.rows, { cut, sinceMs, untilMs: Date.now() });
  const claim = `copy-${id}`;
  await claimOfCut(cluster, { name: claim, handle: cut.handle, csi });
  const found = await lookAtCopy(cluster, claim);
  await deleteClaim(cluster, claim);
  return { ...freeze, ...judgeCopy(found, database.rows, cut) };
}

function resultOf(name: string, all: readonly Taken[], load: number): BenchResult {
  const count = (pick: (one: Taken) => boolean): string =>
    `${all.filter(pick).length} of ${all.length}`;
  const of = (pick: (one: Taken) => number): string => median(all.map(pick)).toFixed(0);
  const parts = `${of((one) => one.beforeMs)} ms before, ${of((one) => one.cutMs)} ms cut, ${of((one) => one.afterMs)} ms after`;
  return {
    name: `frozen-${name}`,
    value: median(all.map(({ frozenMs }) => frozenMs)),
    unit: 'ms',
    goal: null,
    against: [
      `frozen at the cut ${count((one) => one.isFrozenAtCut)}`,
      // If a run has no freeze, the value is only its longest pause between two answers, so its parts mean nothing.
      ...(all.every((one) => one.isFrozenAtCut) ? [parts] : []),
      `InnoDB consistent ${count((one) => one.isInnodbConsistent)}`,
      `MyISAM consistent ${count((one) => one.isMyisamConsistent)}`,
      `load ${load.toFixed(1)}`,
    ].join('; '),
    samples: all.length,
  };
}

/** Creates a guard that selects the claim by a label. */
async function guard({ client, namespace }: SnapshotCluster): Promise<void> {
  const label = { [GUARD_ENABLED]: GUARD_ENABLED_VALUE };
  const body = { metadata: { labels: label } };
  await client.patch(namespaces, { name: namespace }, { type: 'merge', body });
  await client.create(snapshotGuards, {
    metadata: { name: 'guard', namespace },
    spec: {
      claimSelector: { matchLabels: GUARDED },
      executionHookInfos: [{ recipe: { name: 'mariadb-lock' } }],
    },
  });
  await eventually('the guard is ready', async () => {
    const { status } = await client.get(snapshotGuards, { name: 'guard', namespace });
    return status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True');
  });
}

async function markClaim(
  { client, namespace }: SnapshotCluster,
  isGuarded: boolean,
): Promise<void> {
  const labels = isGuarded ? GUARDED : { guarded: null };
  const body = { metadata: { labels } };
  await client.patch(persistentVolumeClaims, { namespace, name: DATA }, { type: 'merge', body });
}

/** The CSI driver's name for the volume of the claim. */
async function volumeHandle({ client, namespace }: SnapshotCluster): Promise<string> {
  const { spec } = await client.get(persistentVolumeClaims, { namespace, name: DATA });
  const volume = await client.get(persistentVolumes, { name: spec?.volumeName ?? '' });
  return volume.spec?.csi?.volumeHandle ?? '';
}
