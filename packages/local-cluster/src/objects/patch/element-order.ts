/**
 * The order of a merged list: items in the patch have the patch's order, items only on the server keep theirs, and the
 * two interleave as they did before.
 */
import type { Json } from '../../../../../src/kube/object.ts';

/** The identity of an item: the value of its merge key, or a scalar itself. */
export type Identity = (item: Json) => Json;

export interface Ordering {
  readonly items: readonly Json[];
  /** The items in the order of the patch. */
  readonly first: readonly Json[];
  /** The list before the patch. */
  readonly before: readonly Json[];
  readonly identity: Identity;
}

export function orderItems({ items, first, before, identity }: Ordering): Json[] {
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

/** True: the items are in `order`, in that order, among others. */
export function sameOrder(
  items: readonly Json[],
  order: readonly Json[],
  identity: Identity,
): boolean {
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
