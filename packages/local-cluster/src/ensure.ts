import type { KubeClient } from '../../../src/kube/client.ts';
import { createOrGet, getOrNull, objectKey } from '../../../src/kube/get-or-null.ts';
import type { KubeObject, Resource } from '../../../src/kube/object.ts';

/**
 * Returns the existing object, or creates it.
 *
 * Reads before it creates, because even a create of an existing object is admitted. A webhook that runs in a pod of the
 * stopped cluster would refuse it, so the cluster could never start again.
 */
export async function ensure<T extends KubeObject>(
  client: KubeClient,
  resource: Resource<T>,
  object: T,
): Promise<T> {
  const existing = await getOrNull(client, resource, objectKey(object));
  return existing ?? createOrGet(client, resource, object);
}
