/**
 * Updates an object: computes, admits, validates and stores the new version. After a write conflict the update is
 * computed again from the newer version. A client that sent a resourceVersion is refused instead.
 */
import type { JsonObject } from '../../../../../src/kube/object.ts';
import { fieldsAt, textAt } from '../../../../../src/kube/fields.ts';
import { validateMetadata } from '../../objects/metadata.ts';
import type { ResourceDefinition } from '../../objects/resource-definition.ts';
import type { StoredObject } from '../../storage/object-store.ts';
import { addressOf, asServed, asStored, type RequestScope, strategyContext } from '../context.ts';
import type { ObjectKind } from '../admission.ts';
import { kindBehaviour } from '../kind-behaviour.ts';
import { inNamespace, withMeta, type ObjectPart } from '../object-meta.ts';
import type { WriteOptions } from '../options.ts';
import { withoutRepeatedOwners } from '../owner-references.ts';
import { withOwnership } from '../ownership.ts';
import { conflict, invalid, notFound, StatusError } from '../status.ts';
import { admissionRequest, optionsObject, storedWrite } from './admit.ts';
import { isDeletedBy, sameObject } from './rewrite-object.ts';

/** Maximum number of attempts of an update after write conflicts. */
const MAX_ATTEMPTS = 20;

export interface ObjectChange {
  readonly scope: RequestScope;
  readonly name: string;
  readonly options: WriteOptions;
  readonly optionsKind: 'UpdateOptions' | 'PatchOptions';
  /** Computes, from the stored object, the object that the client wants. */
  revise(old: JsonObject): Promise<JsonObject>;
  /** True if the result of `revise` already has its managedFields, as after an apply. */
  readonly owned?: boolean;
  readonly part: ObjectPart;
  /** How admission sees the object, if it reviews another kind, such as a Scale. */
  readonly admittedAs?: AdmittedAs;
}

/** The kind that admission reviews in place of the object, and its conversion from and to the object. */
export interface AdmittedAs extends ObjectKind {
  read(object: JsonObject): JsonObject;
  write(object: JsonObject, view: JsonObject): JsonObject;
}

/** Returns undefined if the object does not exist. */
export async function changeObject(change: ObjectChange): Promise<JsonObject | undefined> {
  const { api, definition } = change.scope;
  const address = addressOf(change.scope, change.name);
  for (let attempt = 1; ; attempt += 1) {
    const current = api.store.get(address);
    if (current === undefined) return undefined;
    const outcome = await tryOnce(change, current);
    if (outcome !== OVERTAKEN) return outcome;
    if (attempt === MAX_ATTEMPTS) throw conflict(definition, change.name);
  }
}

const OVERTAKEN = 'overtaken';

async function tryOnce(
  change: ObjectChange,
  current: StoredObject,
): Promise<JsonObject | typeof OVERTAKEN> {
  const { api, definition } = change.scope;
  const old = asServed(definition, current.object);
  const revised = await change.revise(old);
  if (change.optionsKind === 'UpdateOptions') refuseOtherUid(change, revised, old);
  refuseOtherRevision(change, revised, current);
  const admitted = await admit(change, revised, old);
  const prepared = prepare(change, admitted, old);
  const allocation = api.allocator.allocate(definition, prepared, { old });
  try {
    return await store(change, allocation.object, current);
  } finally {
    allocation.release();
  }
}

async function store(
  change: ObjectChange,
  object: JsonObject,
  current: StoredObject,
): Promise<JsonObject | typeof OVERTAKEN> {
  const { api, definition } = change.scope;
  const old = asServed(definition, current.object);
  validate(change, object, old);
  await api.admission.validate(requestOf(change, object, old));
  if (sameObject(object, old)) return old;
  if (change.options.dryRun) return object;
  const result = await storedWrite(change.scope, {
    address: current.address,
    expectRevision: current.revision,
    object: isDeletedBy(definition, object, old) ? null : asStored(definition, object),
  });
  if (result.kind === 'conflict') return OVERTAKEN;
  if (result.kind === 'removed') return object;
  return asServed(definition, result.stored.object);
}

function refuseOtherUid({ scope, name }: ObjectChange, revised: JsonObject, old: JsonObject): void {
  const asked = textAt(revised, 'metadata', 'uid');
  const is = textAt(old, 'metadata', 'uid');
  if (asked === '' || asked === is) return;
  throw uidConflict(scope, name, { asked, is });
}

/** The error for a uid in a precondition that is not the one of the stored object. */
export function uidConflict(
  { definition, info }: RequestScope,
  name: string,
  { asked, is }: { readonly asked: string; readonly is: string },
): StatusError {
  const key = storageKey(definition, { namespace: info.namespace, name });
  return conflict(
    definition,
    name,
    `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, ` +
      `AdditionalErrorMsg: Precondition failed: UID in precondition: ${asked}, UID in object meta: ${is}`,
  );
}

