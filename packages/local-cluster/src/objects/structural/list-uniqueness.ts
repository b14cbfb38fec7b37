/** The promise of x-kubernetes-list-type: no item twice in a set, no key twice in a map. */
import type { Json, JsonObject } from '../../../../../src/kube/object.ts';
import type { FieldError } from '../field-error.ts';
import { duplicate, invalid } from '../field-errors.ts';
import { isJsonObject, ownField } from '../patch/json-value.ts';
import { additionalSchema, type Schema } from './schema.ts';

export function validateLists(value: Json, schema: Schema | null, path: string): FieldError[] {
  if (schema === null) return [];
  if (Array.isArray(value)) {
    return [
      ...duplicates(value, schema, path),
      ...value.flatMap((item, index) => validateLists(item, schema.items, `${path}[${index}]`)),
    ];
  }
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, field]) => {
    const property = schema.properties.get(name);
    if (property !== undefined) return validateLists(field, property, join(path, name));
    return validateLists(field, additionalSchema(schema), `${path}[${name}]`);
  });
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function duplicates(items: Json[], { listType, mapKeys }: Schema, path: string): FieldError[] {
  if (listType === 'set') return repeated(items, path, (item) => item);
  if (listType !== 'map') return [];
  const wrong = items.findIndex((item) => item !== null && !isJsonObject(item));
  if (wrong >= 0) {
    const detail = 'must be an object for an array of list-type map';
    return [invalid(`${path}[${wrong}]`, items[wrong], detail)];
  }
  return repeated(items, path, (item) => keysOf(item, mapKeys));
}

function keysOf(item: Json, mapKeys: readonly string[]): JsonObject {
  if (!isJsonObject(item)) return {};
  return Object.fromEntries(
    mapKeys.flatMap((key): [string, Json][] => {
      const value = ownField(item, key);
      return value === undefined ? [] : [[key, value]];
    }),
  );
}

/** Each value that comes again is reported once, where it comes the second time. */
function repeated(items: Json[], path: string, identity: (item: Json) => Json): FieldError[] {
  const seen = new Map<string, number>();
  return items.flatMap((item, index) => {
    const value = identity(item);
    const key = canonicalText(value);
    const times = (seen.get(key) ?? 0) + 1;
    seen.set(key, times);
    return times === 2 ? [duplicate(`${path}[${index}]`, value)] : [];
  });
}

/** The same text for equal values, whatever the order of their fields. */
function canonicalText(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const fields = Object.keys(value).toSorted();
  return `{${fields.map((name) => `${JSON.stringify(name)}:${canonicalText(value[name] ?? null)}`).join(',')}}`;
}
