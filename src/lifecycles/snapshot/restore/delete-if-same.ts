import { orNull } from '../../../kube/api-error.ts';
import type { KubeClient } from '../../../kube/client.ts';
import type { KubeObject, Resource } from '../../../kube/object.ts';
import { identify } from '../app/identify.ts';

/** Deletes this object, and no later one of its name. */
export async function deleteIfSame<T extends KubeObject>(
  client: KubeClient,
  resource: Resource<T>,
  object: T,
): Promise<void> {
  const { namespace, name, uid } = identify(object);
  await orNull(
    client.delete(resource, { namespace, name }, { preconditions: { uid } }),
    'NotFound',
    'Conflict',
  );
}
