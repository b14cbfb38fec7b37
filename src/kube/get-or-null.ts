import { orNull } from './api-error.ts';
import type { KubeClient } from './client.ts';
import type { KubeObject, ObjectKey, Resource } from './object.ts';

/** null: the object does not exist. Every other failure rejects. */
export function getOrNull<T extends KubeObject>(
  client: Pick<KubeClient, 'get'>,
  resource: Resource<T>,
  key: ObjectKey,
): Promise<T | null> {
  return orNull(client.get(resource, key), 'NotFound');
}

/** Creates the object; if one of that name exists, returns it unchanged. */
export async function createOrGet<T extends KubeObject>(
  client: Pick<KubeClient, 'create' | 'get'>,
  resource: Resource<T>,
  object: T,
): Promise<T> {
  const created = await orNull(client.create(resource, object), 'AlreadyExists');
  if (created !== null) return created;
  const { namespace, name = '' } = object.metadata ?? {};
  return client.get(resource, namespace === undefined ? { name } : { namespace, name });
}
