/** The kinds of webhook configurations. */
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import { AGE, integer, NAME } from '../columns.ts';
import { fillNumber, objectAt, objectsAt } from '../../../../../../src/kube/fields.ts';
import type { DefaultRow } from '../interpret.ts';
import { inCluster, type KindSpec } from '../kind-spec.ts';
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

function configuration(kind: string, defaults: readonly DefaultRow[]): KindSpec {
  return {
    ...inCluster('admissionregistration.k8s.io/v1', kind),
    categories: ['api-extensions'],
    plainFinalizers: true,
    generationOf: ['webhooks'],
    columns: [NAME, integer('Webhooks', (object) => objectsAt(object, 'webhooks').length), AGE],
    defaults,
    fill: fillPorts,
    check: checkWebhooks,
  };
}

export const webhookConfigurations: readonly KindSpec[] = [
  configuration('MutatingWebhookConfiguration', [
    ...DEFAULTS,
    ['webhooks[].reinvocationPolicy', 'Never'],
  ]),
  configuration('ValidatingWebhookConfiguration', DEFAULTS),
];

/** Port 0 counts as absent. */
function fillPorts(draft: JsonObject): void {
  for (const webhook of objectsAt(draft, 'webhooks')) {
    const service = objectAt(webhook, 'clientConfig', 'service');
    if (service !== undefined) fillNumber(service, 'port', HTTPS_PORT);
  }
}
