import type { KubeClient } from '../../kube/client.ts';
import type { RolloutContext } from '../../lifecycles/rollout/context.ts';
import { isAuthoredWith } from '../../lifecycles/rollout/gate/authored.ts';
import { proveWith } from '../../lifecycles/rollout/gate/write-proof.ts';
import { keptWriteKey } from './secret-store.ts';

/** Name of the Secret and of the webhook configurations. */
export const WEBHOOK_NAME = 'lifehook-webhook';

/**
 * The key of this installation, at least 32 bytes, from the Secret `lifehook-webhook` of the namespace: the controllers
 * sign with it, the webhook verifies with it.
 */
export function webhookKey(client: KubeClient, namespace: string): Promise<string> {
  return keptWriteKey(client, { namespace, name: WEBHOOK_NAME });
}

/** The functions by which rollout controllers sign and check writes, if a webhook is served. */
export async function rolloutProofs(client: KubeClient, namespace: string): Promise<RolloutProofs> {
  const key = await webhookKey(client, namespace);
  return { prove: proveWith(key), isAuthored: isAuthoredWith(key) };
}

export type RolloutProofs = Required<Pick<RolloutContext, 'prove' | 'isAuthored'>>;
