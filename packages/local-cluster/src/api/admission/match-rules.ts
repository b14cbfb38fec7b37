/**
 * Whether a webhook's rules and selectors are about a request, and as which of its equivalent resources
 * it is then sent. Pure.
 */
import type { JsonObject } from '../../../../../src/kube/object.ts';
import { textMapAt } from '../../../../../src/kube/fields.ts';
import type { ResourceDefinition } from '../../objects/resource-definition.ts';
import { matchesRequirements, type Requirement } from '../../objects/selector.ts';
import type { AdmissionRequest } from '../admission.ts';
import type { Webhook, WebhookRule } from './webhook.ts';

export type MatchedRequest = Pick<
  AdmissionRequest,
  'operation' | 'definition' | 'namespace' | 'subresource' | 'object' | 'oldObject'
>;

/** The definition as which the webhook wants it; undefined: not at all. */
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

/** "pods", "pods/status", "pods/*" (the object too), "*" (of every kind the object alone). */
function matchesResource(text: string, plural: string, subresource: string): boolean {
  const [resource = '', ...more] = text.split('/');
  const sub = more.join('/');
  return (resource === '*' || resource === plural) && (sub === '*' || sub === subresource);
}

/** A namespace is of the cluster, although it is in itself. */
function matchesScope(scope: string, { definition, namespace }: MatchedRequest): boolean {
  const ofCluster = definition.storageName === 'namespaces' || namespace === '';
  if (scope === 'Cluster') return ofCluster;
  return scope === 'Namespaced' ? !ofCluster : true;
}

/** Labels of the old or the new object: who takes the label away is still asked about. */
export function matchesObject(
  requirements: readonly Requirement[],
  { object, oldObject }: Pick<MatchedRequest, 'object' | 'oldObject'>,
): boolean {
  if (requirements.length === 0) return true;
  return [object, oldObject].some(
    (one) => one !== null && matchesRequirements(requirements, labelsOf(one)),
  );
}

export function labelsOf(object: JsonObject): Readonly<Record<string, string>> {
  return textMapAt(object, 'metadata', 'labels');
}
