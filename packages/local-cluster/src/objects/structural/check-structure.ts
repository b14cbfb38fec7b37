/**
 * Checks whether a schema is structural, with the errors of a real server.
 *
 * In a structural schema all fields are defined outside of allOf, anyOf, oneOf and not, which only restrict them.
 */
import { type FieldError, forbidden, invalid, required } from '../field-error.ts';
import { additionalSchema, type Schema } from './schema.ts';

/** Kind of position in the schema. The exact path is in `at`. */
type Level = 'root' | 'item' | 'field';

const WITHOUT_TYPE: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

export function checkStructure(schema: Schema, at: string): FieldError[] {
  const errors = checkLevel(schema, 'root', at);
  return errors.toSorted((a, b) => (`${a.field}${a.detail}` < `${b.field}${b.detail}` ? -1 : 1));
}

function checkLevel(schema: Schema, level: Level, at: string): FieldError[] {
  const additional = additionalSchema(schema);
  return [
    ...(schema.items === null ? [] : checkLevel(schema.items, 'item', `${at}.items`)),
    ...[...schema.properties].flatMap(([name, one]) =>
      checkLevel(one, 'field', `${at}.properties[${name}]`),
    ),
    ...(additional === null ? [] : checkLevel(additional, 'field', `${at}.additionalProperties`)),
    ...checkType(schema, level, at),
    ...checkExtensions(schema, at),
    ...checkAdditional(schema, level, at),
    ...checkMetadata(schema, level, at),
    ...checkNested(schema, at),
  ];
}

function checkType(schema: Schema, level: Level, at: string): FieldError[] {
  const field = `${at}.type`;
  if (schema.type === 'array' && schema.items === null) {
    return [required(`${at}.items`, 'must be specified')];
  }
  if (schema.type === '') return checkWithoutType(schema, level, field);
  if (schema.type === 'object') return [];
  if (schema.embedded) return [invalid(field, schema.type, EMBEDDED_IS_OBJECT)];
  return level === 'root' ? [invalid(field, schema.type, 'must be object at the root')] : [];
}

const EMBEDDED_IS_OBJECT = 'must be object if x-kubernetes-embedded-resource is true';

function checkWithoutType(schema: Schema, level: Level, field: string): FieldError[] {
  if (schema.embedded) return [required(field, EMBEDDED_IS_OBJECT)];
  if (schema.intOrString || schema.preserveUnknown === true) return [];
  return [required(field, WITHOUT_TYPE[level])];
}

function checkExtensions(schema: Schema, at: string): FieldError[] {
  const detail = 'must be false if x-kubernetes-int-or-string is true';
  const errors: FieldError[] = [];
  if (schema.intOrString && schema.preserveUnknown === true) {
    errors.push(invalid(`${at}.x-kubernetes-preserve-unknown-fields`, true, detail));
  }
  if (schema.intOrString && schema.embedded) {
    errors.push(invalid(`${at}.x-kubernetes-embedded-resource`, true, detail));
  }
  if (schema.embedded && schema.preserveUnknown !== true && schema.properties.size === 0) {
    const empty =
      'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
    errors.push(required(`${at}.properties`, empty));
  }
  return errors;
}

function checkAdditional(schema: Schema, level: Level, at: string): FieldError[] {
  if (schema.additional === null) return [];
  const field = `${at}.additionalProperties`;
  if (level === 'root') return [forbidden(field, 'must not be used at the root')];
  if (!schema.embedded) return [];
  return [forbidden(field, 'must not be used if x-kubernetes-embedded-resource is set')];
}

/** A schema may restrict no metadata but name and generateName. */
function checkMetadata(schema: Schema, level: Level, at: string): FieldError[] {
  if (level !== 'root' && !schema.embedded) return [];
  const errors = (['kind', 'apiVersion'] as const).flatMap((name) => {
    const type = schema.properties.get(name)?.type ?? 'string';
    if (type === 'string') return [];
    return [invalid(`${at}.properties[${name}].type`, type, 'must be string')];
  });
  const metadata = schema.properties.get('metadata');
  if (metadata === undefined) return errors;
  const field = `${at}.properties[metadata]`;
  if (metadata.type !== 'object') {
    errors.push(invalid(`${field}.type`, metadata.type, 'must be object'));
  }
  if (level === 'root' && saysMoreThanNames(metadata)) {
    const detail =
      'must not specify anything other than name and generateName, but metadata is implicitly specified';
    errors.push(forbidden(field, detail));
  }
  return errors;
}

