/** Merges lists of a strategic merge patch: items with equal keys merge, and other items stay or are added. */
import type { Json, JsonObject } from '../../../../../src/kube/object.ts';
import type { ListNode, TypeNode } from '../type-node.ts';
import { freshValue, PATCH, refuse, refuseUnknown } from './directives.ts';
import { goText } from './patch-result.ts';
import { isJsonObject, ownField } from './json-value.ts';

export interface ListMerge {
  readonly original: readonly Json[];
  readonly patch: readonly Json[];
  readonly type: ListNode;
  readonly mergeItem: (
    original: JsonObject,
    patch: JsonObject,
    type: TypeNode | undefined,
  ) => JsonObject;
}

export type OrderedMerge = Omit<ListMerge, 'original' | 'patch' | 'type'> & {
  readonly type: ListNode | undefined;
  readonly original: readonly Json[] | undefined;
  readonly patch: readonly Json[] | undefined;
  /** Value of `$setElementOrder`: items with only their merge key, or scalars. */
  readonly order: readonly Json[];
};

/** Error for a request that Kubernetes 1.37 cannot serve: it panics, and closes the stream without a response. */
const KEYLESS_ORDER =
  'cannot order a list of objects without a merge key: leave out its $setElementOrder';

/** Returns undefined if neither side has a list. */
export function mergeInOrder(merge: OrderedMerge): Json[] | undefined {
  const { original, patch, order, type } = merge;
  if (original === undefined && patch === undefined) return undefined;
  const before = original ?? [];
  requireOrder({ before, patch: patch ?? [], order, type });
  const items = mergeContents(merge);
  return orderItems({ items, first: order, before, identity: identityOf(type) });
}

interface Ordered {
  readonly before: readonly Json[];
  readonly patch: readonly Json[];
  readonly order: readonly Json[];
  readonly type: ListNode | undefined;
}

function requireOrder({ before, patch, order, type }: Ordered): void {
  const isKeyless = (type?.mergeKey ?? null) === null;
  if (isKeyless && [...before, ...patch].some(isJsonObject)) refuse(500, KEYLESS_ORDER);
  const items = patch.filter((item) => !isSpecial(item));
  if (sameOrder(items, order, identityOf(type))) return;
  refuse(
    500,
    `The order in patch list:\n${goText([...patch])}\n doesn't match $setElementOrder list:\n${goText([...order])}\n`,
  );
}

function mergeContents({ original, patch, type, mergeItem }: OrderedMerge): readonly Json[] {
  if (patch === undefined) return original ?? [];
  if (original === undefined) return patch.flatMap((item) => freshValue(item) ?? []);
  if (type?.patchStrategy !== 'merge') return patch;
  return mergeList({ original, patch, type, mergeItem });
}

export function mergeList(merge: ListMerge): Json[] {
  const { original, patch, type } = merge;
  requireOneKind([...original, ...patch]);
  if (!isJsonObject(original[0] ?? patch[0])) {
    const items = [...new Set([...original, ...patch])];
    return orderItems({ items, first: patch, before: original, identity: (item) => item });
  }
  if (type.mergeKey === null) return refuse(500, 'cannot merge lists without merge key for struct');
  return mergeItems(merge, identityOf(type));
}

function mergeItems({ original, patch, type, mergeItem }: ListMerge, identity: Identity): Json[] {
  const objects = patch.filter(isJsonObject);
  const changes = objects.filter((item) => !isSpecial(item));
  const before = followSpecials(original, objects.filter(isSpecial), identity);
  if (before === 'replaced') return changes.map((item) => freshValue(item) ?? item);
  const merged = [...before];
  for (const change of changes) {
    const key = identity(change);
    const at = merged.findIndex((item) => identity(item) === key);
    const found = merged[at];
    if (isJsonObject(found)) merged[at] = mergeItem(found, change, type.items);
    else merged.push(freshValue(change) ?? change);
  }
  return orderItems({ items: merged, first: changes, before, identity });
}

