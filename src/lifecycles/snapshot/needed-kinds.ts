/** The kinds without which the snapshot controllers cannot run. */
import type { Resource } from '../../kube/object.ts';
import { snapshotGuards, applicationSnapshots, executionHooks } from './kinds.ts';
import { snapshotRestores } from './restore/kinds.ts';
import { snapshotSchedules } from './schedule/kinds.ts';

export const neededSnapshotKinds: readonly Resource[] = [
  applicationSnapshots,
  executionHooks,
  snapshotSchedules,
  snapshotRestores,
  snapshotGuards,
];
