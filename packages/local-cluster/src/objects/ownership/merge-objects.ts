/**
 * Merges an applied configuration into the live object.
 *
 * Applied values win, and nothing is removed. Lists whose items have an identity merge item by item; all other lists
 * are replaced.
 */
import type { Json, JsonObject } from '../../../../../src/kube/object.ts';
import { isJsonObject, ownField } from '../patch/json-value.ts';
import type { TypeNode } from '../type-node.ts';
import {
  type FieldsNode,
  fieldType,
  identifyItems,
  isBlank,
  isBuiltIn,
  type ItemsNode,
  rootType,
  type Shape,
  shapeOf,
  UNTYPED,
} from './node-shape.ts';
import type { PathElement } from './path-element.ts';

export function mergeObjects(live: JsonObject, applied: JsonObject, type: TypeNode): JsonObject {
  const merged = merge(live, applied, rootType(type));
  return isJsonObject(merged) ? merged : {};
}

function merge(live: Json | undefined, applied: Json | undefined, type: TypeNode): Json {
  const shape = shapeOf(type);
  if (applied === undefined) return live ?? null;
  if (live === undefined) return clean(applied, shape);
  if (shape === 'leaf' || isReplaced(live, applied, shape)) return applied;
  return shape.kind === 'list'
    ? mergeItems(live, applied, shape)
    : mergeFields(live, applied, shape);
}

/**
 * True if the applied value replaces the live one as a whole. An empty value replaces an empty one, because `{}`
 * differs from null. In an untyped field, so does any other value that is neither empty nor an object.
 */
function isReplaced(live: Json, applied: Json, shape: Shape): boolean {
  if (isBlank(live) && isBlank(applied)) return true;
  return shape === UNTYPED && !isJsonObject(applied) && !isBlank(applied);
}

/** The applied value for a field that the live object lacks. In a built-in type a null counts as absent. */
function clean(value: Json, shape: Shape): Json {
  if (shape === 'leaf' || isBlank(value)) return value;
  if (shape.kind !== 'list') return isJsonObject(value) ? mergeFields({}, value, shape) : value;
  if (!Array.isArray(value)) return value;
  return value.map((item) => merge(undefined, item, shape.items));
}

function mergeFields(live: Json, applied: Json, type: FieldsNode): JsonObject {
  const left = isJsonObject(live) ? live : {};
  const right = isJsonObject(applied) ? applied : {};
  const names = [...new Set([...Object.keys(left), ...Object.keys(right)])];
  const fields = names.flatMap((name): [string, Json][] => {
    const part = merge(ownField(left, name), ownField(right, name), fieldType(type, name));
    const isCleared = part === null && left[name] !== null && isBuiltIn(type);
    return isCleared ? [] : [[name, part]];
  });
  return Object.fromEntries(fields);
}

/** Merges lists by item. An item that the live list has several times is replaced by the applied one. */
function mergeItems(live: Json, applied: Json, list: ItemsNode): Json {
  const left = identifyItems(list, live);
  const right = identifyItems(list, applied);
  const applying = new Map(right.map(({ element, item }) => [element, item]));
  const living = new Map<PathElement, Json | undefined>();
  for (const { element, item } of left) {
    living.set(element, living.has(element) ? undefined : item);
  }
  const order = mergeOrder(
    left.map(({ element }) => element),
    right.map(({ element }) => element),
  );
  return order.map((place) => {
    if (place.from === 'live') return merge(left[place.index]?.item, undefined, list.items);
    return merge(living.get(place.element), applying.get(place.element), list.items);
  });
}

/** Source of an item in the merged list: the live list alone, or the applied list with any live item merged in. */
type Place =
  | { readonly from: 'live'; readonly index: number }
  | { readonly from: 'applied'; readonly element: PathElement };

/**
 * Order of a merged list: the applied items in their order, and each item that only the live list has before the shared
 * item that followed it.
 *
 * Example: live a x b y and applied b a c give x b y a c. In the live list x preceded b, which is first now, and y
 * followed b.
 */
function mergeOrder(live: readonly PathElement[], applied: readonly PathElement[]): Place[] {
  const isApplied = new Set(applied);
  const isLive = new Set(live);
  const shared = applied.filter((element) => isLive.has(element));
  const order: Place[] = [];
  const taken = new Set<PathElement>();
  let nextShared = 0;
  let at = 0;
  for (const element of applied) {
    at = takeLive(at, element);
    order.push({ from: 'applied', element });
    taken.add(element);
    if (live[at] === element) at++;
    if (shared[nextShared] === element) nextShared++;
  }
  takeLive(at, undefined);
  return order;

  /**
   * Adds the items that only the live list has, from the index `from` on. Stops at the item `upTo` or at the next
   * shared item, and returns its index; without such an item, the length of the list.
   */
  function takeLive(from: number, upTo: PathElement | undefined): number {
    for (let index = from; index < live.length; index++) {
      const here = live[index] ?? '';
      if (here === upTo) return index;
      if (!isApplied.has(here)) order.push({ from: 'live', index });
      else if (!taken.has(here) && here === shared[nextShared]) return index;
    }
    return live.length;
  }
}
