/**
 * Reads from the server, right before the plan, whether the kinds that a snapshot needs are served. A server continues
 * the watches of a deleted definition for a second or more, and nothing may freeze for a kind that is not served. The
 * kinds of contents are not checked: they are installed and deleted together with those of the snapshots.
 */
import { isReason } from '../../../kube/api-error.ts';
import type { KubeClient, ListOptions } from '../../../kube/client.ts';
import { apiVersionOf, type KubeObject, type Resource } from '../../../kube/object.ts';
import type { SnapshotClass } from '../../../kube/snapshots.ts';
import type { ApplicationSnapshot } from '../kinds.ts';
import { identify } from './identify.ts';
import type { SnapshotKinds } from './snapshot-kinds.ts';

export type KindsRead =
  | { readonly classes: readonly SnapshotClass[] }
  /** Names of the missing kinds, for a message. */
  | { readonly missing: readonly string[] };

export async function readKinds(
  client: KubeClient,
  kinds: SnapshotKinds,
  snapshot: ApplicationSnapshot,
): Promise<KindsRead> {
  const { mode } = snapshot.spec;
  const made = mode === 'Group' ? kinds.groups : kinds.snapshots;
  const ofClass = kinds.classes(mode);
  if (ofClass === null) return { missing: [made.text] };
  const { namespace, name } = identify(snapshot);
  const few = { namespace, fieldSelector: `metadata.name=${name}` };
  const [found, classes] = await Promise.all([
    listOrNull<KubeObject>(client, made.resource, few),
    listOrNull(client, ofClass),
  ]);
  if (found === null) return { missing: [made.text] };
  return classes === null ? { missing: [classText(ofClass)] } : { classes };
}

/** The text for messages: "VolumeSnapshotClass (snapshot.storage.k8s.io/v1)". */
export function classText(resource: Resource): string {
  return `${resource.kind} (${apiVersionOf(resource)})`;
}

/** null: the kind is not served. */
export async function listOrNull<T extends KubeObject>(
  client: Pick<KubeClient, 'list'>,
  resource: Resource<T>,
  options?: ListOptions,
): Promise<readonly T[] | null> {
  try {
    const { items } = await client.list(resource, options);
    return items;
  } catch (error) {
    if (isReason(error, 'NotFound')) return null;
    throw error;
  }
}
