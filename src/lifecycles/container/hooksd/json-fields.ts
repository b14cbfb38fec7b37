/**
 * Decodes JSON values into fields exactly by the rules of Go's `encoding/json`, because they decide
 * the meaning of a hooks.d file:
 * - keys match case-insensitively, by Unicode simple folding; unknown keys are ignored;
 * - of duplicates the last one wins, but objects and maps merge, and a `null` list item keeps the text
 *   that an earlier duplicate had at this index (else it is "");
 * - `null` leaves objects and required text unchanged, and unsets everything else;
 * - a value of the wrong type is an error even if a later duplicate is right.
 */
import type { Position, Problem } from '../../../model/problem.ts';
import type { JsonObject, JsonValue } from './json-text.ts';

/** Collects the results of decoding one file. */
export interface Decoder {
  readonly locate: (offset: number) => Position;
  readonly problems: Problem[];
  /** The position of each part, by its path. */
  readonly positions: Record<string, Position>;
}

/** All values given for one name, in the order of the file. */
export interface Field {
  readonly path: string;
  readonly values: readonly JsonValue[];
}

export function fieldOf(objects: readonly JsonObject[], key: string, path: string): Field {
  const members = objects.flatMap((object) => object.members);
  return {
    path,
    values: members.filter((member) => foldKey(member.key) === key).map(({ value }) => value),
  };
}

/** Lower case, by simple folding. Outside of ASCII only two letters fold to one of our keys' letters. */
export function foldKey(key: string): string {
  return key
    .replaceAll('\u{212A}', 'k')
    .replaceAll('\u{17F}', 's')
    .replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** The objects that were given for one field. Go merges them into one struct. */
export function readObjects(decoder: Decoder, field: Field): JsonObject[] {
  const objects: JsonObject[] = [];
  for (const value of field.values) {
    if (value.kind === 'object') {
      objects.push(value);
      mark(decoder, field.path, value);
    } else if (value.kind !== 'null') wrongType(decoder, { path: field.path, value }, 'an object');
  }
  return objects;
}

/** Reads a text. `null` leaves the earlier text unchanged. The result is "" if no text was given. */
export function readText(decoder: Decoder, field: Field): string {
  const given = { ...field, values: field.values.filter(({ kind }) => kind !== 'null') };
  return readOptionalText(decoder, given) ?? '';
}

export function readOptionalText(decoder: Decoder, field: Field): string | undefined {
  return readLast(decoder, field, {
    expected: 'a string',
    read: (value) => (value.kind === 'string' ? value.text : undefined),
  });
}

export function readOptionalBoolean(decoder: Decoder, field: Field): boolean | undefined {
  return readLast(decoder, field, {
    expected: 'true or false',
    read: (value) => (value.kind === 'boolean' ? value.value : undefined),
  });
}

/** The literal must be an integer: 1.0 and 1e0 are not. The caller checks its range. */
export function readOptionalInteger(decoder: Decoder, field: Field): number | undefined {
  return readLast(decoder, field, {
    expected: 'an integer of 64 bits',
    read: (value) =>
      value.kind === 'number' && isInteger64(value.text) ? Number(value.text) : undefined,
  });
}

function isInteger64(text: string): boolean {
  return /^-?\d+$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text);
}

interface Scalar<T> {
  readonly expected: string;
  readonly read: (value: JsonValue) => T | undefined;
}

function readLast<T>(decoder: Decoder, field: Field, { expected, read }: Scalar<T>): T | undefined {
  let last: T | undefined;
  for (const value of field.values) {
    const found = read(value);
    if (found !== undefined || value.kind === 'null') last = found;
    else wrongType(decoder, { path: field.path, value }, expected);
    mark(decoder, field.path, value);
  }
  return last;
}

export function readTextList(decoder: Decoder, field: Field): string[] | undefined {
  // Items of earlier duplicates are kept, even those beyond the current length, as in a slice of Go.
  let slots: string[] = [];
  let length: number | undefined;
  for (const value of field.values) {
    if (value.kind === 'null') {
      slots = [];
      length = undefined;
    } else if (value.kind === 'array') {
      mark(decoder, field.path, value);
      length = value.items.length;
      if (length === 0) slots = [];
      value.items.forEach((item, index) => {
        const path = `${field.path}[${index}]`;
        mark(decoder, path, item);
        slots[index] = readItem(decoder, { path, value: item }, slots[index] ?? '');
      });
    } else wrongType(decoder, { path: field.path, value }, 'a list of strings');
  }
  return length === undefined ? undefined : slots.slice(0, length);
}

/**
 * Reads a map of texts as pairs. Keys keep their case and their order; the paths of a pair are `PATH[i].key` and
 * `PATH[i].value`.
 */
export function readTextMap(
  decoder: Decoder,
  field: Field,
): { key: string; value: string }[] | undefined {
  let map: Map<string, string> | undefined;
  for (const value of field.values) {
    if (value.kind === 'null') map = undefined;
    else if (value.kind === 'object') {
      map ??= new Map<string, string>();
      mark(decoder, field.path, value);
      for (const member of value.members) {
        const index = map.has(member.key) ? [...map.keys()].indexOf(member.key) : map.size;
        const path = `${field.path}[${index}]`;
        decoder.positions[`${path}.key`] = decoder.locate(member.at);
        mark(decoder, `${path}.value`, member.value);
        map.set(member.key, readItem(decoder, { path: `${path}.value`, value: member.value }, ''));
      }
    } else wrongType(decoder, { path: field.path, value }, 'an object of strings');
  }
  return map === undefined ? undefined : [...map].map(([key, value]) => ({ key, value }));
}

interface Place {
  readonly path: string;
  readonly value: JsonValue;
}

function readItem(decoder: Decoder, place: Place, before: string): string {
  if (place.value.kind === 'string') return place.value.text;
  if (place.value.kind !== 'null') wrongType(decoder, place, 'a string');
  return before;
}

function mark(decoder: Decoder, path: string, value: JsonValue): void {
  decoder.positions[path] = decoder.locate(value.at);
}

function wrongType(decoder: Decoder, { path, value }: Place, expected: string): void {
  decoder.problems.push({
    code: 'LHC102',
    severity: 'error',
    message: `${path === '' ? 'The file' : path} must be ${expected}, but is ${nameOf(value)}.`,
    at: decoder.locate(value.at),
    next: `Write ${expected} here, or remove the key.`,
  });
}

function nameOf(value: JsonValue): string {
  if (value.kind === 'string') return `the string ${JSON.stringify(value.text)}`;
  if (value.kind === 'number') return `the number ${value.text}`;
  if (value.kind === 'boolean') return `${value.value}`;
  return { object: 'an object', array: 'a list', null: 'null' }[value.kind];
}
