import type { Json, JsonObject } from '../../../../../src/kube/object.ts';
import { receivedWord } from '../decode-scalar.ts';

/**
 * The result of a patch. Neither the document nor the patch is changed. The new object shares unchanged parts with
 * both.
 */
export type PatchResult = { readonly kind: 'patched'; readonly object: JsonObject } | PatchFailure;

export interface PatchFailure {
  readonly kind: 'failed';
  /** Code of a real API server, such as 413 for too many operations, or 500 for a list item without its merge key. */
  readonly code: 400 | 413 | 415 | 422 | 500;
  readonly message: string;
}

/** The error of a real server for a well-formed patch that does not fit the object. It has no further details. */
export const REJECTED: PatchFailure = {
  kind: 'failed',
  code: 422,
  message: 'the server rejected our request due to an error in our request',
};

export function patchFailure(code: PatchFailure['code'], message: string): PatchFailure {
  return { kind: 'failed', code, message };
}

/** Thrown by nested functions, and caught by `resultOf`: it never leaves this directory. */
export class PatchRefused extends Error {
  readonly failure: PatchFailure;

  constructor(failure: PatchFailure) {
    super(failure.message);
    this.failure = failure;
  }
}

export function resultOf(make: () => JsonObject): PatchResult {
  try {
    return { kind: 'patched', object: make() };
  } catch (error) {
    if (error instanceof PatchRefused) return error.failure;
    throw error;
  }
}

/** A value in Go's default format (`%v`), such as `map[image:busybox ports:[80 81]]`. */
export function goText(value: Json): string {
  if (value === null) return '<nil>';
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
  const fields = Object.keys(value).toSorted();
  return `map[${fields.map((name) => `${name}:${goText(value[name] ?? null)}`).join(' ')}]`;
}

/** A value in Go syntax (`%#v`), such as `map[string]interface {}{"a":1}`. */
export function goSyntax(value: Json): string {
  if (value === null) return 'interface {}(nil)';
  if (typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `${goType(value)}{${value.map(goSyntax).join(', ')}}`;
  const fields = Object.keys(value).toSorted();
  const texts = fields.map((name) => `${JSON.stringify(name)}:${goSyntax(value[name] ?? null)}`);
  return `${goType(value)}{${texts.join(', ')}}`;
}

export function goType(value: Json): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  if (typeof value === 'object') return 'map[string]interface {}';
  if (typeof value === 'number') return isInt64(value) ? 'int64' : 'float64';
  return typeof value === 'boolean' ? 'bool' : 'string';
}

/** 2^63 counts too, for the reason given at `isInteger64`. */
function isInt64(value: number): boolean {
  return Number.isInteger(value) && Math.abs(value) <= 2 ** 63;
}

export function cannotUnmarshal(received: Json, type: string): string {
  return `json: cannot unmarshal ${receivedWord(received)} into Go value of type ${type}`;
}
