/**
 * An applied configuration laid over the live object: its values win, nothing is taken away, lists with
 * identified items merge item by item, all other lists are replaced.
 */
import type { Json, JsonObject } from '../../../../../src/kube/object.ts';
import { isJsonObject, ownField } from '../patch/json-value.ts';
import type { TypeNode } from '../type-node.ts';
import { identifyItems } from './list-items.ts';
import {
  type FieldsNode,
  fieldType,
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

/** Empty over empty tells `{}` from null; where the type is not known, what is no object replaces. */
function isReplaced(live: Json, applied: Json, shape: Shape): boolean {
  if (isBlank(live) && isBlank(applied)) return true;
  return shape === UNTYPED && !isJsonObject(applied) && !isBlank(applied);
}

/** Nothing is there yet; what is applied as null in a built-in type is not there all the same. */
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

/** An item that the live list has several times meets none; what is applied takes the place of them all. */
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

/** Where an item of the merged list comes from: the live list alone, or the applied one (and the live one). */
type Place =
  | { readonly from: 'live'; readonly index: number }
  | { readonly from: 'applied'; readonly element: PathElement };

/**
 * The order of a merged list: the applied items in theirs, and each item that only the live list has
 * before the shared one that it stood before. Live a x b y with applied b a c: x stood before b, which
 * comes first now, and y after it: x b y a c.
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

  /** Takes what only the live list has, as far as an item that must wait for its turn; returns where. */
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
