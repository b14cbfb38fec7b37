/** Server-side apply: merges a manager's configuration into an object, or creates the object. */
import type { JsonObject } from '../../../../../src/kube/object.ts';
import { isObject, textAt } from '../../../../../src/kube/fields.ts';
import { inexactFault } from '../../objects/inexact-integers.ts';
import { applyServerSide, type ServerSideApply } from '../../objects/ownership/apply.ts';
import {
  type ApplyConflict,
  conflictCauses,
  conflictMessage,
} from '../../objects/ownership/change-owners.ts';
import type { RequestScope } from '../context.ts';
import type { ServerAnswer } from '../http.ts';
import { type WriteOptions, writeOptions } from '../options.ts';
import { authorship } from '../ownership.ts';
import { objectAnswer } from '../present.ts';
import { decodeAs, readJson } from '../read-object.ts';
import { badRequest, conflict, notFound, StatusError } from '../status.ts';
import { changeObject } from './change-object.ts';
import { createGiven } from './create.ts';
import { requireOwnName } from './update.ts';
import { inNamespace, partOf } from '../object-meta.ts';

export const APPLY_TYPE = 'application/apply-patch+yaml';

/** Maximum number of attempts of an apply whose object another client creates or deletes meanwhile. */
const MAX_ATTEMPTS = 5;

export async function applyObject(scope: RequestScope): Promise<ServerAnswer> {
  const options = writeOptions(scope.request.query, 'PatchOptions', 'apply');
  const applying = { scope, applied: await readApplied(scope, options), options };
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const changed = await applyToExisting(applying);
    if (changed !== undefined) return objectAnswer(scope, changed);
    const created = await applyToNothing(applying);
    if (created !== undefined) return objectAnswer(scope, created, 201);
  }
  throw conflict(scope.definition, scope.info.name);
}

/** Reads the applied configuration, without defaults or conversion. */
export async function readApplied(scope: RequestScope, options: WriteOptions): Promise<JsonObject> {
  const { body, duplicates } = await readJson(scope, APPLY_TYPE);
  if (!isObject(body)) throw badRequest('error decoding patch: the body is not an object');
  const fault = inexactFault(body, scope.definition.type, scope.request.body);
  if (fault !== undefined) throw badRequest(`error decoding patch: ${fault}`);
  reportDuplicates(scope, duplicates, options);
  return body;
}

interface Applying {
  readonly scope: RequestScope;
  readonly applied: JsonObject;
  readonly options: WriteOptions;
}

function reportDuplicates(
  { warnings }: RequestScope,
  duplicates: readonly string[],
  { fieldValidation }: WriteOptions,
): void {
  if (duplicates.length === 0 || fieldValidation === 'Ignore') return;
  const list = duplicates.map((path) => `duplicate field "${path}"`);
  if (fieldValidation === 'Strict') {
    throw badRequest(`error strict decoding patch: ${list.join(', ')}`);
  }
  for (const text of list) warnings.add(text);
}

function applyToExisting(applying: Applying): Promise<JsonObject | undefined> {
  const { scope, options } = applying;
  return changeObject({
    scope,
    name: scope.info.name,
    options,
    optionsKind: 'PatchOptions',
    revise: async (old) => merged(applying, old),
    owned: true,
    part: partOf(scope.info),
  });
}

/** Creates the object; returns undefined if another client created it first. */
async function applyToNothing(applying: Applying): Promise<JsonObject | undefined> {
  const { scope, applied, options } = applying;
  const { definition, info } = scope;
  if (info.subresource !== '') throw notFound(definition, info.name);
  const uid = textAt(applied, 'metadata', 'uid');
  if (uid !== '') {
    const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
    throw conflict(definition, info.name, why);
  }
  const object = merged(applying, undefined);
  try {
    return await createGiven(scope, object, { options, optionsKind: 'PatchOptions', owned: true });
  } catch (error) {
    if (error instanceof StatusError && error.failure.reason === 'AlreadyExists') return undefined;
    throw error;
  }
}

function merged({ scope, applied, options }: Applying, live: JsonObject | undefined): JsonObject {
  const { definition, info } = scope;
  const { fieldManager: manager, force } = options;
  const { kind } = definition;
  const body = appliedObject({ live, applied, manager, force, kind, ...authorship(scope) });
  const decoded = decodeAs(definition, { body, fieldValidation: 'Ignore' });
  if (decoded.kind === 'failed') throw unconvertible(scope, applied, decoded.message);
  const placed = inNamespace(decoded.object, definition.namespaced ? info.namespace : '');
  requireOwnName(placed, info.name);
  return placed;
}

/**
 * Merges the configuration into the object and updates its managedFields. Throws for conflicts, and for values that do
 * not fit the type.
 */
export function appliedObject(apply: ServerSideApply): JsonObject {
  const result = applyServerSide(apply);
  if (result.kind === 'applied') return result.object;
  if (result.kind === 'conflicts') throw applyConflict(result.conflicts);
  const { code, message } = result;
  throw new StatusError({ code, reason: code === 400 ? 'BadRequest' : '', message });
}

/** The error for a value whose JSON type is right but whose content is not, such as a string that is not base64. */
function unconvertible(
  { definition }: RequestScope,
  applied: JsonObject,
  message: string,
): StatusError {
  const { group, version, kind } = definition;
  const type = `${group}/${version}, Kind=${kind}`;
  const place = ['namespace', 'name'].map((name) => textAt(applied, 'metadata', name)).join('/');
  const why = message.replace(/^.* cannot be handled as a \w+: /, '');
  const from = why.startsWith('illegal base64') ? `error decoding from json: ${why}` : why;
  return new StatusError({
    code: 500,
    reason: '',
    message:
      `failed to convert new object (${place}; ${type}) to proper version: ` +
      `unable to convert unstructured object to ${type}: ${from}`,
  });
}

function applyConflict(conflicts: readonly ApplyConflict[]): StatusError {
  return new StatusError({
    code: 409,
    reason: 'Conflict',
    message: conflictMessage(conflicts),
    details: { causes: conflictCauses(conflicts) },
  });
}
