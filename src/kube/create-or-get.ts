import { isReason } from './api-error.ts';
import type { KubeClient } from './client.ts';
import type { KubeObject, Resource } from './object.ts';

/** The object of that name: as it is given where there was none, else as it stands, unchanged. */
export async function createOrGet<T extends KubeObject>(
  client: KubeClient,
  resource: Resource<T>,
  object: T,
): Promise<T> {
  try {
    return await client.create(resource, object);
  } catch (error) {
    if (!isReason(error, 'AlreadyExists')) throw error;
  }
  const { namespace, name = '' } = object.metadata ?? {};
  return client.get(resource, namespace === undefined ? { name } : { namespace, name });
}
