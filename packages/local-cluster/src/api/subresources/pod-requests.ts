/** Serves the requests that bind a pod to a node or evict it. */
import type { JsonObject } from '../../../../../src/kube/object.ts';
import { fieldErrorsMessage } from '../../objects/field-error.ts';
import { among, ifSet, needed } from '../../objects/kinds/field-checks.ts';
import { checkObject, fields } from '../../objects/kinds/field-rules.ts';
import { fieldsAt, isObject, objectsAt, textAt } from '../../../../../src/kube/fields.ts';
import { admitSubresource } from '../admission/admit-subresource.ts';
import { addressOf, type RequestScope, strategyContext } from '../context.ts';
import { deleteOptions } from '../delete-options.ts';
import type { ServerAnswer } from '../http.ts';
import { withMeta } from '../object-meta.ts';
import { writeOptions } from '../options.ts';
import { jsonAnswer } from '../present.ts';
import { readJson } from '../read-object.ts';
import { badRequest, conflict, StatusError } from '../status.ts';
import { optionsObject } from '../verbs/admit.ts';
import { uidConflict } from '../verbs/change-object.ts';
import { removeObject } from '../verbs/delete.ts';
import { rewriteObject } from '../verbs/rewrite-object.ts';

/** Binds a pod to the node that a scheduler chose. A pod is bound only once, and not while it has scheduling gates. */
export async function bindPod(scope: RequestScope): Promise<ServerAnswer> {
  const options = writeOptions(scope.request.query, 'CreateOptions');
  const { dryRun } = options;
  const body = await admitSubresource(scope, {
    operation: 'CREATE',
    group: '',
    version: 'v1',
    kind: 'Binding',
    fields: named(scope, await bodyOf(scope)),
    options: optionsObject('CreateOptions', options),
    dryRun,
  });
  refuseTarget(body);
  const node = textAt(body, 'target', 'name');
  const asked = textAt(body, 'metadata', 'uid');
  const { now } = strategyContext(scope.api);
  await rewriteObject(scope, dryRun, (pod) => {
    const is = textAt(pod, 'metadata', 'uid');
    // A scheduler whose cache is stale must not bind a recreated pod of the same name.
    if (asked !== '' && asked !== is) throw uidConflict(scope, scope.info.name, { asked, is });
    refuseBound(scope, pod);
    const conditions = objectsAt(pod, 'status', 'conditions');
    const others = conditions.filter((condition) => textAt(condition, 'type') !== 'PodScheduled');
    const scheduled = {
      type: 'PodScheduled',
      status: 'True',
      lastProbeTime: null,
      lastTransitionTime: now,
    };
    return {
      ...pod,
      spec: { ...fieldsAt(pod, 'spec'), nodeName: node },
      status: { ...fieldsAt(pod, 'status'), conditions: [...others, scheduled] },
    };
  });
  return created();
}

const BINDING = fields(['target.kind', ifSet(among('Node', '<empty>'))], ['target.name', needed()]);

/** Throws if the target of a binding is invalid. A real server sends these errors without a reason. */
function refuseTarget(binding: JsonObject): void {
  const errors = checkObject(BINDING, binding, { scope: {} });
  if (errors.length === 0) return;
  throw new StatusError({ code: 500, reason: '', message: fieldErrorsMessage(errors) });
}

function refuseBound({ definition, info }: RequestScope, pod: JsonObject): void {
  const fault = bindingFault(pod);
  if (fault === undefined) return;
  const plural = `${definition.plural}/binding`;
  throw conflict({ group: '', plural }, info.name, `pod ${info.name} ${fault}`);
}

/** Reason why a pod cannot be bound; undefined if it can. */
function bindingFault(pod: JsonObject): string | undefined {
  if (textAt(pod, 'metadata', 'deletionTimestamp') !== '') {
    return 'is being deleted, cannot be assigned to a host';
  }
  const node = textAt(pod, 'spec', 'nodeName');
  if (node !== '') return `is already assigned to node "${node}"`;
  const isGated = objectsAt(pod, 'spec', 'schedulingGates').length > 0;
  return isGated ? 'has non-empty .spec.schedulingGates' : undefined;
}

/**
 * Evicts a pod: deletes it, with its reason in a condition. Disruption budgets have no effect here. A real server
 * writes the condition before it deletes the pod.
 */
export async function evictPod(scope: RequestScope): Promise<ServerAnswer> {
  const { request, info } = scope;
  const written = writeOptions(request.query, 'CreateOptions');
  const { dryRun } = written;
  const given = await bodyOf(scope);
  const own = textAt(given, 'metadata', 'name');
  if (own !== '' && own !== info.name) {
    throw badRequest('name in URL does not match name in Eviction object');
  }
  const body = await admitSubresource(scope, {
    operation: 'CREATE',
    group: 'policy',
    version: 'v1',
    kind: 'Eviction',
    fields: named(scope, given),
    options: optionsObject('CreateOptions', written),
    dryRun,
  });
  const asked = JSON.stringify({ ...fieldsAt(body, 'deleteOptions'), kind: 'DeleteOptions' });
  const options = deleteOptions({ ...request, headers: {}, body: asked });
  const { now } = strategyContext(scope.api);
  await removeObject(scope, addressOf(scope, info.name), {
    ...options,
    dryRun: options.dryRun || dryRun,
    revise: (pod) => disrupted(pod, now),
  });
  return created();
}

function disrupted(pod: JsonObject, now: string): JsonObject {
  const conditions = objectsAt(pod, 'status', 'conditions');
  if (conditions.some((one) => textAt(one, 'type') === 'DisruptionTarget')) return pod;
  const condition = {
    type: 'DisruptionTarget',
    status: 'True',
    reason: 'EvictionByEvictionAPI',
    message: 'Eviction API: evicting',
    lastProbeTime: null,
    lastTransitionTime: now,
  };
  return {
    ...pod,
    status: { ...fieldsAt(pod, 'status'), conditions: [...conditions, condition] },
  };
}

/** Sets name and namespace from the path, because the body may omit them. */
function named({ info }: RequestScope, body: JsonObject): JsonObject {
  return withMeta(body, { name: info.name, namespace: info.namespace });
}

async function bodyOf(scope: RequestScope): Promise<JsonObject> {
  const { body } = await readJson(scope, scope.request.headers['content-type'] ?? '');
  if (isObject(body)) return body;
  throw badRequest('the object provided is unrecognized: the body is not an object');
}

function created(): ServerAnswer {
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };
  return jsonAnswer(status, 201);
}
