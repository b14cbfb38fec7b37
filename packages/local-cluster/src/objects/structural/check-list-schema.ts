/** The list extensions of a schema: x-kubernetes-list-type and x-kubernetes-list-map-keys. */
import type { FieldError } from '../field-error.ts';
import { forbidden, invalid, notSupported, required } from '../field-errors.ts';
import type { Schema } from './schema.ts';

const LIST_TYPES = ['atomic', 'set', 'map'];

export function checkListSchema(schema: Schema, at: string): FieldError[] {
  return [
    ...checkKind(schema, at),
    ...checkKeysBelong(schema, at),
    ...checkItemsPresent(schema, at),
    ...(schema.listType === 'set' && schema.type === 'array' ? checkSet(schema, at) : []),
    ...(schema.listType === 'map' ? checkMap(schema, at) : []),
  ];
}

function checkKind({ listType, type }: Schema, at: string): FieldError[] {
  if (listType === '') return [];
  const errors: FieldError[] = [];
  if (type !== 'array') {
    const detail = 'must be array if x-kubernetes-list-type is specified';
    errors.push(type === '' ? required(`${at}.type`, detail) : invalid(`${at}.type`, type, detail));
  }
  if (!LIST_TYPES.includes(listType)) {
    errors.push(notSupported(`${at}.x-kubernetes-list-type`, listType, LIST_TYPES));
  }
  return errors;
}

function checkKeysBelong({ listType, mapKeys }: Schema, at: string): FieldError[] {
  if (mapKeys.length === 0 || listType === 'map') return [];
  const field = `${at}.x-kubernetes-list-type`;
  const detail = 'must be map if x-kubernetes-list-map-keys is non-empty';
  return [listType === '' ? required(field, detail) : invalid(field, listType, detail)];
}

function checkItemsPresent({ listType, items }: Schema, at: string): FieldError[] {
  if (items?.nullable !== true || (listType !== 'set' && listType !== 'map')) return [];
  const detail = `cannot be nullable when x-kubernetes-list-type is ${listType}`;
  return [forbidden(`${at}.items.nullable`, detail)];
}

/** Items of a set have one owner each. */
function checkSet({ items }: Schema, at: string): FieldError[] {
  const detail = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  if (items?.type === 'array' && items.listType !== '' && items.listType !== 'atomic') {
    return [invalid(`${at}.items.x-kubernetes-list-type`, items.listType, detail)];
  }
  if (items?.type === 'object' && items.mapType !== 'atomic') {
    return [invalid(`${at}.items.x-kubernetes-map-type`, items.mapType || null, detail)];
  }
  return [];
}

function checkMap({ items, mapKeys }: Schema, at: string): FieldError[] {
  const field = `${at}.x-kubernetes-list-map-keys`;
  if (items === null) {
    const detail = 'must have a schema if x-kubernetes-list-type is map';
    return [required(`${at}.items`, detail)];
  }
  if (mapKeys.length === 0) {
    return [required(field, 'must not be empty if x-kubernetes-list-type is map')];
  }
  if (items.type !== 'object') {
    const detail = `must be object if parent array's x-kubernetes-list-type is map`;
    return [invalid(`${at}.items.type`, items.type, detail)];
  }
  const errors = mapKeys.flatMap((key) => checkKey(items, key, at));
  if (mapKeys.some((key) => !items.properties.has(key))) {
    errors.push(invalid(field, [...mapKeys], 'entries must all be names of item properties'));
  }
  if (new Set(mapKeys).size < mapKeys.length) {
    errors.push(invalid(field, [...mapKeys], 'must not contain duplicate entries'));
  }
  return errors;
}

function checkKey(items: Schema, key: string, at: string): FieldError[] {
  const property = items.properties.get(key);
  if (property === undefined) return [];
  const field = `${at}.items.properties[${key}]`;
  if (property.type === 'array' || property.type === 'object') {
    const detail = `must be a scalar type if parent array's x-kubernetes-list-type is map`;
    return [invalid(`${field}.type`, items.type, detail)];
  }
  if (property.default !== undefined || items.required.includes(key)) {
    return property.nullable
      ? [
          forbidden(
            `${field}.nullable`,
            'this property is in x-kubernetes-list-map-keys, so it cannot be nullable',
          ),
        ]
      : [];
  }
  const detail =
    'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property';
  return [required(`${field}.default`, detail)];
}
