/** Whether a webhook is asked about a request: its selectors, its rules, and last its conditions. */
import type { JsonObject } from '../../../../../src/kube/object.ts';
import type { ResourceDefinition } from '../../objects/resource-definition.ts';
import { matchesRequirements } from '../../objects/selector.ts';
import type { ObjectStore } from '../../storage/object-store.ts';
import type { AdmissionRequest } from '../admission.ts';
import type { ResourceRegistry } from '../registry.ts';
import { forbidden, notFound } from '../status.ts';
import { judgeConditions } from './match-conditions.ts';
import { labelsOf, matchesObject, matchRules } from './match-rules.ts';
import { reviewedRequest, type ReviewedRequest } from './reviewed-request.ts';
import type { Webhook } from './webhook.ts';

export interface Cluster {
  readonly store: ObjectStore;
  readonly registry: ResourceRegistry;
}

/** Null: it is not asked. Throws the refusal of a request that cannot be judged. */
export async function shouldCall(
  webhook: Webhook,
  request: AdmissionRequest,
  cluster: Cluster,
): Promise<ReviewedRequest | null> {
  const inNamespace = matchesNamespace(webhook, request, cluster.store);
  if (inNamespace === false || !matchesObject(webhook.objectSelector, request)) return null;
  const as = matchRules(webhook, request, cluster.registry.all());
  if (as === undefined) return null;
  // Only who would be asked is told that the namespace is not known.
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

/** Of a namespace that is just being written, as it shall be. */
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
