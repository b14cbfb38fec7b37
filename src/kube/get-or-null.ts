import { isReason } from './api-error.ts';
import type { KubeClient } from './client.ts';
import type { KubeObject, ObjectKey, Resource } from './object.ts';

/** null: the object does not exist. Every other failure rejects. */
export async function getOrNull<T extends KubeObject>(
  client: Pick<KubeClient, 'get'>,
  resource: Resource<T>,
  key: ObjectKey,
): Promise<T | null> {
  try {
    return await client.get(resource, key);
  } catch (error) {
    if (isReason(error, 'NotFound')) return null;
    throw error;
  }
}

/** Creates the object; if one of that name exists, returns it unchanged. */
export async function createOrGet<T extends KubeObject>(
  client: Pick<KubeClient, 'create' | 'get'>,
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
