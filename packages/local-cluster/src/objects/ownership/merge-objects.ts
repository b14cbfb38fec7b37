/**
 * Merges an applied configuration into the live object: its values win, nothing is removed, lists with identified items
 * merge item by item, all other lists are replaced.
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
 * An empty value over an empty one distinguishes `{}` from null; in an untyped field, a value that is not an object
 * replaces.
 */
function isReplaced(live: Json, applied: Json, shape: Shape): boolean {
  if (isBlank(live) && isBlank(applied)) return true;
  return shape === UNTYPED && !isJsonObject(applied) && !isBlank(applied);
}

/** For a value without a live one; an applied null in a built-in type is absent. */
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

/** An item that occurs several times in the live list merges with none; the applied item replaces them all. */
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

/** The source of an item of the merged list: only the live list, or the applied one (and maybe the live one). */
type Place =
  | { readonly from: 'live'; readonly index: number }
  | { readonly from: 'applied'; readonly element: PathElement };

/**
 * The order of a merged list: the applied items in their order, and each live-only item before the shared item that it
 * preceded. Live a x b y with applied b a c gives x b y a c: x preceded b, which is first now, and y followed b.
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

  /** Adds live-only items up to an item that must wait for its turn; returns the index of that item. */
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
