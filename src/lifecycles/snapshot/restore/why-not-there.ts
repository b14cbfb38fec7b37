/**
 * Decides whether the snapshots of a restore exist and are complete. Pure.
 *
 * If not, the result is the reason for a failure, or a text that says what the restore waits for.
 */
import { isTerminating } from '../../../controller/finalizers.ts';
import type { Failure } from '../app/failure.ts';
import type { ApplicationSnapshot } from '../kinds.ts';
import type { SnapshotRestoreSpec } from './kinds.ts';
import type { RestoreSources } from './plan.ts';

type NotPlanned = Failure | { readonly waitsFor: string };

/** null: the restore can be planned. */
export function whyNotThere(
  { source }: SnapshotRestoreSpec,
  { application, sources, missing }: RestoreSources,
): NotPlanned | null {
  const { applicationSnapshotName: name } = source;
  const count = sources.length + missing.length;
  const obstacle = name === undefined ? null : whyNotComplete(name, application, count);
  if (obstacle !== null) return obstacle;
  if (missing.length > 0) {
    const message = `VolumeSnapshot ${missing.join(', ')} does not exist any more, or was replaced: restore another snapshot.`;
    return { reason: 'SnapshotNotFound', message };
  }
  const deleted = sources.find(({ snapshot }) => isTerminating(snapshot));
  if (deleted !== undefined) {
    const message = `VolumeSnapshot ${deleted.snapshot.metadata?.name ?? ''} is being deleted: restore another snapshot.`;
    return { reason: 'SnapshotNotFound', message };
  }
  const unready = sources.find(({ snapshot }) => snapshot.status?.readyToUse !== true);
  if (unready === undefined) return null;
  return {
    waitsFor: `VolumeSnapshot ${unready.snapshot.metadata?.name ?? ''} is not ready to use`,
  };
}

/**
 * The reason why the snapshot cannot be restored, or not yet. `count`: number of the VolumeSnapshots of the
 * ApplicationSnapshot, whether or not they exist.
 */
function whyNotComplete(
  name: string,
  application: ApplicationSnapshot | null,
  count: number,
): NotPlanned | null {
  if (application === null) {
    const message = `ApplicationSnapshot ${name} does not exist: name another, or its VolumeSnapshots in volumeSnapshotNames.`;
    return { reason: 'SnapshotNotFound', message };
  }
  const { window } = application.spec;
  if (window !== undefined) {
    const message = `ApplicationSnapshot ${name} is a window of guard ${window.guardName}, which creates no snapshots: name those that it admitted in volumeSnapshotNames (--volume-snapshot): ${admittedIn(application)}.`;
    return { reason: 'NothingToRestore', message };
  }
  const { phase = 'Pending', verdict } = application.status ?? {};
  if (phase !== 'Completed' && phase !== 'Failed') {
    return { waitsFor: `ApplicationSnapshot ${name} is not complete (${phase})` };
  }
  if (verdict !== undefined && count > 0) return null;
  const message = `ApplicationSnapshot ${name} failed before a volume was cut: there is nothing to restore.`;
  return { reason: 'NothingToRestore', message };
}

function admittedIn({ status }: ApplicationSnapshot): string {
  const singles = (status?.admitted ?? []).filter(({ kind }) => kind === 'VolumeSnapshot');
  return singles.map(({ name }) => name).join(', ') || 'it admitted none';
}
