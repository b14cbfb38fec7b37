import { isReason } from '../../../kube/api-error.ts';
import type { KubeClient } from '../../../kube/client.ts';
import type { KubeObject, Resource } from '../../../kube/object.ts';
import { identify } from '../app/identify.ts';

/**
 * Resolves with false if the object has changed since it was read, or was replaced. The next reconcile decides again.
 */
export async function deleteUnchanged(
  client: Pick<KubeClient, 'delete'>,
  resource: Resource,
  object: KubeObject,
): Promise<boolean> {
  const { namespace, name, uid, resourceVersion } = identify(object);
  try {
    const preconditions = { uid, resourceVersion };
    await client.delete(resource, { namespace, name }, { preconditions });
    return true;
  } catch (error) {
    if (isReason(error, 'NotFound', 'Conflict')) return false;
    throw error;
  }
}
