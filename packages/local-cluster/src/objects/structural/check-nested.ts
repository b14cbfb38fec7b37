/** What may stand inside of allOf, anyOf, oneOf and not: bounds for what the schema around them defines. */
import type { FieldError } from '../field-error.ts';
import { forbidden, required } from '../field-errors.ts';
import type { Schema } from './schema.ts';

/** Of all alternatives of a schema, and theirs. */
export function checkNested(schema: Schema, at: string): FieldError[] {
  return alternatives(schema, at).flatMap(({ one, path, intOrString }) => [
    ...checkOne(one, path, intOrString),
    ...checkComplete(one, schema, { at, path }),
  ]);
}

/** "integer or string", said the long way. */
export function isIntOrString({ anyOf }: Pick<Schema, 'anyOf'>): boolean {
  return anyOf.length === 2 && anyOf[0]?.type === 'integer' && anyOf[1]?.type === 'string';
}

interface Alternative {
  readonly one: Schema;
  readonly path: string;
  /** A part of the pattern in which types are allowed. */
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

/** Every field that an alternative speaks of is defined outside, too. */
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
