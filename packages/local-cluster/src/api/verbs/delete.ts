/** Deletes an object, or starts its deletion. */
import type { JsonObject } from '../../../../../src/kube/object.ts';
import { textAt } from '../../../../../src/kube/fields.ts';
import type { ResourceDefinition } from '../../objects/resource-definition.ts';
import type {
  ObjectAddress,
  ObjectStore,
  StoredObject,
  StoreWrite,
} from '../../storage/object-store.ts';
import { addressOf, asServed, asStored, type RequestScope } from '../context.ts';
import { type DeleteOptions, deleteOptions } from '../delete-options.ts';
import type { ServerAnswer } from '../http.ts';
import { kindBehaviour } from '../kind-behaviour.ts';
import { jsonAnswer, objectAnswer } from '../present.ts';
import { conflict, forbidden, notFound } from '../status.ts';
import { admissionRequest, storedWrite } from './admit.ts';
import { type DeletionPlan, planDeletion } from './plan-deletion.ts';
import { isDeletedBy, sameObject } from './rewrite-object.ts';

/** Maximum number of attempts of a delete after write conflicts. */
const MAX_ATTEMPTS = 20;

/** Namespaces that a real server never deletes. */
const IMMORTAL_NAMESPACES: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public']);

export async function deleteObject(scope: RequestScope): Promise<ServerAnswer> {
  const { definition, info, request } = scope;
  const options = deleteOptions(request);
  warnOfOrphans(scope, options);
  const deleted = await removeObject(scope, addressOf(scope, info.name), options);
  if (kindBehaviour(definition).answersDeletedObject || deleted.kept) {
    return objectAnswer(scope, deleted.object);
  }
  return jsonAnswer(successStatus(scope, deleted.object), 200, scope.warnings);
}

/** Warns of a delete of a Job without a policy: by default it orphans the pods, unlike a delete of other kinds. */
export function warnOfOrphans(
  { definition, warnings }: RequestScope,
  { policy }: DeleteOptions,
): void {
  if (definition.storageName !== 'jobs.batch' || policy !== undefined) return;
  warnings.add(
    'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background ' +
      'to remove them or set propagationPolicy=Orphan to suppress this warning',
  );
}

export interface DeletedObject {
  readonly object: JsonObject;
  /** True if the object was only marked as terminating, or already is. */
  readonly kept: boolean;
}

interface Removal extends DeleteOptions {
  /** Changes the object in the same write that marks it as terminating. */
  readonly revise?: (object: JsonObject) => JsonObject;
}

export async function removeObject(
  scope: RequestScope,
  address: ObjectAddress,
  { revise = same, ...options }: Removal,
): Promise<DeletedObject> {
  const { api, definition } = scope;
  refuseImmortal(scope, address.name);
  for (let attempt = 1; ; attempt += 1) {
    const current = api.store.get(address);
    if (current === undefined) throw notFound(definition, address.name);
    refusePreconditions(scope, current, options);
    const object = asServed(definition, current.object);
    await admit(scope, object, options);
    const plan = planFor(scope, revise(object), options);
    const done = await carryOut(scope, current, { plan, options });
    if (done !== null) return done;
    if (attempt === MAX_ATTEMPTS) throw conflict(definition, address.name);
  }
}

function same(object: JsonObject): JsonObject {
  return object;
}

/** Reviews the deletion. An eviction is not reviewed here, because its own creation was reviewed. */
async function admit(
  scope: RequestScope,
  object: JsonObject,
  options: DeleteOptions,
): Promise<void> {
  if (scope.info.subresource !== '') return;
  await scope.api.admission.validate(
    admissionRequest(scope, {
      operation: 'DELETE',
      object: null,
      oldObject: object,
      name: textAt(object, 'metadata', 'name'),
      options: options.object,
      dryRun: options.dryRun,
    }),
  );
}

function refuseImmortal({ definition }: RequestScope, name: string): void {
  if (definition.storageName !== 'namespaces' || !IMMORTAL_NAMESPACES.has(name)) return;
  throw forbidden(definition, name, { why: 'this namespace may not be deleted' });
}

