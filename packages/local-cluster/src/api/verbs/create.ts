/** Creates an object: reads, defaults, admits, validates and stores it. */
import type { JsonObject } from '../../../../../src/kube/object.ts';
import { textAt } from '../../../../../src/kube/fields.ts';
import { validateMetadata } from '../../objects/metadata.ts';
import type { AdmissionRequest } from '../admission.ts';
import { addressOf, asServed, asStored, type RequestScope, strategyContext } from '../context.ts';
import { kindBehaviour } from '../kind-behaviour.ts';
import { generateName, inNamespace, withMeta, withoutSystemFields } from '../object-meta.ts';
import { type WriteOptions, writeOptions } from '../options.ts';
import { withoutRepeatedOwners } from '../owner-references.ts';
import { withOwnership } from '../ownership.ts';
import { readObject } from '../read-object.ts';
import { alreadyExists, invalid, StatusError, forbidden, notFound } from '../status.ts';
import { admissionRequest, optionsObject, storedWrite } from './admit.ts';

export async function createObject(scope: RequestScope): Promise<JsonObject> {
  const options = writeOptions(scope.request.query, 'CreateOptions');
  const given = await readObject(scope, options.fieldValidation);
  return createGiven(scope, given, { options, optionsKind: 'CreateOptions' });
}

export interface CreateHow {
  readonly options: WriteOptions;
  readonly optionsKind: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions';
  /** True if the object already has its managedFields, as after an apply. */
  readonly owned?: boolean;
}

/** Creates an object that is already decoded, also for an update or an apply of a missing object. */
export async function createGiven(
  scope: RequestScope,
  given: JsonObject,
  how: CreateHow,
): Promise<JsonObject> {
  const { definition, info } = scope;
  const place = definition.namespaced ? info.namespace : '';
  const placed = inNamespace(withoutSystemFields(given), place);
  requireNamespace(scope, placed);
  const admitted = inNamespace(await admit(scope, placed, how), place);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await createAdmitted(scope, { admitted, given }, how);
    } catch (error) {
      if (attempt === MAX_NAMES || !isGeneratedName(admitted) || !isTaken(error)) throw error;
    }
  }
}

/** Maximum number of names that are generated for one object, as on a real server. */
const MAX_NAMES = 8;

function isGeneratedName(admitted: JsonObject): boolean {
  return (
    textAt(admitted, 'metadata', 'name') === '' &&
    textAt(admitted, 'metadata', 'generateName') !== ''
  );
}

function isTaken(error: unknown): boolean {
  return error instanceof StatusError && error.failure.reason === 'AlreadyExists';
}

async function createAdmitted(
  scope: RequestScope,
  { admitted, given }: { readonly admitted: JsonObject; readonly given: JsonObject },
  how: CreateHow,
): Promise<JsonObject> {
  const { definition, api } = scope;
  // The name is generated after admission: webhooks may change generateName, and must not see a name that may change.
  const named = withName(scope, admitted);
  const { dryRun } = how.options;
  const allocation = api.allocator.allocate(definition, prepare(scope, named), { dryRun });
  try {
    return await validateAndStore(scope, { object: allocation.object, given }, how);
  } finally {
    allocation.release();
  }
}

async function validateAndStore(
  scope: RequestScope,
  { object, given }: { readonly object: JsonObject; readonly given: JsonObject },
  how: CreateHow,
): Promise<JsonObject> {
  validate(scope, object);
  await scope.api.admission.validate(creation(scope, object, how));
  const complete = scope.definition.complete?.(object, given) ?? object;
  return store(scope, complete, how.options.dryRun);
}

function creation(
  scope: RequestScope,
  object: JsonObject,
  { options, optionsKind }: CreateHow,
): AdmissionRequest {
  return admissionRequest(scope, {
    operation: 'CREATE',
    object,
    oldObject: null,
    name: textAt(object, 'metadata', 'name'),
    options: optionsObject(optionsKind, options),
    dryRun: options.dryRun,
  });
}

