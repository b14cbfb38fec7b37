import { isReason } from './api-error.ts';
import type { KubeClient } from './client.ts';
import type { KubeObject, Resource } from './object.ts';

/** Creates the object; if one of that name exists, returns it unchanged. */
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
