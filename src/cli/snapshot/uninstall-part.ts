/** Ends snapshots and their hooks for `lifehook uninstall`. */
import type { Resource } from '../../kube/object.ts';
import { frozenTargets } from '../../lifecycles/snapshot/frozen-targets.ts';
import {
  snapshotGuards,
  type ApplicationSnapshot,
  applicationSnapshots,
  type ExecutionHook,
  executionHooks,
  executionHookTemplates,
} from '../../lifecycles/snapshot/kinds.ts';
import { snapshotSchedules } from '../../lifecycles/snapshot/schedule/kinds.ts';
import { type SnapshotRestore, snapshotRestores } from '../../lifecycles/snapshot/restore/kinds.ts';
import { listOrNone, nameOf } from '../install/standing.ts';
import type { UninstallPart } from '../lifecycle-parts.ts';
import { keepSnapshots } from './keep-snapshots.ts';

/**
 * The order is that of the deletion. Schedules and guards are first, so that no new snapshot is created; hooks follow
 * their snapshots.
 */
export const ended: readonly Resource[] = [
  snapshotSchedules,
  snapshotGuards,
  applicationSnapshots,
  executionHooks,
  snapshotRestores,
] as readonly Resource[];
export const records: readonly Resource[] = [executionHookTemplates] as readonly Resource[];

export const gather: UninstallPart['gather'] = async (client, scope) => {
  const [hooks, snapshots, restores] = await Promise.all([
    listOrNone(client, executionHooks, scope),
    listOrNone(client, applicationSnapshots, scope),
    listOrNone(client, snapshotRestores, scope),
  ]);
  return {
    holds: whatSnapshotsHold({ hooks, snapshots, restores }),
    keep: async () => {
      const kept = await keepSnapshots(client, scope, snapshots);
      return kept === 0 ? [] : [`${kept} VolumeSnapshots are kept, without an owner`];
    },
  };
};

/** One line for each object that has to end before the kinds can be deleted. Pure. */
export function whatSnapshotsHold({
  hooks,
  snapshots,
  restores,
}: {
  readonly hooks: readonly ExecutionHook[];
  readonly snapshots: readonly ApplicationSnapshot[];
  readonly restores: readonly SnapshotRestore[];
}): readonly string[] {
  return [
    ...hooks.map((hook) => `ExecutionHook ${nameOf(hook)}${frozenText(hook)}`),
    ...snapshots.map((snapshot) => `ApplicationSnapshot ${nameOf(snapshot)}`),
    ...restores.map((restore) => `SnapshotRestore ${nameOf(restore)}`),
  ];
}

function frozenText(hook: ExecutionHook): string {
  const frozen = frozenTargets(hook);
  if (frozen.length === 0) return '';
  const { namespace = '', name = '' } = hook.metadata ?? {};
  const isUnproven = frozen.some((each) => each.unproven);
  const thenWhat = isUnproven
    ? ` (no thaw is proven: check its volumes on the node, then lifehook snapshot release ${name} -n ${namespace} --by YOU)`
    : '';
  const places = frozen.map(({ pod, container }) => `${pod}/${container}`);
  return `, which holds ${places.join(' and ')} frozen${thenWhat}`;
}
