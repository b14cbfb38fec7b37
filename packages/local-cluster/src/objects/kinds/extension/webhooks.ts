/** Webhook configurations. */
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import { AGE, integer, NAME } from '../columns.ts';
import {
  fill,
  fillNumber,
  fillObject,
  objectAt,
  objectsAt,
} from '../../../../../../src/kube/fields.ts';
import type { KindSpec } from '../kind-spec.ts';
import { checkWebhooks } from './check-webhooks.ts';

const TIMEOUT_SECONDS = 10;
const HTTPS_PORT = 443;

const general = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  categories: ['api-extensions'],
  namespaced: false,
  plainFinalizers: true,
  generationOf: ['webhooks'],
  columns: [NAME, integer('Webhooks', (object) => objectsAt(object, 'webhooks').length), AGE],
} as const;

export const mutatingWebhookConfiguration: KindSpec = {
  ...general,
  kind: 'MutatingWebhookConfiguration',
  plural: 'mutatingwebhookconfigurations',
  fill(draft) {
    for (const webhook of objectsAt(draft, 'webhooks')) {
      fillWebhook(webhook);
      fill(webhook, 'reinvocationPolicy', 'Never');
    }
  },
  check: (object) => checkWebhooks(object),
};

export const validatingWebhookConfiguration: KindSpec = {
  ...general,
  kind: 'ValidatingWebhookConfiguration',
  plural: 'validatingwebhookconfigurations',
  fill(draft) {
    for (const webhook of objectsAt(draft, 'webhooks')) fillWebhook(webhook);
  },
  check: (object) => checkWebhooks(object),
};

function fillWebhook(webhook: JsonObject): void {
  fill(webhook, 'failurePolicy', 'Fail');
  fill(webhook, 'matchPolicy', 'Equivalent');
  fillObject(webhook, 'namespaceSelector');
  fillObject(webhook, 'objectSelector');
  webhook['timeoutSeconds'] ??= TIMEOUT_SECONDS;
  const service = objectAt(webhook, 'clientConfig', 'service');
  if (service !== undefined) fillNumber(service, 'port', HTTPS_PORT);
  for (const rule of objectsAt(webhook, 'rules')) fill(rule, 'scope', '*');
}
