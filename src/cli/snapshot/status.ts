/** `lifehook snapshot status NAME`: explains a snapshot, restore, schedule, guard or VolumeSnapshot. */
import process from 'node:process';

import type { VolumeSnapshot } from '../../kube/snapshots.ts';
import {
  type SnapshotGuard,
  type ApplicationSnapshot,
  applicationSnapshots,
} from '../../lifecycles/snapshot/kinds.ts';
import { SCHEDULE, SCHEDULE_UID } from '../../lifecycles/snapshot/names.ts';
import type { SnapshotRestore } from '../../lifecycles/snapshot/restore/kinds.ts';
import type { SnapshotSchedule } from '../../lifecycles/snapshot/schedule/kinds.ts';
import { exitCodes } from '../exit-codes.ts';
import { type CliCluster, connectToKube, type KubeOptions } from '../kube-connection.ts';
import { printed } from '../listing.ts';
import type { OutputFormat } from '../shared-options.ts';
import { type Explained, findExplained } from './find-explained.ts';
import { restoreStatusText } from './restore-text.ts';
import { guardText, scheduleText } from './schedule-text.ts';
import { statusText } from './status-text.ts';
import { recordsOf, volumeSnapshotText } from './volume-snapshot-text.ts';

export interface StatusOptions extends KubeOptions {
  readonly output: OutputFormat;
}

export async function runStatus(name: string, options: StatusOptions): Promise<number> {
  using cluster = await connectToKube(options, 'snapshot status');
  const found = await findExplained(cluster, name);
  const { value, text } = await explain(cluster, found);
  process.stdout.write(printed(value, options.output, text));
  return hasFailed(found) ? exitCodes.failed : exitCodes.done;
}

interface Explanation {
  /** The value that JSON and YAML print. */
  readonly value: object;
  readonly text: () => string;
}

async function explain(cluster: CliCluster, { kind, object }: Explained): Promise<Explanation> {
  // The server returned the object for this kind, so it has the type of the kind.
  switch (kind) {
    case 'ApplicationSnapshot':
      return { value: object, text: () => statusText(object as ApplicationSnapshot) };
    case 'SnapshotRestore':
      return { value: object, text: () => restoreStatusText(object as SnapshotRestore) };
    case 'SnapshotGuard':
      return { value: object, text: () => guardText(object as SnapshotGuard) };
    case 'VolumeSnapshot':
      return explainVolumeSnapshot(cluster, object);
    case 'SnapshotSchedule':
      return explainSchedule(cluster, object as SnapshotSchedule);
    default:
      return kind satisfies never;
  }
}

async function explainVolumeSnapshot(
  { client, namespace }: CliCluster,
  snapshot: VolumeSnapshot,
): Promise<Explanation> {
  const { items } = await client.list(applicationSnapshots, { namespace });
  const records = recordsOf(snapshot, items);
  return {
    value: { volumeSnapshot: snapshot, ...records },
    text: () => volumeSnapshotText(snapshot, records),
  };
}

async function explainSchedule(
  { client, namespace }: CliCluster,
  schedule: SnapshotSchedule,
): Promise<Explanation> {
  const { name = '', uid = '' } = schedule.metadata ?? {};
  const labelSelector = `${SCHEDULE}=${name}`;
  const { items } = await client.list(applicationSnapshots, { namespace, labelSelector });
  const retained = items.filter(({ metadata }) => metadata?.annotations?.[SCHEDULE_UID] === uid);
  return { value: { schedule, retained }, text: () => scheduleText(schedule, retained) };
}

function hasFailed({ kind, object }: Explained): boolean {
  if (kind !== 'ApplicationSnapshot' && kind !== 'SnapshotRestore') return false;
  return (object as ApplicationSnapshot | SnapshotRestore).status?.phase === 'Failed';
}
