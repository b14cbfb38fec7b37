/**
 * The parts of the time for which an application is frozen by a snapshot through a CSI driver, single and group:
 *
 *   freeze ends ──> VolumeSnapshot ──> content ──> driver cuts and answers ──> content has a creationTime ──> thaw
 * begins
 *     our log         a watch          a watch       the driver's record               a watch                  our log
 *   └───── ours ─────┘└ controller ──┘└──────────────── sidecar ─────────────────────┘└──────── ours ────────┘
 *
 * The driver is that of the recipe next to this checkout. Its record file has the time of the cut, and is written just
 * before the driver answers. With a probe, one more exec runs before the thaw and asks whether the application is still
 * frozen.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { loadavg } from 'node:os';
import { dirname, join } from 'node:path';

import type { Resource } from '../src/kube/object.ts';
import { persistentVolumeClaims, pods } from '../src/kube/resources.ts';
import { groupSnapshots, snapshots } from '../src/kube/snapshots.ts';
import {
  applicationSnapshots,
  type ApplicationSnapshotSpec,
  type ApplicationSnapshotStatus,
  executionHookTemplates,
} from '../src/lifecycles/snapshot/kinds.ts';
import { sleep } from '../src/platform/sleep.ts';
import { nodePlatform } from '../src/platform/node-platform.ts';
import { findCsiClasses } from '../test/cluster/csi-classes.ts';
import { kubeconfigPath } from '../test/cluster/real-cluster.ts';
import { median, type BenchResult } from './measure.ts';
import {
  completeSnapshot,
  idlePod,
  openCsi,
  removeAll,
  type SnapshotCluster,
  untilRunning,
} from './snapshot-cluster.ts';
import { type ControllerProcess, startController, timeOf } from './snapshot-controller.ts';
import { watchCuts, type WatchedCuts, watchGroupCuts } from './snapshot-cuts.ts';

const ROUNDS = 9;
/** The sidecars limit their request rate; earlier rounds must not use up that limit. */
const PAUSE_MS = 5_000;
/** Goal for the time from the driver's answer to the thaw. */
const GOAL_MS = 100;
const CLAIMS = ['data', 'wal'];
const LABELS = { app: 'frozen' };
/** Names of the templates, without a probe and with one. */
const BARE = 'bare';
const PROBED = 'probed';
/** The resources of all created objects, in the order in which the objects are deleted. */
const MADE: readonly Resource[] = [
  applicationSnapshots,
  groupSnapshots,
  snapshots,
  pods,
  persistentVolumeClaims,
] as readonly unknown[] as readonly Resource[];
const RUNNING_SECONDS = 90;

/** Milliseconds of one snapshot. */
interface Parts {
  readonly frozen: number;
  /** Our part between the end of the freeze and the VolumeSnapshot. */
  readonly ask: number;
  readonly controller: number;
  readonly sidecarBefore: number;
  readonly driver: number;
  readonly sidecarAfter: number;
  /** Our part between the creationTime of the content and the start of the thaw. */
  readonly thaw: number;
}

/** Empty if the driver of the recipe does not run. */
export async function snapshotCsi(): Promise<readonly BenchResult[]> {
  const records = join(dirname(kubeconfigPath()), 'csi-data');
  if (!existsSync(records)) {
    console.error(`snapshot-csi: skipped, because the driver of the recipe left no ${records}`);
    return [];
  }
  await using cluster = await openCsi();
  await using controller = await startController(cluster);
  await makeApplication(cluster);
  try {
    using singles = watchCuts(cluster);
    using groups = watchGroupCuts(cluster);
    const single = {
      spec: { source: { persistentVolumeClaimNames: CLAIMS.slice(0, 1) } },
      cuts: singles,
      records: join(records, 'snapshots'),
    };
    const group = {
      spec: { mode: 'Group', source: { selector: { matchLabels: LABELS } } },
      cuts: groups,
      records: join(records, 'groups'),
    } as const;
    const ways = [
      { name: 'single', template: BARE, ...single },
      { name: 'group', template: BARE, ...group },
      { name: 'single-probed', template: PROBED, ...single },
      { name: 'group-probed', template: PROBED, ...group },
    ];
    return await takeInTurns(ways.map((way) => ({ ...way, cluster, controller })));
  } finally {
    for (const resource of MADE) await removeAll(cluster.client, resource, cluster.namespace);
  }
}