function refusePreconditions(
  { definition }: RequestScope,
  { object, revision, address }: StoredObject,
  { uid, resourceVersion }: DeleteOptions,
): void {
  const { ownPreconditions } = kindBehaviour(definition);
  const { group, errorGroup = group, kind, plural } = definition;
  const refuse = (what: string, [asked, is]: readonly [string, string], why: string): never => {
    throw conflict(
      // A real server names the resource in errors of these kinds, and the kind in all others.
      ownPreconditions ? { group, plural } : { group: errorGroup, plural: kind },
      address.name,
      ownPreconditions
        ? `Precondition failed: ${what} in precondition: ${asked}, ${what} in object meta: ${is}`
        : `the ${what} in the precondition (${asked}) does not match the ${what} in record (${is}). ${why}`,
    );
  };
  const is = textAt(object, 'metadata', 'uid');
  if (uid !== '' && uid !== is) {
    refuse('UID', [uid, is], 'The object might have been deleted and then recreated');
  }
  if (resourceVersion === '' || resourceVersion === String(revision)) return;
  const revisions = [resourceVersion, String(revision)] as const;
  refuse('ResourceVersion', revisions, 'The object might have been modified');
}

function planFor(
  { api, definition }: RequestScope,
  object: JsonObject,
  { graceSeconds, policy }: DeleteOptions,
): DeletionPlan {
  const behaviour = kindBehaviour(definition);
  const plan = planDeletion({
    object,
    graceful: definition.graceful,
    graceSeconds,
    policy: behaviour.withoutDependents ? 'Background' : policy,
    orphansByDefault: behaviour.orphansByDefault,
    held: !behaviour.mayBeRemoved(object),
    nowMs: api.platform.clock.nowMs(),
  });
  if (plan.kind !== 'keep') return plan;
  return { ...plan, object: behaviour.onDeletion(plan.object, object) };
}

interface Deletion {
  readonly plan: DeletionPlan;
  readonly options: DeleteOptions;
}

/** Returns null on a write conflict. */
async function carryOut(
  { api, definition }: RequestScope,
  current: StoredObject,
  { plan, options }: Deletion,
): Promise<DeletedObject | null> {
  const old = asServed(definition, current.object);
  if (plan.kind === 'pending') return { object: old, kept: true };
  const kept = plan.kind === 'keep';
  const marked = kept ? plan.object : plan.marked;
  if (options.dryRun) return { object: marked ?? old, kept };
  let stored = current;
  if (marked !== null && !sameObject(marked, old)) {
    const written = await storedWrite(
      { api, definition },
      {
        ...expecting(current),
        object: asStored(definition, marked),
      },
    );
    if (written.kind !== 'written') return null;
    stored = written.stored;
  }
  if (kept) return { object: asServed(definition, stored.object), kept };
  const removed = await storedWrite({ api, definition }, { ...expecting(stored), object: null });
  if (removed.kind !== 'removed') return null;
  return { object: asServed(definition, removed.last.object), kept };
}

/**
 * Removes the objects whose deletion a kill interrupted between its two writes: the marked version, and the removal.
 * Call it when the store is opened. Only kinds with a graceful deletion are marked without anything that holds them.
 */
export async function finishDeletions(
  store: ObjectStore,
  definitions: readonly ResourceDefinition[],
): Promise<void> {
  for (const definition of definitions.filter(({ graceful }) => graceful !== undefined)) {
    for (const stored of store.list(definition.storageName)) {
      const object = asServed(definition, stored.object);
      if (!isDeletedBy(definition, object, object)) continue;
      await store.write({ ...expecting(stored), object: null });
    }
  }
}

function expecting({ address, revision }: StoredObject): Omit<StoreWrite, 'object'> {
  return { address, expectRevision: revision };
}

function successStatus({ definition }: RequestScope, object: JsonObject): JsonObject {
  const { group, plural } = definition;
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: {
      name: textAt(object, 'metadata', 'name'),
      ...(group === '' ? {} : { group }),
      kind: plural,
      uid: textAt(object, 'metadata', 'uid'),
    },
  };
}
