/** Builds and writes the configurations that register the webhooks of all lifecycles at API servers. */
import { isReason } from '../../kube/api-error.ts';
import type { KubeClient } from '../../kube/client.ts';
import { getOrNull } from '../../kube/get-or-null.ts';
import {
  mutatingWebhookConfigurations,
  validatingWebhookConfigurations,
} from '../../kube/resources.ts';
import { webhookParts } from '../lifecycle-controllers.ts';
import type { Registration } from '../lifecycle-parts.ts';

const HOW = { fieldManager: 'lifehook-controller', force: true };

/** The mutating ones are first: a validating one may require what they add. */
export async function applyConfigurations(client: KubeClient, to: Registration): Promise<void> {
  const parts = Object.values(webhookParts);
  for (const { mutating } of parts) {
    if (mutating !== undefined)
      await client.apply(mutatingWebhookConfigurations, mutating(to), HOW);
  }
  for (const { validating } of parts) {
    await client.apply(validatingWebhookConfigurations, validating(to), HOW);
  }
}

/** Milliseconds: less than the second that a kubelet gives a probe. */
const TIMEOUT_MS = 900;

/** PEM: the CA bundle that API servers trust now, for each webhook; null: a configuration is missing. */
export async function storedBundles(client: KubeClient): Promise<readonly string[] | null> {
  const options = { timeoutMs: TIMEOUT_MS };
  const reads = Object.values(webhookParts).flatMap(({ name, mutating }) => [
    ...(mutating === undefined
      ? []
      : [client.get(mutatingWebhookConfigurations, { name }, options)]),
    client.get(validatingWebhookConfigurations, { name }, options),
  ]);
  try {
    const found = await Promise.all(reads);
    const webhooks = found.flatMap((one) => one.webhooks ?? []);
    return webhooks.map(({ clientConfig }) => atob(clientConfig.caBundle ?? ''));
  } catch (error) {
    if (isReason(error, 'NotFound')) return null;
    throw error;
  }
}

/** The port at which a webhook without a Service was last registered; 0: there was none. */
export async function lastPort(client: KubeClient): Promise<number> {
  for (const { name } of Object.values(webhookParts)) {
    const found = await getOrNull(client, validatingWebhookConfigurations, { name });
    const url = found?.webhooks?.[0]?.clientConfig.url ?? '';
    if (URL.canParse(url)) return Number(new URL(url).port);
  }
  return 0;
}
