/** Checks the webhooks that a change of this Deployment has to pass: whether they are installed, and fail closed. */
import type {
  MutatingWebhook,
  ValidatingWebhook,
  WebhookClientConfig,
} from 'kubernetes-types/admissionregistration/v1.js';

import { orNull } from '../../kube/api-error.ts';
import type { KubeClient } from '../../kube/client.ts';
import {
  mutatingWebhookConfigurations,
  validatingWebhookConfigurations,
} from '../../kube/resources.ts';
import { SETS_WEBHOOK } from '../../lifecycles/rollout/gate/gate-configurations.ts';
import { GATED } from '../../lifecycles/rollout/names.ts';
import type { Proof } from './gate-proofs.ts';

type Webhook = Pick<
  MutatingWebhook & ValidatingWebhook,
  'name' | 'clientConfig' | 'failurePolicy' | 'objectSelector'
> & {
  readonly rules?: readonly { readonly operations?: string[]; readonly resources?: string[] }[];
};

/**
 * Three proofs: for the webhook that stamps Deployments, for the webhook that validates them, and for the webhook that
 * validates ReplicaSets.
 */
export async function webhookProofs(client: KubeClient): Promise<Proof[]> {
  const read = async (resource: Parameters<KubeClient['list']>[0]): Promise<Webhook[] | null> => {
    const found = await orNull(client.list(resource), 'Forbidden');
    return found?.items.flatMap((one) => (one as { webhooks?: Webhook[] }).webhooks ?? []) ?? null;
  };
  const [stamping, judging] = await Promise.all([
    read(mutatingWebhookConfigurations),
    read(validatingWebhookConfigurations),
  ]);
  return [
    proofOf('mutating webhook', stamping),
    proofOf('validating webhook', judging),
    setsProof(judging),
  ];
}

/**
 * Whether the gate also covers writes of ReplicaSets. The webhook for ReplicaSets fails open by design: no label
 * distinguishes the ReplicaSets of gated Deployments from others.
 */
function setsProof(webhooks: readonly Webhook[] | null): Proof {
  const what = 'ReplicaSets';
  if (webhooks === null)
    return { what, result: 'unknown', reported: 'you may not read webhook configurations' };
  const found = webhooks.find(
    (webhook) => webhook.name === SETS_WEBHOOK && writesPass(webhook, 'replicasets', 'CREATE'),
  );
  if (found !== undefined) {
    return { what, result: 'ok', reported: `judged at ${placeOf(found.clientConfig)}` };
  }
  const next = 'Update and start `lifehook controller`: it installs its webhooks itself.';
  const reported = 'no webhook refuses a ReplicaSet of an unreleased template';
  return { what, result: 'failed', reported, next };
}

function proofOf(what: string, webhooks: readonly Webhook[] | null): Proof {
  if (webhooks === null)
    return { what, result: 'unknown', reported: 'you may not read webhook configurations' };
  const ours = webhooks.filter(
    (webhook) => isOfGate(webhook) && writesPass(webhook, 'deployments', 'UPDATE'),
  );
  const closed = ours.find(({ failurePolicy }) => failurePolicy === 'Fail');
  if (closed !== undefined) {
    return { what, result: 'ok', reported: `fails closed, at ${placeOf(closed.clientConfig)}` };
  }
  const next = 'Start `lifehook controller --webhook-address …`: it installs its webhooks itself.';
  const reported =
    ours.length === 0 ? 'there is no webhook for gated Deployments' : 'it fails open (Ignore)';
  return { what, result: 'failed', reported, next };
}

function isOfGate({ objectSelector = {} }: Webhook): boolean {
  const { matchLabels = {}, matchExpressions = [] } = objectSelector;
  return GATED in matchLabels || matchExpressions.some(({ key }) => key === GATED);
}

function writesPass({ rules = [] }: Webhook, resource: string, operation: string): boolean {
  return rules.some(
    ({ operations = [], resources = [] }) =>
      operations.some((one) => one === operation || one === '*') &&
      resources.some((one) => one === resource || one === '*'),
  );
}

function placeOf({ url, service }: WebhookClientConfig): string {
  if (service === undefined) return url ?? '?';
  return `service ${service.namespace}/${service.name}:${service.port ?? 443}`;
}