/** Applies items that are directives: `{"$patch": "delete", "name": "x"}`, `{"$patch": "replace"}`. */
function followSpecials(
  original: readonly Json[],
  specials: readonly JsonObject[],
  identity: Identity,
): readonly Json[] | 'replaced' {
  let left = original;
  let replaced = false;
  for (const special of specials) {
    const directive = ownField(special, PATCH) ?? null;
    if (directive === 'delete') {
      const key = identity(special);
      left = left.filter((item) => identity(item) !== key);
    } else if (directive === 'replace') replaced = true;
    else if (directive === 'merge')
      refuse(500, 'merging lists cannot yet be specified in the patch');
    else refuseUnknown(directive, special);
  }
  return replaced ? 'replaced' : left;
}

function isSpecial(item: Json): boolean {
  return isJsonObject(item) && Object.hasOwn(item, PATCH);
}

function requireOneKind(items: readonly Json[]): void {
  const kinds = new Set(items.map((item) => (isJsonObject(item) ? 'map' : typeof item)));
  if (items.some((item) => Array.isArray(item))) refuse(422, 'lists of lists are not supported');
  if (kinds.size > 1) refuse(500, `list element types are not identical: ${goText([...items])}`);
}

function identityOf(type: ListNode | undefined): Identity {
  const mergeKey = type?.mergeKey ?? null;
  return (item) => {
    if (mergeKey === null || !isJsonObject(item)) return item;
    const key = ownField(item, mergeKey);
    if (key !== undefined) return key;
    return refuse(500, `map: ${goText(item)} does not contain declared merge key: ${mergeKey}`);
  };
}

/** Returns the identity of an item: the value of its merge key, or the scalar itself. */
type Identity = (item: Json) => Json;

interface Ordering {
  readonly items: readonly Json[];
  /** Items in the order that the patch sets. */
  readonly first: readonly Json[];
  /** The list before the patch. */
  readonly before: readonly Json[];
  readonly identity: Identity;
}

/**
 * Orders a merged list. Items that the patch orders get that order. All other items keep their own order, and their
 * places before or after the same items as before the patch.
 */
function orderItems({ items, first, before, identity }: Ordering): Json[] {
  const wanted = places(first, identity);
  const stood = places(before, identity);
  const named = sortBy(
    items.filter((item) => wanted.has(identity(item))),
    wanted,
    identity,
  );
  const others = sortBy(
    items.filter((item) => !wanted.has(identity(item))),
    stood,
    identity,
  );
  const ordered: Json[] = [];
  for (const item of named) {
    const place = stood.get(identity(item)) ?? -1;
    const later = others.findIndex((other) => placeOf(other) >= place);
    ordered.push(...others.splice(0, later === -1 ? others.length : later), item);
  }
  return [...ordered, ...others];

  function placeOf(item: Json): number {
    return stood.get(identity(item)) ?? Infinity;
  }
}

/**
 * True if all items are in `order`, in the same order. `order` may have more items; an empty one accepts every list.
 */
function sameOrder(items: readonly Json[], order: readonly Json[], identity: Identity): boolean {
  if (order.length === 0) return true;
  let at = 0;
  for (const place of order) {
    const item = items[at];
    if (item !== undefined && identity(item) === identity(place)) at++;
  }
  return at >= items.length;
}

function places(items: readonly Json[], identity: Identity): Map<Json, number> {
  const found = new Map<Json, number>();
  for (const [at, item] of items.entries()) {
    const key = identity(item);
    if (!found.has(key)) found.set(key, at);
  }
  return found;
}

function sortBy(
  items: readonly Json[],
  order: ReadonlyMap<Json, number>,
  identity: Identity,
): Json[] {
  return items.toSorted(
    (left, right) => (order.get(identity(left)) ?? 0) - (order.get(identity(right)) ?? 0),
  );
}