function withName({ api, definition }: RequestScope, object: JsonObject): JsonObject {
  const prefix = textAt(object, 'metadata', 'generateName');
  if (textAt(object, 'metadata', 'name') !== '') return object;
  if (prefix !== '') return withMeta(object, { name: generateName(prefix, api.randomness) });
  if (!kindBehaviour(definition).namedByServer) return object;
  return withMeta(object, { name: api.randomness.uuid() });
}

async function admit(scope: RequestScope, given: JsonObject, how: CreateHow): Promise<JsonObject> {
  const { definition, api } = scope;
  const { options, optionsKind, owned = false } = how;
  const sent =
    optionsKind === 'PatchOptions' ? given : withoutRepeatedOwners(scope, given, 'client');
  const defaulted = definition.defaults(asServed(definition, sent));
  const object = owned
    ? defaulted
    : withOwnership(scope, { live: null, object: defaulted, options });
  const mutated = await api.admission.mutate(creation(scope, object, how));
  const filled = mutated === object ? object : definition.defaults(mutated);
  return withoutRepeatedOwners(scope, filled, 'admission');
}

function prepare({ definition, api }: RequestScope, admitted: JsonObject): JsonObject {
  const context = strategyContext(api);
  const system = { uid: api.randomness.uuid(), creationTimestamp: context.now };
  return definition.prepareForCreate(withMeta(admitted, system), context);
}

function validate({ definition, api, warnings }: RequestScope, object: JsonObject): void {
  const { nameRule, namespaced, plainFinalizers = false } = definition;
  const rule = nameRule === undefined ? {} : { nameRule };
  const metadata = { object, namespaced, plainFinalizers, ...rule };
  const errors = [
    ...validateMetadata(metadata),
    ...definition.validate(object, undefined, strategyContext(api)),
  ];
  if (errors.length > 0) throw invalid(definition, textAt(object, 'metadata', 'name'), errors);
  for (const warning of definition.warn?.(object, undefined) ?? []) warnings.add(warning);
}

async function store(
  scope: RequestScope,
  object: JsonObject,
  dryRun: boolean,
): Promise<JsonObject> {
  const { definition, api } = scope;
  // Again: the namespace may have been deleted while webhooks reviewed the object.
  requireNamespace(scope, object);
  if (!dryRun) refuseRevision(object);
  const address = addressOf(scope, textAt(object, 'metadata', 'name'));
  const there = api.store.get(address);
  if (there !== undefined) {
    const terminating = textAt(there.object, 'metadata', 'deletionTimestamp') !== '';
    throw alreadyExists(definition, address.name, terminating ? 'object is being deleted: ' : '');
  }
  if (dryRun) return object;
  const result = await storedWrite(scope, {
    address,
    expectRevision: 0,
    object: asStored(definition, object),
  });
  if (result.kind === 'written') return asServed(definition, result.stored.object);
  throw alreadyExists(definition, address.name);
}

/**
 * Refuses a resourceVersion on create. Like the storage of a real server, it does so after all other checks and without
 * a reason.
 */
function refuseRevision(object: JsonObject): void {
  if (['', '0'].includes(textAt(object, 'metadata', 'resourceVersion'))) return;
  const message = 'resourceVersion should not be set on objects to be created';
  throw new StatusError({ code: 500, reason: '', message });
}

/** Throws if the namespace of a namespaced object does not exist or is terminating. */
function requireNamespace(
  { api, definition, info: { namespace } }: RequestScope,
  object: JsonObject,
): void {
  if (!definition.namespaced) return;
  const found = api.store.get({ resource: 'namespaces', namespace: '', name: namespace });
  if (found === undefined) throw notFound({ group: '', plural: 'namespaces' }, namespace);
  if (textAt(found.object, 'status', 'phase') !== 'Terminating') return;
  throw forbidden(definition, textAt(object, 'metadata', 'name'), {
    why: `unable to create new content in namespace ${namespace} because it is being terminated`,
    causes: [
      {
        reason: 'NamespaceTerminating',
        message: `namespace ${namespace} is being terminated`,
        field: 'metadata.namespace',
      },
    ],
  });
}
