/** A second webhook with the rules of the guards' webhook. It records the requests that the API server sends to both. */
import type { ValidatingWebhook } from 'kubernetes-types/admissionregistration/v1.js';

import { validatingWebhookConfigurations } from '../../src/kube/resources.ts';
import { snapshots } from '../../src/kube/snapshots.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import type { ReviewRequest, WebhookServer } from '../fixtures/webhook-server.ts';
import { type GuardStand, sourceOf } from './guard-stand.ts';

const PATH = '/copy';

export interface CopiedWebhook extends AsyncDisposable {
  readonly original: ValidatingWebhook;
  /** The requests so far, without dry runs. */
  requests(): readonly ReviewRequest[];
}

/**
 * Resolves when the API server calls the copy. A quota must not refuse VolumeSnapshots yet. `calls`: how often the API
 * server calls the webhook of the guards for each request.
 */
export async function copyWebhook(
  { cluster: { client }, namespace }: GuardStand,
  webhooks: WebhookServer,
  calls: 1 | 2 = 1,
): Promise<CopiedWebhook> {
  const { items } = await client.list(validatingWebhookConfigurations);
  const original = items
    .flatMap(({ webhooks: all = [] }) => all)
    .find(({ rules }) => JSON.stringify(rules).includes('"volumesnapshots"'));
  if (original === undefined) throw new Error('the webhook of the guards is not registered');
  const name = `${namespace}.copy.example.com`;
  await client.create(validatingWebhookConfigurations, {
    metadata: { name },
    webhooks: [
      { ...original, name, clientConfig: webhooks.client(PATH) },
      ...(calls === 2 ? [{ ...original, name: `again.${name}` }] : []),
    ],
  });
  const trial = { metadata: { name: 'trial', namespace }, spec: sourceOf('a') };
  await eventually('the API server calls the copy', async () => {
    await client.create(snapshots, trial, { dryRun: true });
    return webhooks.asked(PATH).length > 0;
  });
  return {
    original,
    requests: () =>
      webhooks
        .asked(PATH)
        .map(({ request }) => request)
        .filter(({ dryRun }) => dryRun !== true),
    [Symbol.asyncDispose]: async () => {
      await client.delete(validatingWebhookConfigurations, { name });
    },
  };
}
