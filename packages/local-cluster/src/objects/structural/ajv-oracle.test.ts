/** Compares our validation of values with Ajv, for random schemas and values. */
import { Ajv } from 'ajv';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import type { Json, JsonObject } from '../../../../../src/kube/object.ts';
import { re2Compiler } from '../../../../../src/model/re2.ts';
import { readSchema } from './schema.ts';
import { validateValue } from './validate-value.ts';

const NAMES = ['a', 'b', 'c'];
const name = fc.constantFrom(...NAMES);
const scalar = fc.oneof(
  fc.constantFrom<Json>(null, true, false, 0, 1, 2, 7, -3, 1.5, '', 'a', 'ab', 'abc', '😀'),
);

const one = <T>(key: string, value: fc.Arbitrary<T>): fc.Arbitrary<JsonObject> =>
  value.map((made) => ({ [key]: made }) as JsonObject);

/** One restriction for each schema: with many, nearly no value would be valid. */
const bound = fc.oneof(
  one('minimum', fc.integer({ min: -4, max: 4 })),
  one('maximum', fc.integer({ min: -4, max: 8 })),
  one('multipleOf', fc.constantFrom(1, 2, 0.5)),
  one('minLength', fc.integer({ min: 0, max: 3 })),
  one('maxLength', fc.integer({ min: 0, max: 3 })),
  one('pattern', fc.constantFrom('^a', 'b$', '^$')),
  one('minItems', fc.integer({ min: 0, max: 2 })),
  one('maxItems', fc.integer({ min: 0, max: 2 })),
  one('minProperties', fc.integer({ min: 0, max: 2 })),
  one('maxProperties', fc.integer({ min: 0, max: 2 })),
  one('enum', fc.uniqueArray(scalar, { minLength: 1, maxLength: 4 })),
  one('required', fc.uniqueArray(name, { maxLength: 1 })),
);
const type = fc.constantFrom('string', 'integer', 'number', 'boolean', 'object', 'array');

interface Tied {
  schema: JsonObject;
  value: Json;
}

const leaf = fc
  .tuple(bound, fc.option(type, { nil: undefined }))
  .map(([own, kind]): JsonObject => (kind === undefined ? own : { ...own, type: kind }));

/** Limits the depth of generated schemas and values. */
const shallow = { maxDepth: 2, withCrossShrink: true } as const;

const { schema: schemas, value: values } = fc.letrec<Tied>((tie) => {
  const list = fc.array(tie('schema'), { minLength: 1, maxLength: 2 });
  const inner = fc.oneof(
    one('properties', fc.dictionary(name, tie('schema'), { maxKeys: 2 })),
    one('additionalProperties', tie('schema')),
    one('items', tie('schema')),
    one('allOf', list),
    one('anyOf', list),
    one('oneOf', list),
    one('not', tie('schema')),
  );
  const branch = fc.tuple(leaf, inner).map(([own, more]) => ({ ...own, ...more }));
  return {
    schema: fc.oneof(shallow, leaf, branch),
    value: fc.oneof(
      shallow,
      scalar,
      fc.array(tie('value'), { maxLength: 3 }) as fc.Arbitrary<Json>,
      fc.dictionary(name, tie('value'), { maxKeys: 3 }) as fc.Arbitrary<Json>,
    ),
  };
});

/**
 * Whether the value has a null, which is not checked against the schema: a server checks only its type and the enum,
 * but Ajv checks more.
 */
function hasNull(value: Json): boolean {
  if (typeof value !== 'object') return false;
  return value === null || Object.values(value).some(hasNull);
}

test('validateValue accepts a value if and only if Ajv accepts it', () => {
  const ajv = new Ajv({
    strict: false,
    addUsedSchema: false,
    multipleOfPrecision: 9,
    unicodeRegExp: true,
  });
  const patterns = re2Compiler();
  let valid = 0;
  let invalid = 0;
  fc.assert(
    fc.property(schemas, fc.array(values, { minLength: 10, maxLength: 10 }), (schema, some) => {
      const expected = ajv.compile(schema);
      const own = readSchema(schema);
      for (const value of some.filter((each) => !hasNull(each))) {
        const { errors } = validateValue(value, own, { path: '', old: undefined, patterns });
        expect({ schema, value, valid: errors.length === 0 }).toEqual({
          schema,
          value,
          valid: expected(value),
        });
        if (errors.length === 0) valid += 1;
        else invalid += 1;
      }
    }),
    { numRuns: 200 },
  );
  // Both valid and invalid values must occur, or the comparison would prove little.
  expect(Math.min(valid, invalid)).toBeGreaterThan(20);
});
