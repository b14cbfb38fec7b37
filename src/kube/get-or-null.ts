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
