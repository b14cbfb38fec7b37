/**
 * Keeps the VolumeSnapshots of complete snapshots at an uninstall, because they are backups of users. Each is owned by
 * the ApplicationSnapshot that created it, and the garbage collector deletes owned objects.
 */
import { isReason, orNull } from '../../kube/api-error.ts';
import type { KubeClient } from '../../kube/client.ts';
import { getOrNull } from '../../kube/get-or-null.ts';
import type { JsonObject, KubeObject, Resource } from '../../kube/object.ts';
import { groupSnapshots, snapshots } from '../../kube/snapshots.ts';
import { isOwnedBy } from '../../lifecycles/snapshot/app/made-objects.ts';
import { type ApplicationSnapshot, applicationSnapshots } from '../../lifecycles/snapshot/kinds.ts';
import { MADE_FOR } from '../../lifecycles/snapshot/names.ts';
import { listOrNone, type StandingScope } from '../install/standing.ts';

const TRIES = 5;

/**
 * Removes the owner from each volume snapshot and group snapshot of a complete snapshot. Returns the number of these
 * objects.
 */
export async function keepSnapshots(
  client: KubeClient,
  scope: StandingScope,
  owners: readonly ApplicationSnapshot[],
): Promise<number> {
  const complete = owners.filter(isComplete);
  if (complete.length === 0) return 0;
  const resources = [snapshots, groupSnapshots] as readonly Resource[];
  let kept = 0;
  for (const resource of resources) {
    for (const object of await listOrNone(client, resource, {
      ...scope,
      labelSelector: MADE_FOR,
    })) {
      if (!complete.some((owner) => isOwnedBy(object, owner))) continue;
      if (await disown(client, resource, object)) kept += 1;
    }
  }
  return kept;
}

/** True: the volume snapshots of this snapshot are backups, which an uninstall keeps. */
export function isComplete({ status }: ApplicationSnapshot): boolean {
  return status?.completedAt !== undefined && status.failure === undefined;
}

/**
 * Removes the owner of one object. After a write conflict it reads the owners again. False: another client has deleted
 * the object.
 */
async function disown(
  client: KubeClient,
  resource: Resource,
  object: KubeObject,
): Promise<boolean> {
  const { namespace = '', name = '' } = object.metadata ?? {};
  let newest: KubeObject | null = object;
  for (let tries = 1; newest !== null; tries += 1) {
    const body = withoutOwner(newest);
    try {
      const patched = client.patch(resource, { namespace, name }, { type: 'merge', body });
      return (await orNull(patched, 'NotFound')) !== null;
    } catch (error) {
      if (!isReason(error, 'Conflict') || tries === TRIES) throw error;
    }
    newest = await getOrNull(client, resource, { namespace, name });
  }
  return false;
}

function withoutOwner({ metadata = {} }: KubeObject): JsonObject {
  const { ownerReferences = [], resourceVersion = '' } = metadata;
  const others = ownerReferences.filter(({ kind }) => kind !== applicationSnapshots.kind);
  return { metadata: { resourceVersion, ownerReferences: others.map((one) => ({ ...one })) } };
}
