/**
 * Places in a JSON document by pointer (RFC 6901): the list or object that holds the value, and the key
 * in it. These functions change the document they are given, which is the patch's own copy.
 */
import type { Json, JsonObject } from '../../../../../src/kube/object.ts';
import { isJsonObject, ownField } from './json-value.ts';
import { PatchRefused, REJECTED } from './patch-result.ts';

export interface Place {
  readonly holder: JsonObject | Json[];
  readonly key: string;
}

export function containerAt(document: JsonObject, pointer: string): Place {
  const parts = pointer.split('/').slice(1).map(decodePart);
  const key = parts.pop();
  if (key === undefined) throw new PatchRefused(REJECTED);
  let holder: JsonObject | Json[] = document;
  for (const part of parts) {
    const next: Json | undefined = readAt({ holder, key: part });
    if (typeof next !== 'object' || next === null) throw new PatchRefused(REJECTED);
    holder = next;
  }
  return { holder, key };
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

/** `__proto__` becomes a field like any other. */
function setField(object: JsonObject, name: string, value: Json): void {
  Object.defineProperty(object, name, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  });
}

/** Of `end` places; a negative index counts back from there. */
function indexOf(key: string, end: number): number {
  if (!/^[+-]?\d+$/.test(key)) throw new PatchRefused(REJECTED);
  const index = Number(key) < 0 ? Number(key) + end : Number(key);
  if (index < 0 || index >= end) throw new PatchRefused(REJECTED);
  return index;
}

/** In one pass: `~01` stands for `~1`. */
function decodePart(part: string): string {
  return part.replaceAll(/~[01]/g, (code) => (code === '~1' ? '/' : '~'));
}
