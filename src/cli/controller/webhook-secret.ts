import type { KubeClient } from '../../kube/client.ts';
import { type ProveWrite, proveWith } from '../../lifecycles/rollout/gate/write-proof.ts';
import { keptWriteKey } from './secret-store.ts';

/** Of the Secret, and of the webhook configurations. */
export const WEBHOOK_NAME = 'lifehook-webhook';

/**
 * The key of this installation, at least 32 bytes, from the Secret `lifehook-webhook` of the namespace:
 * the webhook judges by it, the controllers prove by it.
 */
export function webhookKey(client: KubeClient, namespace: string): Promise<string> {
  return keptWriteKey(client, { namespace, name: WEBHOOK_NAME });
}

/** For `RolloutContext.prove`, where a webhook is served. */
export async function proveWrites(client: KubeClient, namespace: string): Promise<ProveWrite> {
  return proveWith(await webhookKey(client, namespace));
}