function saysMoreThanNames(metadata: Schema): boolean {
  const names = [...metadata.properties.keys()];
  return (
    names.some((name) => name !== 'name' && name !== 'generateName') ||
    metadata.additional !== null ||
    metadata.preserveUnknown !== undefined ||
    metadata.nullable ||
    metadata.embedded ||
    isIntOrString(metadata) ||
    metadata.required.length + metadata.allOf.length + metadata.anyOf.length > 0 ||
    metadata.oneOf.length > 0 ||
    metadata.not !== null ||
    metadata.rules.length > 0
  );
}

/** Checks the content of allOf, anyOf, oneOf and not: it may only restrict fields that the enclosing schema defines. */
function checkNested(schema: Schema, at: string): FieldError[] {
  return alternatives(schema, at).flatMap(({ one, path, intOrString }) => [
    ...checkOne(one, path, intOrString),
    ...checkComplete(one, schema, { at, path }),
  ]);
}

/** True for the anyOf that means "integer or string". */
function isIntOrString({ anyOf }: Pick<Schema, 'anyOf'>): boolean {
  return anyOf.length === 2 && anyOf[0]?.type === 'integer' && anyOf[1]?.type === 'string';
}

interface Alternative {
  readonly one: Schema;
  readonly path: string;
  /** True for the two alternatives of "integer or string", in which a type is allowed. */
  readonly intOrString: boolean;
}

function alternatives(schema: Schema, at: string): Alternative[] {
  const listed = (name: 'allOf' | 'anyOf' | 'oneOf', pattern = false): Alternative[] =>
    schema[name].map((one, index) => ({
      one,
      path: `${at}.${name}[${index}]`,
      intOrString: pattern,
    }));
  return [
    ...listed('anyOf', isIntOrString(schema)),
    ...listed('allOf'),
    ...listed('oneOf'),
    ...(schema.not === null ? [] : [{ one: schema.not, path: `${at}.not`, intOrString: false }]),
  ];
}

function checkOne(one: Schema, path: string, intOrString: boolean): FieldError[] {
  if (intOrString) return [];
  return [
    ...alternatives(one, path).flatMap((inner) =>
      checkOne(inner.one, inner.path, inner.intOrString),
    ),
    ...(one.items === null ? [] : checkOne(one.items, `${path}.items`, false)),
    ...[...one.properties].flatMap(([name, inner]) => [
      ...checkOne(inner, `${path}.properties[${name}]`, false),
      ...(name === 'metadata'
        ? [forbidden(`${path}.properties[metadata]`, 'must not be specified in a nested context')]
        : []),
    ]),
    ...FORBIDDEN.filter(([, says]) => says(one)).map(([field, , must]) =>
      forbidden(`${path}.${field}`, `must be ${must} to be structural`),
    ),
  ];
}

const FORBIDDEN: readonly (readonly [string, (one: Schema) => boolean, string])[] = [
  ['type', ({ type }) => type !== '', 'empty'],
  ['additionalProperties', ({ additional }) => additional !== null, 'undefined'],
  ['default', (one) => one.default !== undefined, 'undefined'],
  ['title', ({ documented }) => documented.title, 'empty'],
  ['description', ({ documented }) => documented.description, 'empty'],
  ['nullable', ({ nullable }) => nullable, 'false'],
  [
    'x-kubernetes-preserve-unknown-fields',
    ({ preserveUnknown }) => preserveUnknown === true,
    'false',
  ],
  ['x-kubernetes-embedded-resource', ({ embedded }) => embedded, 'false'],
  ['x-kubernetes-int-or-string', ({ intOrString }) => intOrString, 'false'],
  ['x-kubernetes-list-map-keys', ({ mapKeys }) => mapKeys.length > 0, 'empty'],
  ['x-kubernetes-list-type', ({ listType }) => listType !== '', 'undefined'],
  ['x-kubernetes-map-type', ({ mapType }) => mapType !== '', 'undefined'],
  ['x-kubernetes-validations', ({ rules }) => rules.length > 0, 'empty'],
];

/** Every field in an alternative must also be defined outside of it. */
function checkComplete(
  one: Schema,
  outside: Schema | null,
  { at, path }: { readonly at: string; readonly path: string },
): FieldError[] {
  if (outside === null) return [required(at, `because it is defined in ${path}`)];
  return [
    ...alternatives(one, path).flatMap((inner) =>
      checkComplete(inner.one, outside, { at, path: inner.path }),
    ),
    ...(one.items === null
      ? []
      : checkComplete(one.items, outside.items, { at: `${at}.items`, path: `${path}.items` })),
    ...[...one.properties].flatMap(([name, inner]) =>
      checkComplete(inner, outside.properties.get(name) ?? null, {
        at: `${at}.properties[${name}]`,
        path: `${path}.properties[${name}]`,
      }),
    ),
  ];
}
