/** Ends snapshots and their hooks for `lifehook uninstall`. */
import { countText } from '../../model/count-text.ts';
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
import { isComplete, keepSnapshots } from './keep-snapshots.ts';

/**
 * The order is that of the deletion. Schedules and guards are first, so that no new snapshot is created; hooks follow
 * their snapshots.
 */
export const ended = [
  { resource: snapshotSchedules },
  { resource: snapshotGuards },
  {
    resource: applicationSnapshots,
    keep: async (client, scope, objects) => {
      const kept = await keepSnapshots(client, scope, objects as readonly ApplicationSnapshot[]);
      return kept === 0 ? [] : [`kept, without an owner: ${countText(kept, 'volume snapshot')}`];
    },
  },
  { resource: executionHooks },
  { resource: snapshotRestores },
] as UninstallPart['ended'];
export const records: readonly Resource[] = [executionHookTemplates] as readonly Resource[];

export const gather: UninstallPart['gather'] = async (client, scope) => {
  const [hooks, snapshots, restores] = await Promise.all([
    listOrNone(client, executionHooks, scope),
    listOrNone(client, applicationSnapshots, scope),
    listOrNone(client, snapshotRestores, scope),
  ]);
  return { holds: whatSnapshotsHold({ hooks, snapshots, restores }) };
};

/** One line for each object that must be finished or deleted before the kinds can be deleted. Pure. */
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
    ...snapshots.map((snapshot) => `ApplicationSnapshot ${nameOf(snapshot)}${lossText(snapshot)}`),
    ...restores.map((restore) => `SnapshotRestore ${nameOf(restore)}`),
  ];
}

function lossText(snapshot: ApplicationSnapshot): string {
  return isComplete(snapshot) ? '' : ' (not complete: its VolumeSnapshots are deleted with it)';
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
