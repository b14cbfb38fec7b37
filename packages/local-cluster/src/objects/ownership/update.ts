/**
 * Records the owners after a create, an update or a patch that is not an apply.
 *
 * The author owns the fields that it added or changed. Removed fields have no owner. If nothing changed, the entries
 * keep their time.
 */
import { groupOf, type Json, type JsonObject } from '../../../../../src/kube/object.ts';
import { isJsonObject } from '../patch/json-value.ts';
import type { TypeNode } from '../type-node.ts';
import { ignoreIn, type IgnoredPaths, takeFromOthers, withoutStripped } from './change-owners.ts';
import { compareObjects } from './compare-objects.ts';
import { EMPTY, isEmpty, union } from './field-set.ts';
import {
  identityOf,
  managedFieldsOf,
  type Manager,
  type Managers,
  readManagers,
  withManagers,
  withoutManagedFields,
  secondsOf,
} from './managers.ts';
import { withWholeFields } from './typed-field-set.ts';

export interface UpdateRecord {
  /** The stored object; undefined on create. */
  readonly live: JsonObject | undefined;
  /** The object to store, with the managedFields that the client sent. */
  readonly next: JsonObject;
  readonly type: TypeNode;
  readonly manager: string;
  readonly apiVersion: string;
  /** Time of the write: RFC 3339, in whole seconds. */
  readonly now: string;
  readonly subresource: '' | 'status' | 'resize' | 'scale';
  /** Paths that this endpoint does not write. */
  readonly ignore?: IgnoredPaths;
}

export function recordUpdate(update: UpdateRecord): JsonObject {
  const managers = startingManagers(update);
  // A client has removed all entries: ownership is recorded again only from the next apply on.
  if (managers.size === 0 && update.live !== undefined) return withoutManagedFields(update.next);
  return withManagers(update.next, managersAfter({ ...update, managers }));
}

/**
 * The entries before the write. A client may send its own; `[]` and `[{}]` remove all. If they are absent or invalid,
 * the stored entries are kept.
 */
function startingManagers({ live, next, subresource }: UpdateRecord): Managers {
  const known = readManagers(managedFieldsOf(live)) ?? new Map<string, Manager>();
  const sent = managedFieldsOf(next);
  if (subresource !== '' || sent === undefined || sent === null) return known;
  if (isReset(sent)) return new Map();
  const managers = readManagers(sent);
  return managers === undefined || managers.size === 0 ? known : managers;
}

function isReset(sent: Json): boolean {
  if (!Array.isArray(sent) || sent.length > 1) return false;
  const [entry] = sent;
  return entry === undefined || (isJsonObject(entry) && Object.keys(entry).length === 0);
}

export function managersAfter(update: UpdateRecord & { readonly managers: Managers }): Managers {
  const { live = {}, next, type, manager, apiVersion, now, subresource, ignore = [] } = update;
  const comparison = ignoreIn(
    compareObjects(withoutManagedFields(live), withoutManagedFields(next), type),
    ignore,
  );
  const managers = takeFromOthers({
    managers: reconcile(update.managers, update),
    by: null,
    comparison,
  });
  const fields = withoutStripped(union(comparison.modified, comparison.added));
  if (!isEmpty(fields)) {
    const self = { name: nameOf(manager), operation: 'Update', apiVersion, subresource } as const;
    const identity = identityOf(self);
    const before = managers.get(identity)?.fields ?? EMPTY;
    managers.set(identity, { ...self, time: now, fields: union(before, fields) });
  }
  return capUpdaters(managers);
}

/**
 * Adapts entries to a changed type: parts of a field that is now owned as a whole become one entry for that field.
 * Entries in a version of another group are dropped; a kind that two groups serve can have such entries.
 */
export function reconcile(
  managers: Managers,
  { type, apiVersion }: Pick<UpdateRecord, 'type' | 'apiVersion'>,
): Managers {
  return new Map(
    [...managers]
      .filter(([, manager]) => groupOf(manager.apiVersion) === groupOf(apiVersion))
      .map(([identity, manager]) => [
        identity,
        { ...manager, fields: withWholeFields(manager.fields, type) },
      ]),
  );
}

export function nameOf(manager: string): string {
  return manager === '' ? 'unknown' : manager;
}

/** Maximum number of Update entries of an object. Apply entries are not counted. */
export const MAX_UPDATERS = 10;

const ANCIENT = 'ancient-changes';

/** Merges the oldest Update entries into one for each version, until they are few enough. */
function capUpdaters(managers: Managers): Managers {
  const updaters = [...managers]
    .filter(([, { operation }]) => operation === 'Update')
    .toSorted(
      ([leftKey, left], [rightKey, right]) =>
        secondsOf(left) - secondsOf(right) || (leftKey < rightKey ? -1 : 1),
    );
  let left = updaters.length;
  const capped = new Map(managers);
  const firsts = new Map<string, string>();
  for (const [identity, manager] of updaters) {
    if (left <= MAX_UPDATERS) break;
    const first = firsts.get(manager.apiVersion);
    if (first === undefined) {
      firsts.set(manager.apiVersion, identity);
      continue;
    }
    const bucket = bucketOf(manager);
    const gathered = capped.get(identityOf(bucket)) ?? capped.get(first);
    capped.delete(first);
    capped.delete(identity);
    // The merged entry gets the time of `manager`, which is the later one.
    const fields = gathered === undefined ? manager.fields : union(gathered.fields, manager.fields);
    capped.set(identityOf(bucket), { ...manager, ...bucket, fields });
    left--;
  }
  return capped;
}

function bucketOf({ apiVersion }: Manager): Omit<Manager, 'fields' | 'time'> {
  return { name: ANCIENT, operation: 'Update', apiVersion, subresource: '' };
}
