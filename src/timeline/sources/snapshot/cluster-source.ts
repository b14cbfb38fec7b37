/** The kinds of the snapshot lifecycle that the timeline of a cluster follows. */
import { applicationSnapshots, executionHooks } from '../../../lifecycles/snapshot/kinds.ts';
import type { ClusterSource } from '../follow-cluster.ts';
import { executionHookBars } from './hook-bars.ts';
import { keptFreezes, snapshotBars } from './snapshot-bars.ts';

export const snapshotSource: ClusterSource = (follow) => [
  follow({ resource: executionHooks, barsOf: executionHookBars }),
  follow({ resource: applicationSnapshots, barsOf: snapshotBars, keptBarsOf: keptFreezes }),
];