async function makeApplication(cluster: SnapshotCluster): Promise<void> {
  const { client, namespace } = cluster;
  const csi = await findCsiClasses(client);
  for (const name of CLAIMS) {
    await client.create(persistentVolumeClaims, {
      metadata: { name, namespace, labels: LABELS },
      spec: {
        accessModes: ['ReadWriteOnce'],
        storageClassName: csi?.storageClassName ?? '',
        resources: { requests: { storage: '64Mi' } },
      },
    });
  }
  const volumeMounts = CLAIMS.map((name) => ({ name, mountPath: `/${name}` }));
  const volumes = CLAIMS.map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  await client.create(pods, {
    metadata: { name: 'db', namespace },
    spec: { ...idlePod(['db'], { volumeMounts }), volumes },
  });
  await untilRunning(cluster, 'db', RUNNING_SECONDS);
  const exec = { command: ['true'] };
  const actions = { preAction: { exec }, postAction: { exec }, expirationSeconds: 60 };
  const named = (name: string): object => ({ metadata: { name, namespace }, ...actions });
  await client.create(executionHookTemplates, named(BARE));
  await client.create(executionHookTemplates, { ...named(PROBED), probe: { exec } });
}

interface Way {
  readonly cluster: SnapshotCluster;
  readonly controller: ControllerProcess;
  readonly name: string;
  readonly template: string;
  readonly spec: Omit<ApplicationSnapshotSpec, 'executionHookInfos'>;
  readonly cuts: WatchedCuts;
  /** The directory of the driver's records. */
  readonly records: string;
}

async function takeInTurns(ways: readonly Way[]): Promise<readonly BenchResult[]> {
  const taken = new Map<Way, Parts[]>(ways.map((way) => [way, []]));
  const loads: number[] = [];
  // Round 0 is not counted; it only warms the caches.
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const way of ways) {
      await sleep(nodePlatform.timers, PAUSE_MS);
      const parts = await takeSnapshot(way, `${way.name}-${round}`);
      if (round > 0) taken.get(way)?.push(parts);
    }
    if (round > 0) loads.push(loadavg()[0] ?? 0);
  }
  return [...taken].map(([{ name }, parts]) => resultOf(name, parts, median(loads)));
}

function resultOf(name: string, parts: readonly Parts[], load: number): BenchResult {
  const of = (pick: (of: Parts) => number): string => median(parts.map(pick)).toFixed(0);
  const waits = parts.map((one) => one.sidecarAfter + one.thaw);
  const range = `${Math.min(...waits).toFixed(0)} to ${Math.max(...waits).toFixed(0)}`;
  const reported = [
    `${of((one) => one.ask)} ms ours`,
    `${of((one) => one.controller)} the snapshot controller`,
    `${of((one) => one.sidecarBefore)} the sidecar`,
    `${of((one) => one.driver)} the driver's cut`,
    `${of((one) => one.sidecarAfter)} the sidecar`,
    `${of((one) => one.thaw)} ours`,
  ];
  return {
    name: `thaw-after-answer-${name}`,
    value: median(waits),
    unit: 'ms',
    goal: GOAL_MS,
    against: `${of((one) => one.frozen)} ms frozen: ${reported.join(', ')}; ${range}; load ${load.toFixed(1)}`,
    samples: parts.length,
  };
}

async function takeSnapshot(way: Way, name: string): Promise<Parts> {
  const { cluster, controller, cuts, records } = way;
  const executionHookInfos = [{ executionHookTemplateName: way.template }];
  const status = await completeSnapshot(cluster, name, { ...way.spec, executionHookInfos });
  const seen = await cuts.of(madeName(status));
  const [hook = ''] = status.executionHookNames ?? [];
  const frozenMs = timeOf(controller.reported(), { msg: 'AttemptEnded', action: 'pre', hook });
  const thawMs = timeOf(controller.reported(), { msg: 'AttemptStarted', action: 'post', hook });
  const { cutMs, answeredMs } = recordOf(records, seen.handle);
  return {
    frozen: thawMs - frozenMs,
    ask: seen.thereMs - frozenMs,
    controller: seen.contentMs - seen.thereMs,
    sidecarBefore: cutMs - seen.contentMs,
    driver: answeredMs - cutMs,
    sidecarAfter: seen.cutMs - answeredMs,
    thaw: thawMs - seen.cutMs,
  };
}

function madeName({ volumes = [], volumeGroupSnapshotName }: ApplicationSnapshotStatus): string {
  return volumeGroupSnapshotName ?? volumes[0]?.volumeSnapshotName ?? '';
}

/** Unix milliseconds of the cut and of the driver's answer. */
function recordOf(folder: string, handle: string): { cutMs: number; answeredMs: number } {
  const file = join(folder, `${handle}.json`);
  const { Cut } = JSON.parse(readFileSync(file, 'utf8')) as { readonly Cut: string };
  return { cutMs: Date.parse(Cut), answeredMs: statSync(file).mtimeMs };
}
