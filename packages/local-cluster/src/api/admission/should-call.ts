/** Decides whether a webhook is called for a request, by its selectors, its rules and then its conditions. */
import type { JsonObject } from '../../../../../src/kube/object.ts';
import type { ResourceDefinition } from '../../objects/resource-definition.ts';
import { matchesRequirements, type Requirement } from '../../objects/selector.ts';
import type { ObjectStore } from '../../storage/object-store.ts';
import type { AdmissionRequest } from '../admission.ts';
import type { ResourceRegistry } from '../registry.ts';
import { forbidden, notFound } from '../status.ts';
import { judgeConditions } from './match-conditions.ts';
import { reviewedRequest, type ReviewedRequest } from './reviewed-request.ts';
import type { Webhook, WebhookRule } from './webhook.ts';
import { textMapAt } from '../../../../../src/kube/fields.ts';

export interface Cluster {
  readonly store: ObjectStore;
  readonly registry: ResourceRegistry;
}

/**
 * Returns the request as the webhook reviews it; null if the webhook is not called. Throws if the namespace does not
 * exist or a condition fails.
 */
export async function shouldCall(
  webhook: Webhook,
  request: AdmissionRequest,
  cluster: Cluster,
): Promise<ReviewedRequest | null> {
  const inNamespace = matchesNamespace(webhook, request, cluster.store);
  if (inNamespace === false || !matchesObject(webhook.objectSelector, request)) return null;
  const as = matchRules(webhook, request, cluster.registry.all());
  if (as === undefined) return null;
  // An unknown namespace is an error only if everything else selects the webhook.
  if (inNamespace === 'unknown') {
    throw notFound({ group: '', plural: 'namespaces' }, request.namespace);
  }
  const reviewed = reviewedRequest(request, as);
  return (await meetsConditions(webhook, reviewed, request)) ? reviewed : null;
}

function matchesNamespace(
  { namespaceSelector }: Webhook,
  request: AdmissionRequest,
  store: ObjectStore,
): boolean | 'unknown' {
  if (namespaceSelector.length === 0) return true;
  const isNamespace = isOfNamespaces(request.definition);
  if (request.namespace === '' && !isNamespace) return true;
  const namespace = namespaceOf(request, store);
  if (namespace === undefined) return 'unknown';
  return matchesRequirements(namespaceSelector, labelsOf(namespace));
}

/**
 * The namespace whose labels are matched. For the create or update of a Namespace it is the new state of that object.
 */
function namespaceOf(
  { definition, operation, object, subresource, namespace }: AdmissionRequest,
  store: ObjectStore,
): JsonObject | undefined {
  const written = operation === 'CREATE' || operation === 'UPDATE';
  if (isOfNamespaces(definition) && subresource === '' && written && object !== null) return object;
  return store.get({ resource: 'namespaces', namespace: '', name: namespace })?.object;
}

function isOfNamespaces({ storageName }: ResourceDefinition): boolean {
  return storageName === 'namespaces';
}

async function meetsConditions(
  webhook: Webhook,
  reviewed: ReviewedRequest,
  { definition, name }: AdmissionRequest,
): Promise<boolean> {
  if (webhook.conditions.length === 0) return true;
  const judged = await judgeConditions(webhook.conditions, reviewed);
  if (!('error' in judged)) return judged.matches;
  if (webhook.ignoreFailures) return false;
  throw forbidden(definition, name, { why: judged.error });
}

/** The fields of a request that a webhook's rules and selectors read. */
export type MatchedRequest = Pick<
  AdmissionRequest,
  'operation' | 'definition' | 'namespace' | 'subresource' | 'object' | 'oldObject'
>;

/** The definition in the version that the webhook reviews; undefined if no rule matches. */
export function matchRules(
  { rules, equivalent }: Pick<Webhook, 'rules' | 'equivalent'>,
  request: MatchedRequest,
  all: readonly ResourceDefinition[],
): ResourceDefinition | undefined {
  const { definition } = request;
  if (rules.some((rule) => matchesRule(rule, request, definition))) return definition;
  if (!equivalent) return undefined;
  const others = all.filter(
    (other) => other !== definition && other.storageName === definition.storageName,
  );
  for (const rule of rules) {
    const found = others.find((other) => matchesRule(rule, request, other));
    if (found !== undefined) return found;
  }
  return undefined;
}

function matchesRule(
  rule: WebhookRule,
  request: MatchedRequest,
  { group, version, plural }: ResourceDefinition,
): boolean {
  return (
    matchesScope(rule.scope, request) &&
    holds(rule.operations, request.operation) &&
    holds(rule.apiGroups, group) &&
    holds(rule.apiVersions, version) &&
    rule.resources.some((resource) => matchesResource(resource, plural, request.subresource))
  );
}

function holds(items: readonly string[], wanted: string): boolean {
  return items.includes('*') || items.includes(wanted);
}

/**
 * Whether the text of a rule matches the resource. Examples: "pods", "pods/status", "pods/*" (pods and their
 * subresources), "*" (all kinds, without subresources).
 */
function matchesResource(text: string, plural: string, subresource: string): boolean {
  const [resource = '', ...more] = text.split('/');
  const sub = more.join('/');
  return (resource === '*' || resource === plural) && (sub === '*' || sub === subresource);
}

/**
 * Whether the request is in this scope of a rule. A Namespace is in the scope Cluster, although its request has a
 * namespace.
 */
function matchesScope(scope: string, { definition, namespace }: MatchedRequest): boolean {
  const ofCluster = definition.storageName === 'namespaces' || namespace === '';
  if (scope === 'Cluster') return ofCluster;
  return scope === 'Namespaced' ? !ofCluster : true;
}

/** Matches the labels of the old or the new object, so a client cannot avoid the webhook by removing a label. */
export function matchesObject(
  requirements: readonly Requirement[],
  { object, oldObject }: Pick<MatchedRequest, 'object' | 'oldObject'>,
): boolean {
  if (requirements.length === 0) return true;
  return [object, oldObject].some(
    (one) => one !== null && matchesRequirements(requirements, labelsOf(one)),
  );
}

function labelsOf(object: JsonObject): Readonly<Record<string, string>> {
  return textMapAt(object, 'metadata', 'labels');
}
