/**
 * Applies a JSON patch (RFC 6902) as the API server does: all operations or none. It is as lenient as the server:
 * `replace` and `copy` treat a missing field as null, a negative index counts from the end, and a path may omit its
 * first slash.
 */
import type { Json, JsonObject } from '../../../../../src/kube/object.ts';
import { isJsonObject, isTooDeep, jsonEqual, ownField } from './json-value.ts';
import {
  cannotUnmarshal,
  patchFailure,
  PatchRefused,
  type PatchResult,
  REJECTED,
  resultOf,
} from './patch-result.ts';

/** Maximum number of operations of one patch. */
export const MAX_OPERATIONS = 10_000;

/** Maximum number of bytes of JSON that all `copy` operations of one patch may copy. */
export const MAX_COPIED_BYTES = 3_145_728;

/** How far a patch was applied. */
export interface PatchProgress {
  /** Number of operations that were applied. */
  applied: number;
  /** Number of bytes of JSON that the `copy` operations have copied, or would have. */
  copiedBytes: number;
}

interface Work extends Draft {
  readonly progress: PatchProgress;
}

/**
 * Applies a JSON patch to a document. `progress`: is updated after each operation, for a caller that reports which one
 * did not apply.
 */
export function applyJsonPatch(
  document: JsonObject,
  patch: Json,
  progress: PatchProgress = { applied: 0, copiedBytes: 0 },
): PatchResult {
  if (!Array.isArray(patch)) return applyNonList(document, patch);
  const stray = patch.find((operation) => operation !== null && !isJsonObject(operation));
  if (stray !== undefined) return undecodable(stray, 'handlers.jsonPatchOp');
  if (patch.length > MAX_OPERATIONS) {
    return patchFailure(
      413,
      `The allowed maximum operations in a JSON patch is ${MAX_OPERATIONS}, got ${patch.length}`,
    );
  }
  if (isTooDeep(patch)) return REJECTED;
  return resultOf(() => {
    const work: Work = { document, own: new Set(), progress };
    for (const operation of patch) {
      apply(work, operation);
      progress.applied += 1;
    }
    if (isTooDeep(work.document)) throw new PatchRefused(REJECTED);
    return work.document;
  });
}

/** Applies a patch that is no list: null has no operations, and anything else cannot be decoded. */
function applyNonList(document: JsonObject, patch: Json): PatchResult {
  return patch === null
    ? { kind: 'patched', object: document }
    : undecodable(patch, '[]handlers.jsonPatchOp');
}

function undecodable(received: Json, wanted: string): PatchResult {
  return patchFailure(400, `error decoding patch: ${cannotUnmarshal(received, wanted)}`);
}

type Operation = (work: Work, operation: JsonObject) => void;

const OPERATIONS: ReadonlyMap<Json | undefined, Operation> = new Map<string, Operation>([
  [
    'add',
    (work, operation) => {
      addAt(openAt(work, textOf(operation, 'path')), valueOf(operation));
    },
  ],
  [
    'remove',
    (work, operation) => {
      removeAt(openAt(work, textOf(operation, 'path')));
    },
  ],
  ['replace', replace],
  ['move', move],
  ['copy', copy],
  ['test', test],
]);

function apply(work: Work, operation: Json): void {
  const run = isJsonObject(operation) ? OPERATIONS.get(ownField(operation, 'op')) : undefined;
  if (run === undefined || !isJsonObject(operation)) throw new PatchRefused(REJECTED);
  run(work, operation);
}

function textOf(operation: JsonObject, name: 'path' | 'from'): string {
  const text = ownField(operation, name);
  if (typeof text !== 'string') throw new PatchRefused(REJECTED);
  return text;
}

function valueOf(operation: JsonObject): Json {
  return ownField(operation, 'value') ?? null;
}

function replace(work: Work, operation: JsonObject): void {
  const path = textOf(operation, 'path');
  const value = valueOf(operation);
  if (path !== '') {
    replaceAt(openAt(work, path), value);
    return;
  }
  if (!isJsonObject(value)) throw new PatchRefused(REJECTED);
  work.document = value;
}

