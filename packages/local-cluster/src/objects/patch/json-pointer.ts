/**
 * Locations in a JSON document by pointer (RFC 6901): the list or object with the value, and its key. A draft copies
 * only the containers on the path of a change, when the change opens them; all others are shared with the document and
 * the patch.
 */
import type { Json, JsonObject } from '../../../../../src/kube/object.ts';
import { isJsonObject, ownField } from './json-value.ts';
import { PatchRefused, REJECTED } from './patch-result.ts';

export interface Place {
  readonly holder: JsonObject | Json[];
  readonly key: string;
}

/** A document under change by a patch. */
export interface Draft {
  document: JsonObject;
  /** The containers that were copied or created for it. */
  readonly own: Set<Json>;
}

/** For reading only. */
export function placeAt({ document }: Draft, pointer: string): Place {
  const { parts, key } = partsOf(pointer);
  let holder: JsonObject | Json[] = document;
  for (const part of parts) holder = containerIn({ holder, key: part });
  return { holder, key };
}

/** For changes. */
export function openAt(draft: Draft, pointer: string): Place {
  const { parts, key } = partsOf(pointer);
  draft.document = owned(draft, draft.document);
  let holder: JsonObject | Json[] = draft.document;
  for (const part of parts) {
    const place: Place = { holder, key: part };
    const next = containerIn(place);
    holder = owned(draft, next);
    if (holder !== next) replaceAt(place, holder);
  }
  return { holder, key };
}

function partsOf(pointer: string): { readonly parts: readonly string[]; readonly key: string } {
  const parts = pointer.split('/').slice(1).map(decodePart);
  const key = parts.pop();
  if (key === undefined) throw new PatchRefused(REJECTED);
  return { parts, key };
}

function containerIn(place: Place): JsonObject | Json[] {
  const value = readAt(place);
  if (typeof value !== 'object' || value === null) throw new PatchRefused(REJECTED);
  return value;
}

function owned<C extends JsonObject | Json[]>({ own }: Draft, container: C): C;
function owned({ own }: Draft, container: JsonObject | Json[]): JsonObject | Json[] {
  if (own.has(container)) return container;
  const copy = Array.isArray(container) ? [...container] : { ...container };
  own.add(copy);
  return copy;
}

/** Undefined: an object without this field. A list without this index is refused. */
export function readAt({ holder, key }: Place): Json | undefined {
  return Array.isArray(holder) ? holder[indexOf(key, holder.length)] : ownField(holder, key);
}

export function addAt({ holder, key }: Place, value: Json): void {
  if (!Array.isArray(holder)) setField(holder, key, value);
  else if (key === '-') holder.push(value);
  else holder.splice(indexOf(key, holder.length + 1), 0, value);
}

export function replaceAt({ holder, key }: Place, value: Json): void {
  if (isJsonObject(holder)) setField(holder, key, value);
  else holder[indexOf(key, holder.length)] = value;
}

export function removeAt({ holder, key }: Place): void {
  if (Array.isArray(holder)) holder.splice(indexOf(key, holder.length), 1);
  else if (Object.hasOwn(holder, key)) delete holder[key];
  else throw new PatchRefused(REJECTED);
}

/** Sets `__proto__` as an ordinary field. */
function setField(object: JsonObject, name: string, value: Json): void {
  if (name !== '__proto__') {
    object[name] = value;
    return;
  }
  Object.defineProperty(object, name, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  });
}

/** The index in a list with `end` items; a negative index counts from the end. */
function indexOf(key: string, end: number): number {
  if (!/^[+-]?\d+$/.test(key)) throw new PatchRefused(REJECTED);
  const index = Number(key) < 0 ? Number(key) + end : Number(key);
  if (index < 0 || index >= end) throw new PatchRefused(REJECTED);
  return index;
}

/** Replaces in one step: `~01` is `~1`. */
function decodePart(part: string): string {
  return part.replaceAll(/~[01]/g, (code) => (code === '~1' ? '/' : '~'));
}
