/**
 * Checks a custom resource against its schema, with the words of a real API server. A part that an update
 * leaves as it was is not checked again (ratcheting), so a schema can become stricter over old objects.
 */
import type { Json, JsonObject } from '../../../../../src/kube/object.ts';
import type { Compile } from '../../../../../src/model/pattern.ts';
import type { FieldError } from '../field-error.ts';
import { isJsonObject, jsonEqual, ownField } from '../patch/json-value.ts';
import { additionalSchema, type Schema } from './schema.ts';
import { validateChoices } from './validate-choices.ts';
import { validateScalar } from './validate-scalar.ts';
import { validateType } from './validate-type.ts';
import { fieldOf, merged, PASSED, verdict, type Verdict } from './verdict.ts';

export interface Place {
  /** `spec.replicas`; the root is ''. */
  readonly path: string;
  /** What stood there before; undefined on create, and where old and new can't be told to be the same. */
  readonly old: Json | undefined;
  readonly patterns: Compile;
}

export function validateValue(value: Json, schema: Schema, place: Place): Verdict {
  if (place.old !== undefined && jsonEqual(value, place.old)) return PASSED;
  const type = verdict(validateType(value, schema, place.path));
  const choice = verdict(validateEnum(value, schema, place.path));
  if (value === null) return merged([type, choice]);
  return merged([
    type,
    validateChoices(schema, place.path, (one) =>
      validateValue(value, one, { ...place, old: undefined }),
    ),
    verdict(validateScalar(value, schema, place)),
    ...(Array.isArray(value) ? [validateList(value, schema, place)] : []),
    choice,
    ...(isJsonObject(value) ? [validateObject(value, schema, place)] : []),
  ]);
}

function validateEnum(value: Json, schema: Schema, path: string): FieldError[] {
  if (schema.enum === null || schema.enum.some((one) => jsonEqual(one, value))) return [];
  const names = schema.enum.map((one) =>
    JSON.stringify(typeof one === 'string' ? one : JSON.stringify(one)),
  );
  const detail = `supported values: ${names.join(', ')}`;
  return [{ type: 'NotSupported', field: fieldOf(path), value, detail }];
}

function validateList(items: Json[], schema: Schema, place: Place): Verdict {
  const { path } = place;
  const { minItems = 0, maxItems = Infinity } = schema.limits;
  const size: FieldError[] = [];
  if (items.length < minItems) {
    const detail = `${path} in body should have at least ${minItems} items`;
    size.push({ type: 'Invalid', field: fieldOf(path), value: items.length, detail });
  }
  if (items.length > maxItems) size.push(tooMany(path, items.length, maxItems));
  const one = schema.items;
  if (one === null) return verdict(size);
  const olds = correlated(items, schema, place.old);
  return merged([
    ...items.map((item, index) =>
      validateValue(item, one, { ...place, path: `${path}[${index}]`, old: olds[index] }),
    ),
    verdict(size),
  ]);
}

/** Each item's former self: known only in lists whose items have keys. */
function correlated(items: Json[], schema: Schema, old: Json | undefined): (Json | undefined)[] {
  if (schema.listType !== 'map' || !Array.isArray(old)) return [];
  const keyOf = (item: Json): string =>
    JSON.stringify(
      isJsonObject(item) ? schema.mapKeys.map((key) => ownField(item, key) ?? null) : item,
    );
  const byKey = new Map(old.map((item) => [keyOf(item), item]));
  return items.map((item) => byKey.get(keyOf(item)));
}

function validateObject(value: JsonObject, schema: Schema, place: Place): Verdict {
  const { path } = place;
  const old = place.old !== undefined && isJsonObject(place.old) ? place.old : {};
  const inner = (name: string): Place => ({
    ...place,
    path: path === '' ? name : `${path}.${name}`,
    old: ownField(old, name),
  });
  const additional = additionalSchema(schema);
  const fields = Object.entries(value).flatMap(([name, field]) => {
    const one = schema.properties.get(name) ?? additional;
    return one === null ? [] : [validateValue(field, one, inner(name))];
  });
  const missing = schema.required
    .filter((name) => !Object.hasOwn(value, name))
    .map((name): FieldError => ({ type: 'Required', field: inner(name).path, detail: '' }));
  return merged([verdict(objectSize(value, schema, path)), ...fields, verdict(missing)]);
}

function objectSize(value: JsonObject, schema: Schema, path: string): FieldError[] {
  const size = Object.keys(value).length;
  const { minProperties = 0, maxProperties = Infinity } = schema.limits;
  if (size > maxProperties) return [tooMany(path, size, maxProperties)];
  if (size >= minProperties) return [];
  const detail = `${path} in body should have at least ${minProperties} properties`;
  return [{ type: 'Invalid', field: fieldOf(path), value: size, detail }];
}

function tooMany(path: string, value: number, max: number): FieldError {
  const detail = `must have at most ${max} ${max === 1 ? 'item' : 'items'}`;
  return { type: 'TooMany', field: fieldOf(path), value, detail };
}
