/** Defines the kinds that extend the API server: CustomResourceDefinitions, webhook configurations, and reviews. */
import type { DefaultRow } from '../interpret.ts';
import { inCluster, inNamespace, type KindSpec } from '../kind-spec.ts';
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import { AGE, CREATED_AT, integer, NAME } from '../columns.ts';
import {
  fill,
  fillNumber,
  fillObject,
  isTrue,
  objectAt,
  objectsAt,
  textAt,
  textsAt,
} from '../../../../../../src/kube/fields.ts';
import { checkCustomResourceDefinition } from './check-custom-resource-definition.ts';
import { checkWebhooks } from './check-webhooks.ts';

const TIMEOUT_SECONDS = 10;
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

const webhookConfigurations: readonly KindSpec[] = [
  configuration('MutatingWebhookConfiguration', [
    ...DEFAULTS,
    ['webhooks[].reinvocationPolicy', 'Never'],
  ]),
  configuration('ValidatingWebhookConfiguration', DEFAULTS),
];

/** Port 0 gets the default too. */
function fillPorts(draft: JsonObject): void {
  for (const webhook of objectsAt(draft, 'webhooks')) {
    const service = objectAt(webhook, 'clientConfig', 'service');
    if (service !== undefined) fillNumber(service, 'port', HTTPS_PORT);
  }
}

/** API versions of reviews. The API server answers the create of a review, and stores nothing. */
const AUTHORIZATION = 'authorization.k8s.io/v1';
const AUTHENTICATION = 'authentication.k8s.io/v1';

const reviewKinds: readonly KindSpec[] = [
  inNamespace(AUTHORIZATION, 'LocalSubjectAccessReview'),
  inCluster(AUTHORIZATION, 'SubjectAccessReview'),
  inCluster(AUTHORIZATION, 'SelfSubjectAccessReview'),
  inCluster(AUTHORIZATION, 'SelfSubjectRulesReview'),
  inCluster(AUTHENTICATION, 'SelfSubjectReview'),
  inCluster(AUTHENTICATION, 'TokenReview'),
].map((names) => ({ ...names, verbs: ['create'], columns: [] }));

const HTTPS_PORT = 443;

const customResourceDefinition: KindSpec = {
  ...inCluster('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'crd', 'crds'),
  categories: ['api-extensions'],
  plainFinalizers: true,
  status: true,
  statusKeeps: 'metadata',
  generationOf: ['spec'],
  columns: [NAME, CREATED_AT],
  fill(draft) {
    const spec = fillObject(draft, 'spec');
    const names = fillObject(spec, 'names');
    const kind = textAt(names, 'kind');
    fill(names, 'singular', kind.toLowerCase());
    if (kind !== '') fill(names, 'listKind', `${kind}List`);
    fill(fillObject(spec, 'conversion'), 'strategy', 'None');
    const service = objectAt(spec, 'conversion', 'webhook', 'clientConfig', 'service');
    if (service !== undefined) fillNumber(service, 'port', HTTPS_PORT);
  },
  onCreate: rememberStoredVersion,
  onUpdate: rememberStoredVersion,
  check: checkCustomResourceDefinition,
};

/**
 * Adds the storage version to status.storedVersions. A user removes a version from the list once its objects are
 * migrated.
 */
function rememberStoredVersion(draft: JsonObject): void {
  const stored = objectsAt(draft, 'spec', 'versions').find((version) => isTrue(version, 'storage'));
  const name = textAt(stored, 'name');
  const status = fillObject(draft, 'status');
  const known = textsAt(status, 'storedVersions');
  if (name !== '' && !known.includes(name)) status['storedVersions'] = [...known, name];
}

export const extensionKinds: readonly KindSpec[] = [
  customResourceDefinition,
  ...webhookConfigurations,
  ...reviewKinds,
];
