import type { KubeClient } from '../../kube/client.ts';
import { keptWriteKey } from './secret-store.ts';

/** Name of the Secret. */
export const WEBHOOK_NAME = 'lifehook-webhook';

/**
 * The key of this installation, at least 32 bytes, from the Secret `lifehook-webhook` of the namespace: the controllers
 * sign with it, the webhook verifies with it.
 */
export function webhookKey(client: KubeClient, namespace: string): Promise<string> {
  return keptWriteKey(client, { namespace, name: WEBHOOK_NAME });
}
