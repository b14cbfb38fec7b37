/**
 * Finds fields that stand twice in one object of a JSON text. JSON.parse keeps the last of them without a
 * word, and a strict API server refuses them. The text must be JSON already: this only follows its marks.
 */
import type { Json } from '../../../../src/kube/object.ts';

interface Open {
  /** Of an object: the names seen. Null: a list. */
  readonly names: Set<string> | null;
  readonly path: string;
  /** The name of the value that comes now, or its index. */
  current: string;
  index: number;
  /** A string that comes now is a name. */
  expectsName: boolean;
}

/** More than these are not listed. */
const DUPLICATES_MAX = 100;
/** A string, or a mark that opens, closes or parts; all else are values of no interest. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],]/g;

/** Ends each name; it can also be part of a string, where the quote is escaped. */
const NAME_END = /"\s*:/g;

/** `spec.replicas`, `spec.containers[0].image`, in the order of the text. `value`: what JSON.parse read from it. */
export function duplicateFields(text: string, value: Json): readonly string[] {
  // With a duplicate, the text has more names than the value has fields. Following the marks takes four times as long.
  if ((text.match(NAME_END)?.length ?? 0) === fieldCount(value)) return [];
  const found: string[] = [];
  const open: Open[] = [];
  for (const [token] of text.matchAll(TOKEN)) {
    const inner = open.at(-1);
    if (token === '{' || token === '[') open.push(opened(token, pathOf(inner)));
    else if (token === '}' || token === ']') open.pop();
    else if (inner !== undefined) read(token, inner, found);
  }
  return found;
}

function fieldCount(value: Json): number {
  if (typeof value !== 'object' || value === null) return 0;
  const parts = Object.values(value);
  let count = Array.isArray(value) ? 0 : parts.length;
  for (const part of parts) count += fieldCount(part);
  return count;
}

function opened(token: '{' | '[', path: string): Open {
  const names = token === '{' ? new Set<string>() : null;
  return { names, path, current: '', index: 0, expectsName: names !== null };
}

function read(token: string, inner: Open, found: string[]): void {
  if (token === ',') {
    inner.index += 1;
    inner.expectsName = inner.names !== null;
  } else if (inner.expectsName && token.startsWith('"')) {
    inner.expectsName = false;
    enter(inner, JSON.parse(token) as string, found);
  }
}

function enter(object: Open, name: string, found: string[]): void {
  object.current = name;
  if (object.names?.has(name) === true && found.length < DUPLICATES_MAX) {
    const path = pathOf(object);
    if (!found.includes(path)) found.push(path);
  }
  object.names?.add(name);
}

/** Of the value that comes now. */
function pathOf(outer: Open | undefined): string {
  if (outer === undefined) return '';
  if (outer.names === null) return `${outer.path}[${outer.index}]`;
  return outer.path === '' ? outer.current : `${outer.path}.${outer.current}`;
}
