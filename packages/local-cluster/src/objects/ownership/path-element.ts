/**
 * One element of a path to an owned field, in the wire format.
 *
 * `f:spec` is a field, and `k:{"name":"web"}` the list item with that key. `v:"a"` is an item of a set, and `i:0` the
 * item at an index. The text is canonical, so equal elements are equal strings.
 */
import type { Json, JsonObject } from '../../../../../src/kube/object.ts';
import { isJsonObject } from '../patch/json-value.ts';

export type PathElement = string;

export type Path = readonly PathElement[];

export function fieldElement(name: string): PathElement {
  return `f:${name}`;
}

export function keyElement(key: JsonObject): PathElement {
  return `k:${goJson(key)}`;
}

export function valueElement(value: Json): PathElement {
  return `v:${goJson(value)}`;
}

export function indexElement(index: number): PathElement {
  return `i:${index}`;
}

/** Name of the field; undefined for other kinds of elements. */
export function fieldName(element: PathElement): string | undefined {
  return element.startsWith('f:') ? element.slice(2) : undefined;
}

export type ParsedElement = { readonly element: PathElement } | 'unknown' | 'invalid';

/** 'unknown': a kind that a later version may have, which is ignored; 'invalid': not an element. */
export function parseElement(text: string): ParsedElement {
  const kind = text.slice(0, 2);
  if (kind === 'f:') return { element: text };
  if (kind === 'k:') return canonical(text, isJsonObject);
  if (kind === 'v:') return canonical(text, () => true);
  if (kind !== 'i:') return kind[1] === ':' ? 'unknown' : 'invalid';
  return /^i:[+-]?\d+$/.test(text) ? { element: indexElement(Number(text.slice(2))) } : 'invalid';
}

function canonical(text: string, fits: (value: Json) => boolean): ParsedElement {
  try {
    const value = JSON.parse(text.slice(2)) as Json;
    return fits(value) ? { element: `${text.slice(0, 2)}${goJson(value)}` } : 'invalid';
  } catch {
    return 'invalid';
  }
}

/** The element in messages, such as `.spec`, `[name="web"]`, `[="a"]` or `[0]`. */
export function elementText(element: PathElement): string {
  const rest = element.slice(2);
  if (element.startsWith('f:')) return `.${rest}`;
  if (element.startsWith('v:')) return `[=${JSON.stringify(JSON.parse(rest))}]`;
  if (!element.startsWith('k:')) return `[${rest}]`;
  const fields = keyFields(rest).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return `[${fields.join(',')}]`;
}

export function pathText(path: Path): string {
  return path.map(elementText).join('');
}

export function sortElements(elements: Iterable<PathElement>): PathElement[] {
  return [...elements]
    .map((element) => ({ element, order: orderOf(element) }))
    .toSorted((left, right) => compareOrders(left.order, right.order))
    .map(({ element }) => element);
}

type Order = readonly (string | number)[];

/** Order of elements: fields, keys, values, indexes; those of one kind by their content. */
function orderOf(element: PathElement): Order {
  const rest = element.slice(2);
  if (element.startsWith('f:')) return [0, rest];
  if (element.startsWith('v:')) return [2, ...orderOfValue(JSON.parse(rest) as Json)];
  if (!element.startsWith('k:')) return [3, Number(rest)];
  return [1, ...keyFields(rest).flatMap(([name, value]) => [name, ...orderOfValue(value)])];
}

function keyFields(text: string): [string, Json][] {
  return Object.entries(JSON.parse(text) as JsonObject);
}

function orderOfValue(value: Json): Order {
  if (typeof value === 'number') return [0, value];
  if (typeof value === 'string') return [1, value];
  if (typeof value === 'boolean') return [2, Number(value)];
  return [3, goJson(value)];
}

function compareOrders(left: Order, right: Order): number {
  for (const [at, part] of left.entries()) {
    const other = right[at];
    if (other === undefined) return 1;
    if (part !== other) return part < other ? -1 : 1;
  }
  return left.length - right.length;
}

const ESCAPED: Readonly<Record<string, string>> = {
  '<': String.raw`\u003c`,
  '>': String.raw`\u003e`,
  '&': String.raw`\u0026`,
  '\u2028': String.raw`\u2028`,
  '\u2029': String.raw`\u2029`,
};

/**
 * Writes JSON like Go on a real server: sorted fields, and some characters escaped. Texts that the server stores must
 * be identical: keys of owned fields and the last applied configuration.
 */
export function goJson(value: Json): string {
  return JSON.stringify(sorted(value)).replaceAll(
    /[<>&\u2028\u2029]/g,
    (character) => ESCAPED[character] ?? character,
  );
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const names = Object.keys(value).toSorted();
  return Object.fromEntries(names.map((name) => [name, sorted(value[name] ?? null)]));
}
