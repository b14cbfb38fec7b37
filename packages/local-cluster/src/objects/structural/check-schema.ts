/** Checks each part of a schema by itself. `check-structure.ts` checks how the parts fit together. */
import type { Compile } from '../../../../../src/model/pattern.ts';
import { type FieldError, forbidden, invalid, notSupported, required } from '../field-error.ts';
import { checkRuleTexts } from './check-rules.ts';
import { additionalSchema, type Schema } from './schema.ts';

const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const META_FIELDS = ['metadata', 'kind', 'apiVersion'];

interface Context {
  readonly patterns: Compile;
  /** Reason why defaults are not allowed here; null if they are allowed. */
  readonly noDefaults: string | null;
  readonly root: boolean;
}

export function checkSchema(schema: Schema, at: string, patterns: Compile): FieldError[] {
  return check(schema, at, { patterns, noDefaults: null, root: true });
}

function check(schema: Schema, at: string, context: Context): FieldError[] {
  return [
    ...checkSupported(schema, at, context),
    ...checkOwn(schema, at, context.patterns),
    ...checkListSchema(schema, at),
    ...checkRuleTexts(schema, at),
    ...checkInner(schema, at, { ...context, root: false }),
    ...[...schema.properties].flatMap(([name, one]) => {
      const ofMeta = context.root && META_FIELDS.includes(name);
      const noDefaults = ofMeta ? `in top-level ${name}` : context.noDefaults;
      return check(one, `${at}.properties[${name}]`, { ...context, root: false, noDefaults });
    }),
  ];
}

function checkInner(schema: Schema, at: string, context: Context): FieldError[] {
  const additional = additionalSchema(schema);
  const listed = (['allOf', 'oneOf', 'anyOf'] as const).flatMap((name) =>
    schema[name].flatMap((one, index) => check(one, `${at}.${name}[${index}]`, context)),
  );
  return [
    ...(additional === null ? [] : check(additional, `${at}.additionalProperties`, context)),
    ...(schema.not === null ? [] : check(schema.not, `${at}.not`, context)),
    ...listed,
    ...(schema.items === null ? [] : check(schema.items, `${at}.items`, context)),
  ];
}

function checkSupported(schema: Schema, at: string, { noDefaults }: Context): FieldError[] {
  const errors = schema.unsupported.map((name) =>
    forbidden(`${at}.${name}`, `${name} is not supported`),
  );
  if (schema.type === 'null') {
    const detail = 'type cannot be set to null, use nullable as an alternative';
    errors.push(forbidden(`${at}.type`, detail));
  } else if (schema.type !== '' && !TYPES.includes(schema.type)) {
    errors.push(notSupported(`${at}.type`, schema.type, TYPES));
  }
  if (schema.default !== undefined && noDefaults !== null) {
    errors.push(forbidden(`${at}.default`, `must not be set ${noDefaults}`));
  }
  return errors;
}

function checkOwn(schema: Schema, at: string, patterns: Compile): FieldError[] {
  const errors: FieldError[] = [];
  if (schema.uniqueItems) {
    const detail =
      'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
    errors.push(forbidden(`${at}.uniqueItems`, detail));
  }
  if (schema.properties.size > 0 && schema.additional !== null && schema.additional !== true) {
    const detail = 'additionalProperties and properties are mutual exclusive';
    errors.push(forbidden(`${at}.additionalProperties`, detail));
  }
  if (schema.preserveUnknown === false) {
    const field = `${at}.x-kubernetes-preserve-unknown-fields`;
    errors.push(invalid(field, false, 'must be true or undefined'));
  }
  return [...errors, ...checkPattern(schema, at, patterns), ...checkMapType(schema, at)];
}

function checkPattern({ pattern }: Schema, at: string, patterns: Compile): FieldError[] {
  if (pattern === '') return [];
  const compiled = patterns(pattern);
  if ('matches' in compiled) return [];
  const detail = `must be a valid regular expression, but isn't: ${compiled.invalid}`;
  return [invalid(`${at}.pattern`, pattern, detail)];
}

function checkMapType({ mapType, type }: Schema, at: string): FieldError[] {
  if (mapType === '') return [];
  const errors: FieldError[] = [];
  if (type !== 'object') {
    const detail = 'must be object if x-kubernetes-map-type is specified';
    errors.push(type === '' ? required(`${at}.type`, detail) : invalid(`${at}.type`, type, detail));
  }
  if (mapType !== 'atomic' && mapType !== 'granular') {
    errors.push(notSupported(`${at}.x-kubernetes-map-type`, mapType, ['atomic', 'granular']));
  }
  return errors;
}

/** Valid values of x-kubernetes-list-type. */
const LIST_TYPES = ['atomic', 'set', 'map'];

function checkListSchema(schema: Schema, at: string): FieldError[] {
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

/** Items of a set have one owner each, so they must be scalars or atomic. */
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
