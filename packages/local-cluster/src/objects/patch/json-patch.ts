/**
 * JSON patch (RFC 6902) as the API server applies it: all operations or none. It is as lenient as the server: `replace`
 * and `copy` treat a missing field as null, negative indexes count from the end, and a path may omit its first slash.
 */
import type { Json, JsonObject } from '../../../../../src/kube/object.ts';
import { cannotUnmarshal } from './go-text.ts';
import { addAt, type Draft, openAt, placeAt, readAt, removeAt, replaceAt } from './json-pointer.ts';
import { isJsonObject, isTooDeep, jsonEqual, ownField } from './json-value.ts';
import {
  PatchRefused,
  patchFailure,
  type PatchResult,
  REJECTED,
  resultOf,
} from './patch-result.ts';

/** The most operations of one patch. */
export const MAX_OPERATIONS = 10_000;

/** The largest total size of all `copy` operations of one patch, bytes of JSON. */
export const MAX_COPIED_BYTES = 3_145_728;

interface Work extends Draft {
  copiedBytes: number;
}

export function applyJsonPatch(document: JsonObject, patch: Json): PatchResult {
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
    const work: Work = { document, own: new Set(), copiedBytes: 0 };
    for (const operation of patch) apply(work, operation);
    if (isTooDeep(work.document)) throw new PatchRefused(REJECTED);
    return work.document;
  });
}

/** Null decodes to a patch without operations. */
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
  // Removing has already refused a missing value.
  addAt(openAt(work, textOf(operation, 'path')), value ?? null);
}

function copy(work: Work, operation: JsonObject): void {
  const value = readAt(placeAt(work, textOf(operation, 'from'))) ?? null;
  const target = openAt(work, textOf(operation, 'path'));
  if (isTooDeep(value)) throw new PatchRefused(REJECTED);
  const text = JSON.stringify(value);
  work.copiedBytes += new TextEncoder().encode(text).length;
  if (work.copiedBytes > MAX_COPIED_BYTES) throw new PatchRefused(REJECTED);
  addAt(target, JSON.parse(text) as Json);
}

/** A missing field equals null. */
function test(work: Work, operation: JsonObject): void {
  const path = textOf(operation, 'path');
  const value = ownField(operation, 'value') ?? null;
  const found = path === '' ? work.document : readAt(placeAt(work, path));
  if (!jsonEqual(found ?? null, value)) throw new PatchRefused(REJECTED);
}
