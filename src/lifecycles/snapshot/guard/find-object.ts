import { orNull } from '../../../kube/api-error.ts';
import type { KubeClient } from '../../../kube/client.ts';
import type { KubeObject, ObjectKey, Resource } from '../../../kube/object.ts';
import { CALL_MS } from './limits.ts';

/** Gets the object within CALL_MS; null: it does not exist. Every other failure rejects. */
export function findObject<T extends KubeObject>(
  client: Pick<KubeClient, 'get'>,
  resource: Resource<T>,
  key: ObjectKey,
): Promise<T | null> {
  return orNull(client.get(resource, key, { timeoutMs: CALL_MS }), 'NotFound');
}
