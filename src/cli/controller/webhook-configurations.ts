/** Builds and writes the configurations that register the webhooks at API servers. */
import type { WebhookClient } from '../../controller/admission/webhook-client.ts';
import { isReason } from '../../kube/api-error.ts';
import type { KubeClient } from '../../kube/client.ts';
import {
  mutatingWebhookConfigurations,
  validatingWebhookConfigurations,
} from '../../kube/resources.ts';
import { gateConfigurations } from '../../lifecycles/rollout/gate/gate-configurations.ts';
import { webhookConfiguration } from '../../lifecycles/snapshot/admission/webhook-configuration.ts';
import { WEBHOOK_NAME } from './webhook-secret.ts';

export const GATE_NAME = 'lifehook-rollout-gate';

const HOW = { fieldManager: 'lifehook-controller', force: true };

/** `authority`: PEM, the CA that API servers trust. */
export async function applyConfigurations(
  client: KubeClient,
  to: { readonly client: WebhookClient; readonly authority: string },
): Promise<void> {
  const gate = gateConfigurations({ name: GATE_NAME, ...to });
  // The one that rejects is last: nothing is required that no webhook would stamp.
  await client.apply(mutatingWebhookConfigurations, gate.mutating, HOW);
  await client.apply(validatingWebhookConfigurations, gate.validating, HOW);
  const kinds = webhookConfiguration({ name: WEBHOOK_NAME, ...to });
  await client.apply(validatingWebhookConfigurations, kinds, HOW);
}

/** Milliseconds: less than the second that a kubelet gives a probe. */
const TIMEOUT_MS = 900;

/** PEM: the CA bundle that API servers trust now, for each webhook; null: a configuration is missing. */
export async function storedBundles(client: KubeClient): Promise<readonly string[] | null> {
  const options = { timeoutMs: TIMEOUT_MS };
  try {
    const found = await Promise.all([
      client.get(mutatingWebhookConfigurations, { name: GATE_NAME }, options),
      client.get(validatingWebhookConfigurations, { name: GATE_NAME }, options),
      client.get(validatingWebhookConfigurations, { name: WEBHOOK_NAME }, options),
    ]);
    const webhooks = found.flatMap((one) => one.webhooks ?? []);
    return webhooks.map(({ clientConfig }) => atob(clientConfig.caBundle ?? ''));
  } catch (error) {
    if (isReason(error, 'NotFound')) return null;
    throw error;
  }
}
