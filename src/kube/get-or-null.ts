import type { PersistentVolume, PersistentVolumeClaim } from 'kubernetes-types/core/v1.js';

import { orNull } from './api-error.ts';
import type { KubeClient } from './client.ts';
import type { KubeObject, ObjectKey, Resource } from './object.ts';
import { persistentVolumes } from './resources.ts';

/** Gets the object; null: it does not exist. Every other failure rejects. */
export function getOrNull<T extends KubeObject>(
  client: Pick<KubeClient, 'get'>,
  resource: Resource<T>,
  key: ObjectKey,
): Promise<T | null> {
  return orNull(client.get(resource, key), 'NotFound');
}

/** The volume that a claim is bound to; null if there is none. */
export async function volumeOf(
  client: Pick<KubeClient, 'get'>,
  claim: PersistentVolumeClaim | null,
): Promise<PersistentVolume | null> {
  const name = claim?.spec?.volumeName;
  return name === undefined ? null : getOrNull(client, persistentVolumes, { name });
}

/** Creates the object. If an object of that name exists, returns the existing one unchanged. */
export async function createOrGet<T extends KubeObject>(
  client: Pick<KubeClient, 'create' | 'get'>,
  resource: Resource<T>,
  object: T,
): Promise<T> {
  const created = await orNull(client.create(resource, object), 'AlreadyExists');
  if (created !== null) return created;
  return client.get(resource, objectKey(object));
}

/**
 * Deletes this object, but not a later one of its name. Resolves with the terminating object; null: it is already
 * deleted, or another object has its name.
 */
export function deleteIfSame<T extends KubeObject>(
  client: Pick<KubeClient, 'delete'>,
  resource: Resource<T>,
  object: T,
): Promise<T | null> {
  const preconditions = { uid: object.metadata?.uid ?? '' };
  const deleted = client.delete(resource, objectKey(object), { preconditions });
  return orNull(deleted, 'NotFound', 'Conflict');
}

/** The key of an object; it has no namespace if the object is cluster-scoped. */
export function objectKey({ metadata }: KubeObject): ObjectKey {
  const { namespace, name = '' } = metadata ?? {};
  return namespace === undefined ? { name } : { namespace, name };
}
