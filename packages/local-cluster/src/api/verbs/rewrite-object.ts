/** Updates an object for the server itself, which may change fields that a client cannot. */
import type { JsonObject, Json } from '../../../../../src/kube/object.ts';
import {
  numberAt,
  textAt,
  textsAt,
  fieldsAt,
  isObject,
  objectsAt,
} from '../../../../../src/kube/fields.ts';
import type { ResourceDefinition } from '../../objects/resource-definition.ts';
import { addressOf, asServed, asStored, type RequestScope } from '../context.ts';
import { kindBehaviour } from '../kind-behaviour.ts';
import { conflict, notFound } from '../status.ts';
import { storedWrite } from './admit.ts';
import { withMeta } from '../object-meta.ts';

/** Maximum number of attempts of an update after write conflicts. */
const MAX_ATTEMPTS = 20;

export async function rewriteObject(
  scope: RequestScope,
  dryRun: boolean,
  revise: (old: JsonObject) => JsonObject,
): Promise<JsonObject> {
  const { api, definition, info } = scope;
  const address = addressOf(scope, info.name);
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const current = api.store.get(address);
    if (current === undefined) throw notFound(definition, info.name);
    const old = asServed(definition, current.object);
    const revised = revise(old);
    if (dryRun || sameObject(revised, old)) return revised;
    const object = isDeletedBy(definition, revised, old) ? null : asStored(definition, revised);
    const change = { address, expectRevision: current.revision, object };
    const written = await storedWrite(scope, change);
    if (written.kind === 'removed') return revised;
    if (written.kind === 'written') return asServed(definition, written.stored.object);
  }
  throw conflict(definition, info.name);
}

/** True if a write removes the object: it is terminating, and nothing keeps it any longer. */
export function isDeletedBy(
  definition: ResourceDefinition,
  object: JsonObject,
  old: JsonObject,
): boolean {
  if (textsAt(object, 'metadata', 'finalizers').length > 0) return false;
  if (textAt(old, 'metadata', 'deletionTimestamp') === '') return false;
  const graceLeft = numberAt(old, 'metadata', 'deletionGracePeriodSeconds') ?? 0;
  return graceLeft === 0 && kindBehaviour(definition).mayBeRemoved(object);
}

/** True if a write changes nothing. The times in managedFields are not compared. */
export function sameObject(a: JsonObject, b: JsonObject): boolean {
  return sameValue(comparable(a), comparable(b));
}

function comparable(object: JsonObject): JsonObject {
  const managers = objectsAt(object, 'metadata', 'managedFields');
  const timeless = managers.map(({ time: _time, ...manager }) => manager);
  const managedFields = 'managedFields' in fieldsAt(object, 'metadata') ? timeless : undefined;
  return withMeta(object, { resourceVersion: undefined, managedFields });
}

/** Compares two values; the order of keys does not matter. The decoder has already limited the depth. */
function sameValue(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) return Array.isArray(b) && sameItems(a, b);
  return isObject(a) && isObject(b) && sameFields(a, b);
}

function sameItems(a: readonly Json[], b: readonly Json[]): boolean {
  return a.length === b.length && a.every((item, index) => sameValue(item, b[index]));
}

function sameFields(a: JsonObject, b: JsonObject): boolean {
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  return names.every((name) => name in b && sameValue(a[name], b[name]));
}
