import type { Json, JsonObject } from '../../../../../src/kube/object.ts';
import { isJsonObject, ownField } from '../patch/json-value.ts';
import type { ItemsNode } from './node-shape.ts';
import { indexElement, keyElement, type PathElement, valueElement } from './path-element.ts';

export interface IdentifiedItem {
  readonly element: PathElement;
  readonly item: Json;
}

/** An item without an identity gets its index; only an object from before a change of its type can have one. */
export function identifyItems(list: ItemsNode, value: Json | undefined): IdentifiedItem[] {
  if (!Array.isArray(value)) return [];
  return value.map((item, index) => {
    const element = itemElement(list, item);
    return { element: typeof element === 'string' ? element : indexElement(index), item };
  });
}

/** The identity of an item, or why it has none. */
export function itemElement(list: ItemsNode, item: Json): PathElement | { problem: string } {
  return list.listType === 'map' ? keyedElement(list, item) : setElement(item);
}

function keyedElement(list: ItemsNode, item: Json): PathElement | { problem: string } {
  if (item === null) return { problem: 'associative list with keys may not have a null element' };
  if (!isJsonObject(item)) {
    return { problem: 'associative list with keys may not have non-map elements' };
  }
  const key: JsonObject = {};
  for (const name of list.mapKeys) {
    const value = ownField(item, name) ?? list.keyDefaults?.[name];
    if (value !== undefined) key[name] = value;
  }
  if (Object.keys(key).length > 0) return keyElement(key);
  const names = list.mapKeys.map((name) => JSON.stringify(name)).join(' ');
  return {
    problem: `associative list with keys has an element that omits all key fields [${names}] (and doesn't have default values for any key fields)`,
  };
}

function setElement(item: Json): PathElement | { problem: string } {
  if (Array.isArray(item)) {
    return { problem: 'not supported: associative list with lists as elements' };
  }
  if (isJsonObject(item)) {
    return { problem: "associative list without keys has an element that's a map type" };
  }
  if (item === null) {
    return { problem: "associative list without keys has an element that's an explicit null" };
  }
  return valueElement(item);
}
