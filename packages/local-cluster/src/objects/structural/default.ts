/**
 * Fills in what a custom resource leaves out: nulls that may not be null go (or become the default), then
 * missing fields get theirs, inside of defaults too. Returns a new value; the given one stays as it is.
 */
import type { Json } from '../../../../../src/kube/object.ts';
import { isJsonObject } from '../patch/json-value.ts';
import { additionalSchema, type Schema } from './schema.ts';

export function applyDefaults(value: Json, schema: Schema | null): Json {
  if (schema === null) return value;
  if (Array.isArray(value)) {
    const { items } = schema;
    return value.map((item) => applyDefaults(defaulted(item, items) ?? null, items));
  }
  if (!isJsonObject(value)) return value;
  const fields = new Map(Object.entries(value));
  for (const [name, property] of schema.properties) {
    if (!fields.has(name) && property.default !== undefined) fields.set(name, property.default);
  }
  const filled = [...fields].flatMap(([name, field]): [string, Json][] => {
    const one = schema.properties.get(name) ?? additionalSchema(schema);
    const kept = defaulted(field, one);
    return kept === undefined ? [] : [[name, applyDefaults(kept, one)]];
  });
  // Not by assignment: a field may be called __proto__.
  return Object.fromEntries(filled);
}

/** Undefined: a null that may not be one, and that has no default. */
function defaulted(value: Json, schema: Schema | null): Json | undefined {
  if (value !== null || schema === null || schema.nullable) return value;
  return schema.default;
}