function move(work: Work, operation: JsonObject): void {
  const source = openAt(work, textOf(operation, 'from'));
  const value = readAt(source);
  removeAt(source);
  // `removeAt` has already refused a missing value, so `value` exists.
  addAt(openAt(work, textOf(operation, 'path')), value ?? null);
}

function copy(work: Work, operation: JsonObject): void {
  const value = readAt(placeAt(work, textOf(operation, 'from'))) ?? null;
  const target = openAt(work, textOf(operation, 'path'));
  if (isTooDeep(value)) throw new PatchRefused(REJECTED);
  const text = JSON.stringify(value);
  work.progress.copiedBytes += new TextEncoder().encode(text).length;
  if (work.progress.copiedBytes > MAX_COPIED_BYTES) throw new PatchRefused(REJECTED);
  addAt(target, JSON.parse(text) as Json);
}

/** Compares a value; a missing field equals null. */
function test(work: Work, operation: JsonObject): void {
  const path = textOf(operation, 'path');
  const value = ownField(operation, 'value') ?? null;
  const found = path === '' ? work.document : readAt(placeAt(work, path));
  if (!jsonEqual(found ?? null, value)) throw new PatchRefused(REJECTED);
}

/**
 * A location in a JSON document (a pointer of RFC 6901): the object or list that contains the value, and its key there.
 */
interface Place {
  readonly holder: JsonObject | Json[];
  readonly key: string;
}

/**
 * A document that a patch changes. Only objects and lists on the path of a change are copied; all others are shared.
 */
interface Draft {
  document: JsonObject;
  /** Objects and lists that were copied, so that they may be changed. */
  readonly own: Set<Json>;
}

/** Finds a location for reading. */
function placeAt({ document }: Draft, pointer: string): Place {
  const { parts, key } = partsOf(pointer);
  let holder: JsonObject | Json[] = document;
  for (const part of parts) holder = containerIn({ holder, key: part });
  return { holder, key };
}

/** Finds a location for a change, and copies the objects and lists on its path. */
function openAt(draft: Draft, pointer: string): Place {
  const { parts, key } = partsOf(pointer);
  draft.document = owned(draft, draft.document);
  let holder: JsonObject | Json[] = draft.document;
  for (const part of parts) {
    const place: Place = { holder, key: part };
    holder = owned(draft, containerIn(place));
    replaceAt(place, holder);
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
  const copied = Array.isArray(container) ? [...container] : { ...container };
  own.add(copied);
  return copied;
}

/** Reads the value; undefined if the object does not have the field. Throws if the list does not have the index. */
function readAt({ holder, key }: Place): Json | undefined {
  return Array.isArray(holder) ? holder[indexOf(key, holder.length)] : ownField(holder, key);
}

function addAt({ holder, key }: Place, value: Json): void {
  if (!Array.isArray(holder)) setField(holder, key, value);
  else if (key === '-') holder.push(value);
  else holder.splice(indexOf(key, holder.length + 1), 0, value);
}

function replaceAt({ holder, key }: Place, value: Json): void {
  if (isJsonObject(holder)) setField(holder, key, value);
  else holder[indexOf(key, holder.length)] = value;
}

function removeAt({ holder, key }: Place): void {
  if (Array.isArray(holder)) holder.splice(indexOf(key, holder.length), 1);
  else if (Object.hasOwn(holder, key)) delete holder[key];
  else throw new PatchRefused(REJECTED);
}

/** Sets a field; `__proto__` is an ordinary name here. */
function setField(object: JsonObject, name: string, value: Json): void {
  Object.defineProperty(object, name, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  });
}

/** Index in a list of length `end`; a negative one counts from the end. Throws if it is out of range. */
function indexOf(key: string, end: number): number {
  if (!/^[+-]?\d+$/.test(key)) throw new PatchRefused(REJECTED);
  const index = Number(key) < 0 ? Number(key) + end : Number(key);
  if (index < 0 || index >= end) throw new PatchRefused(REJECTED);
  return index;
}

/** Replaces both escapes in one pass, so that `~01` becomes `~1` and not `/`. */
function decodePart(part: string): string {
  return part.replaceAll(/~[01]/g, (code) => (code === '~1' ? '/' : '~'));
}
