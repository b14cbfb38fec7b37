/**
 * Keeps the VolumeSnapshots of complete snapshots at an uninstall, because they are backups of users. Each is owned by
 * the ApplicationSnapshot that created it, and the garbage collector deletes owned objects.
 */
import { isReason } from '../../kube/api-error.ts';
import type { KubeClient } from '../../kube/client.ts';
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
  const resources = [snapshots, groupSnapshots] as readonly Resource[];
  let kept = 0;
  for (const resource of resources) {
    for (const object of await listOrNone(client, resource, {
      ...scope,
      labelSelector: MADE_FOR,
    })) {
      if (!complete.some((owner) => isOwnedBy(object, owner))) continue;
      await disown(client, resource, object);
      kept += 1;
    }
  }
  return kept;
}

function isComplete({ status }: ApplicationSnapshot): boolean {
  return status?.completedAt !== undefined && status.failure === undefined;
}

/** Removes the owner of one object. After a write conflict it reads the owners again. */
async function disown(client: KubeClient, resource: Resource, object: KubeObject): Promise<void> {
  const { namespace = '', name = '' } = object.metadata ?? {};
  let body = withoutOwner(object);
  for (let tries = 1; ; tries += 1) {
    try {
      await client.patch(resource, { namespace, name }, { type: 'merge', body });
      return;
    } catch (error) {
      if (!isReason(error, 'Conflict') || tries === TRIES) throw error;
    }
    body = withoutOwner(await client.get(resource, { namespace, name }));
  }
}

function withoutOwner({ metadata = {} }: KubeObject): JsonObject {
  const { ownerReferences = [], resourceVersion = '' } = metadata;
  const others = ownerReferences.filter(({ kind }) => kind !== applicationSnapshots.kind);
  return { metadata: { resourceVersion, ownerReferences: others.map((one) => ({ ...one })) } };
}