function refuseOtherRevision(
  { scope, name }: ObjectChange,
  revised: JsonObject,
  current: StoredObject,
): void {
  const asked = textAt(revised, 'metadata', 'resourceVersion');
  if (asked === String(current.revision)) return;
  if (!/^\d{0,20}$/.test(asked)) throw notARevision(asked);
  if (asked !== '' && asked !== '0') throw conflict(scope.definition, name);
  if (!kindBehaviour(scope.definition).needsRevision) return;
  const { group, plural } = scope.definition;
  const error = {
    type: 'Invalid',
    field: 'metadata.resourceVersion',
    value: 0,
    detail: 'must be specified for an update',
  } as const;
  throw invalid({ group, kind: plural }, name, [error]);
}

function notARevision(text: string): StatusError {
  const message = `strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`;
  return new StatusError({ code: 500, reason: '', message });
}

async function admit(
  change: ObjectChange,
  revised: JsonObject,
  old: JsonObject,
): Promise<JsonObject> {
  const { scope, options, optionsKind, owned = false } = change;
  const { definition, info, api } = scope;
  const sent =
    optionsKind === 'PatchOptions' ? revised : withoutRepeatedOwners(scope, revised, 'client');
  const placed = inNamespace(sent, definition.namespaced ? info.namespace : '');
  const defaulted = definition.defaults(asServed(definition, placed));
  const object = owned
    ? defaulted
    : withOwnership(scope, { live: old, object: defaulted, options });
  const request = requestOf(change, object, old);
  const mutated = await api.admission.mutate(request);
  const filled =
    mutated === request.object
      ? object
      : definition.defaults(change.admittedAs?.write(object, mutated) ?? mutated);
  return withoutRepeatedOwners(scope, filled, 'admission');
}

function requestOf(
  { scope, name, options, optionsKind, admittedAs }: ObjectChange,
  object: JsonObject,
  oldObject: JsonObject,
): ReturnType<typeof admissionRequest> {
  return admissionRequest(scope, {
    operation: 'UPDATE',
    object: admittedAs?.read(object) ?? object,
    oldObject: admittedAs?.read(oldObject) ?? oldObject,
    ...(admittedAs === undefined ? {} : { objectKind: admittedAs }),
    name,
    options: optionsObject(optionsKind, options),
    dryRun: options.dryRun,
  });
}

/** Metadata that no update can change: the stored values are kept. */
const KEPT = [
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'generation',
  'resourceVersion',
] as const;

function prepare({ scope, part }: ObjectChange, admitted: JsonObject, old: JsonObject): JsonObject {
  const { definition, api } = scope;
  const before = fieldsAt(old, 'metadata');
  const kept = Object.fromEntries(KEPT.map((name) => [name, before[name]]));
  // A wrong uid stays in the object, so that validation refuses it.
  const uid = textAt(admitted, 'metadata', 'uid');
  if (uid !== '') kept['uid'] = uid;
  const object = withMeta(admitted, { ...kept, selfLink: undefined });
  const context = strategyContext(api);
  if (part === 'status') return definition.prepareForStatusUpdate(object, old, context);
  const wanted = part === 'resize' ? definition.resize?.narrow(object, old) : object;
  return definition.prepareForUpdate(wanted ?? object, old, context);
}

function validate({ scope, part }: ObjectChange, object: JsonObject, old: JsonObject): void {
  const { definition, api, warnings } = scope;
  const { nameRule, namespaced } = definition;
  const context = strategyContext(api);
  const metadata = { object, old, namespaced, ...(nameRule === undefined ? {} : { nameRule }) };
  const own = {
    main: () => definition.validate(object, old, context),
    status: () => definition.validateStatus(object, old, context),
    resize: () => definition.resize?.validate(object, old, context) ?? [],
  };
  const errors = [...validateMetadata(metadata), ...own[part]()];
  if (errors.length > 0) throw invalid(definition, textAt(object, 'metadata', 'name'), errors);
  if (part === 'status') return;
  for (const warning of definition.warn?.(object, old) ?? []) warnings.add(warning);
}

/** Updates the object; throws NotFound if it does not exist. */
export async function changeExisting(change: ObjectChange): Promise<JsonObject> {
  const changed = await changeObject(change);
  if (changed === undefined) throw notFound(change.scope.definition, change.name);
  return changed;
}

/** Part of the etcd key by storage name, for built-in kinds whose part is not the plural. */
const PLACES: Readonly<Record<string, string>> = {
  endpoints: 'services/endpoints',
  nodes: 'minions',
  services: 'services/specs',
  'customresourcedefinitions.apiextensions.k8s.io':
    'apiextensions.k8s.io/customresourcedefinitions',
  'ingresses.networking.k8s.io': 'ingress',
};

/** The etcd key that a real server names in errors, such as "/registry/services/specs/default/web". */
export function storageKey(
  {
    storageName,
    plural,
    group,
    custom,
    namespaced,
  }: Pick<ResourceDefinition, 'storageName' | 'plural' | 'group' | 'custom' | 'namespaced'>,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): string {
  const place = custom ? `${group}/${plural}` : (PLACES[storageName] ?? plural);
  return ['/registry', place, ...(namespaced ? [namespace] : []), name].join('/');
}
