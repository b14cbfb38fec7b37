/** The kinds of webhook configurations. */
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import { AGE, integer, NAME } from '../columns.ts';
import { fillNumber, objectAt, objectsAt } from '../../../../../../src/kube/fields.ts';
import type { DefaultRow } from '../interpret.ts';
import type { KindSpec } from '../kind-spec.ts';
import { checkWebhooks } from './check-webhooks.ts';

const TIMEOUT_SECONDS = 10;
const HTTPS_PORT = 443;

const DEFAULTS: readonly DefaultRow[] = [
  ['webhooks[].failurePolicy', 'Fail'],
  ['webhooks[].matchPolicy', 'Equivalent'],
  ['webhooks[].namespaceSelector', {}],
  ['webhooks[].objectSelector', {}],
  ['webhooks[].timeoutSeconds', TIMEOUT_SECONDS],
  ['webhooks[].rules[].scope', '*'],
];

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
  defaults: [...DEFAULTS, ['webhooks[].reinvocationPolicy', 'Never']],
  fill: fillPorts,
  check: (object) => checkWebhooks(object),
};

export const validatingWebhookConfiguration: KindSpec = {
  ...general,
  kind: 'ValidatingWebhookConfiguration',
  plural: 'validatingwebhookconfigurations',
  defaults: DEFAULTS,
  fill: fillPorts,
  check: (object) => checkWebhooks(object),
};

/** Port 0 counts as absent. */
function fillPorts(draft: JsonObject): void {
  for (const webhook of objectsAt(draft, 'webhooks')) {
    const service = objectAt(webhook, 'clientConfig', 'service');
    if (service !== undefined) fillNumber(service, 'port', HTTPS_PORT);
  }
}
