/**
 * Reads which field of a requested snapshot shows its cut. The guard decides that; without its decision, the snapshot
 * class.
 */
import { persistentVolumes } from '../../../kube/resources.ts';
import { classes, type SnapshotClass } from '../../../kube/snapshots.ts';
import type { CancelSignal } from '../../../platform/platform.ts';
import { listOrNull } from '../app/read-kinds.ts';
import { chooseClass } from '../app/snapshot-class.ts';
import { groupClassesOf } from '../app/snapshot-kinds.ts';
import type { SnapshotGuard, ApplicationSnapshotSpec, CutSignal } from '../kinds.ts';
import { findObject } from './find-object.ts';
import type { GuardWorld } from './guard-world.ts';
import type { RequestedClaim } from './match-guards.ts';
import { callOf } from './read-guards.ts';
import type { RequestedSnapshot } from './requested-snapshot.ts';

type Reader = Pick<GuardWorld, 'client'>;

export interface SignalOptions {
  readonly asked: RequestedSnapshot;
  readonly claims: readonly RequestedClaim[];
  readonly guard: SnapshotGuard;
}

/**
 * The signal that the snapshot is cut: that of the guard's spec, else that of the snapshot class. It is `readyToUse` if
 * the class is not known: the class that is chosen later may require it, and a snapshot that is ready is also cut.
 */
export async function readCutSignal(
  reader: Reader,
  { asked, claims, guard }: SignalOptions,
  signal: CancelSignal,
): Promise<CutSignal> {
  if (guard.spec.cutSignal !== undefined) return guard.spec.cutSignal;
  const [known, driver] = await Promise.all([
    readClasses(reader, asked, signal),
    readDriver(reader, claims),
  ]);
  const chosen = chooseClass({ spec: specOf(asked), classes: known, driver });
  return 'reason' in chosen ? 'readyToUse' : chosen.cutSignal;
}

/** The snapshot classes; empty if the server does not serve the kind. */
async function readClasses(
  { client }: Reader,
  { kind, version }: RequestedSnapshot,
  signal: CancelSignal,
): Promise<readonly SnapshotClass[]> {
  const resource = kind === 'VolumeGroupSnapshot' ? groupClassesOf(version) : classes;
  const found = resource === null ? null : await listOrNull(client, resource, callOf(signal));
  return found ?? [];
}

/** The CSI driver of a volume. undefined: the volume is not a CSI volume, or is not known. */
async function readDriver(
  { client }: Reader,
  claims: readonly RequestedClaim[],
): Promise<string | undefined> {
  const name = claims[0]?.claim?.spec?.volumeName ?? '';
  if (name === '') return undefined;
  const volume = await findObject(client, persistentVolumes, { name });
  return volume?.spec?.csi?.driver;
}

function specOf({ kind, className }: RequestedSnapshot): ApplicationSnapshotSpec {
  const named = className === '' ? undefined : className;
  if (kind === 'VolumeGroupSnapshot') {
    const group = { source: {}, mode: 'Group' as const };
    return named === undefined ? group : { ...group, volumeGroupSnapshotClassName: named };
  }
  return named === undefined ? { source: {} } : { source: {}, volumeSnapshotClassName: named };
}
