/**
 * Server-side apply.
 *
 * The applied object has all fields that its manager wants to own. They are set and owned. Fields that the manager
 * applied last time, but not now, are removed unless another manager owns them. A change of a field of another owner is
 * a conflict, unless the apply is forced.
 *
 * - If neither a field nor an owner changes, the live object itself is returned.
 * - A conflict changes nothing.
 */
import type { Json, JsonObject } from '../../../../../src/kube/object.ts';
import { isJsonObject, isTooDeep, jsonEqual, ownField } from '../patch/json-value.ts';
import type { TypeNode } from '../type-node.ts';
import { checkApplied, joinProblems } from './check-applied.ts';
import {
  conflictsOf,
  type FieldConflict,
  ignoreIn,
  type IgnoredPaths,
  takeFromOthers,
  withoutIgnored,
  withoutStripped,
  type ApplyConflict,
  toApplyConflicts,
} from './change-owners.ts';
import { compareObjects } from './compare-objects.ts';
import { EMPTY, isEmpty } from './field-set.ts';
import { withLastApplied, withoutOwnConflicts } from './last-applied.ts';
import {
  identityOf,
  managedFieldsOf,
  type Manager,
  type Managers,
  readManagers,
  withManagers,
  withoutManagedFields,
} from './managers.ts';
import { mergeObjects } from './merge-objects.ts';
import { fieldsOf } from './typed-field-set.ts';
import { prune } from './remove-fields.ts';
import { managersAfter, nameOf, reconcile } from './update.ts';

export interface ServerSideApply {
  /** The stored object; undefined on create. */
  readonly live: JsonObject | undefined;
  readonly applied: JsonObject;
  readonly type: TypeNode;
  readonly manager: string;
  readonly force: boolean;
  readonly apiVersion: string;
  /** The kind that the applied object must have. */
  readonly kind: string;
  /** Time of the apply: RFC 3339, in whole seconds. */
  readonly now: string;
  readonly subresource: '' | 'status' | 'resize' | 'scale';
  /** Paths that this endpoint does not write; their owners stay unchanged. */
  readonly ignore?: IgnoredPaths;
}

export type ApplyResult =
  | { readonly kind: 'applied'; readonly object: JsonObject }
  | { readonly kind: 'conflicts'; readonly conflicts: readonly ApplyConflict[] }
  | ApplyFailure;

interface ApplyFailure {
  readonly kind: 'failed';
  /** 400, or 500 if the configuration does not fit the type, as on a real server. */
  readonly code: 400 | 500;
  readonly message: string;
}

export function applyServerSide(apply: ServerSideApply): ApplyResult {
  const refusal = refuse(apply);
  if (refusal !== null) return refusal;
  const known = readManagers(managedFieldsOf(apply.live));
  if (known === undefined) return failure(500, 'failed to decode managed fields');
  const outcome = settle(apply, reconcile(startTracking(apply, known), apply));
  const conflicts = apply.force ? [] : withoutOwnConflicts(outcome.conflicts, apply);
  if (conflicts.length > 0) return { kind: 'conflicts', conflicts: toApplyConflicts(conflicts) };
  const object = withManagers(withLastApplied(outcome.object, apply), outcome.managers);
  return {
    kind: 'applied',
    object: jsonEqual(object, apply.live) ? (apply.live ?? object) : object,
  };
}

function refuse({ applied, type, apiVersion, kind }: ServerSideApply): ApplyFailure | null {
  if (isTooDeep(applied)) return failure(400, 'error decoding patch: exceeded max depth');
  const version = textOf(ownField(applied, 'apiVersion'));
  if (version === '' || textOf(ownField(applied, 'kind')) !== kind) {
    return failure(400, `invalid object type: ${typeText(applied)}`);
  }
  if (version !== apiVersion) {
    return failure(
      400,
      `Incorrect version specified in apply patch. Specified patch version: ${version}, expected: ${apiVersion}`,
    );
  }
  if (Array.isArray(managedFieldsOf(applied))) {
    return failure(400, 'metadata.managedFields must be nil');
  }
  const problems = checkApplied(applied, type);
  if (problems.length === 0) return null;
  const which = describe(applied);
  return failure(500, `failed to create typed patch object (${which}): ${joinProblems(problems)}`);
}

function failure(code: ApplyFailure['code'], message: string): ApplyFailure {
  return { kind: 'failed', code, message };
}

/** Name and type of the object in errors, such as `default/web; apps/v1, Kind=Deployment`. */
function describe(applied: JsonObject): string {
  const metadata = ownField(applied, 'metadata');
  const { namespace = '', name = '' } = isJsonObject(metadata) ? metadata : {};
  return `${textOf(namespace)}/${textOf(name)}; ${typeText(applied)}`;
}

/** Type in errors, such as `apps/v1, Kind=Deployment`. */
function typeText(applied: JsonObject): string {
  const version = textOf(ownField(applied, 'apiVersion'));
  const groupVersion = version.includes('/') ? version : `/${version}`;
  return `${groupVersion}, Kind=${textOf(ownField(applied, 'kind'))}`;
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** Returns the owners before the apply. If the object has none, one manager with a fixed name owns all its fields. */
function startTracking(apply: ServerSideApply, known: Managers): Managers {
  const { live } = apply;
  if (known.size > 0 || live === undefined) return known;
  return managersAfter({
    ...apply,
    live: undefined,
    next: live,
    manager: 'before-first-apply',
    managers: known,
  });
}

interface Outcome {
  /** Object after the apply, without managedFields. */
  readonly object: JsonObject;
  readonly managers: Managers;
  readonly conflicts: readonly FieldConflict[];
}

function settle(apply: ServerSideApply, known: Managers): Outcome {
  const { applied, type, ignore = [] } = apply;
  const live = withoutManagedFields(apply.live ?? {});
  const self = selfOf(apply);
  const by = identityOf(self);
  const before = known.get(by);
  const managers = new Map(known).set(by, self);
  const merged = mergeObjects(live, applied, type);
  const object = prune({ merged, type, last: before?.fields ?? EMPTY, managers });
  const comparison = ignoreIn(compareObjects(live, object, type), ignore);
  const owners = takeFromOthers({ managers, by, comparison });
  const own = { ...self, fields: withoutStripped(self.fields), time: apply.now };
  if (isEmpty(own.fields)) owners.delete(by);
  else owners.set(by, jsonEqual(live, object) ? keepTime(own, before) : own);
  return { object, managers: owners, conflicts: conflictsOf({ managers, by, comparison }) };
}

/** Keeps the entry's time: an apply that does not change the object sets none, even if its owned fields change. */
function keepTime({ time: _time, ...own }: Manager, before: Manager | undefined): Manager {
  return before?.time === undefined ? own : { ...own, time: before.time };
}

function selfOf({
  applied,
  type,
  manager,
  apiVersion,
  subresource,
  ignore,
}: ServerSideApply): Manager {
  return {
    name: nameOf(manager),
    operation: 'Apply',
    apiVersion,
    subresource,
    fields: withoutIgnored(fieldsOf(applied, type), ignore ?? []),
  };
}
