import { describe, expect, it } from 'vitest';

import type { Json, JsonObject } from '../../../../../src/kube/object.ts';
import { fieldErrorMessage } from '../field-error.ts';
import { compileStructural, type CompiledSchema } from './compile.ts';

function compileRoot(properties: JsonObject, more: JsonObject = {}): CompiledSchema {
  const schema = { type: 'object', properties, ...more };
  const result = compileStructural(schema, { at: 'schema', engine: null });
  if (result.kind === 'invalid') throw new Error(result.errors.map(fieldErrorMessage).join('; '));
  return result.schema;
}

const spec = (properties: JsonObject, more: JsonObject = {}): CompiledSchema =>
  compileRoot({ spec: { type: 'object', properties, ...more } });

function faults(schema: CompiledSchema, object: JsonObject, old?: JsonObject): string[] {
  return schema.validate(object, old).map(fieldErrorMessage);
}

const text = { type: 'string' };
const integer = { type: 'integer' };

describe('the schema of a custom resource', () => {
  it.each<[string, JsonObject, Json, string]>([
    [
      'a wrong type',
      integer,
      'x',
      'spec.a: Invalid value: "string": spec.a in body must be of type integer: "string"',
    ],
    [
      'null',
      integer,
      null,
      'spec.a: Invalid value: "null": spec.a in body must be of type integer: "null"',
    ],
    [
      'a fraction',
      integer,
      1.5,
      'spec.a: Invalid value: "number": spec.a in body must be of type integer: "number"',
    ],
    [
      'a fraction of 32 bits',
      { type: 'integer', format: 'int32' },
      0.5,
      'spec.a: Invalid value: "float64": spec.a in body must be of type int32: "float64"',
    ],
    [
      'a text for a number with a format',
      { type: 'number', format: 'double' },
      'x',
      'spec.a: Invalid value: "string": spec.a in body must be of type number: "string"',
    ],
    [
      'a low number',
      { type: 'integer', minimum: 1 },
      0,
      'spec.a: Invalid value: 0: spec.a in body should be greater than or equal to 1',
    ],
    [
      'a high number',
      { type: 'integer', maximum: 10 },
      11,
      'spec.a: Invalid value: 11: spec.a in body should be less than or equal to 10',
    ],
    [
      'a number at the exclusive maximum',
      { type: 'number', maximum: 1, exclusiveMaximum: true },
      1,
      'spec.a: Invalid value: 1: spec.a in body should be less than 1',
    ],
    [
      'a number at the exclusive minimum',
      { type: 'number', minimum: 1, exclusiveMinimum: true },
      1,
      'spec.a: Invalid value: 1: spec.a in body should be greater than 1',
    ],
    [
      'a number that is no multiple',
      { type: 'number', multipleOf: 0.1 },
      0.25,
      'spec.a: Invalid value: 0.25: spec.a in body should be a multiple of 0.1',
    ],
    [
      'a value outside of the enum',
      { type: 'string', enum: ['a', 'b'] },
      'x',
      'spec.a: Unsupported value: "x": supported values: "a", "b"',
    ],
    [
      'a string that is too short',
      { type: 'string', minLength: 2 },
      '😀',
      'spec.a: Invalid value: "😀": spec.a in body should be at least 2 chars long',
    ],
    [
      'a string that is too long',
      { type: 'string', maxLength: 2 },
      'abc',
      'spec.a: Too long: may not be more than 2 bytes',
    ],
    [
      'a string that does not match the pattern',
      { type: 'string', pattern: '^a+$' },
      'b',
      `spec.a: Invalid value: "b": spec.a in body should match '^a+$'`,
    ],
    [
      'a string of another format',
      { type: 'string', format: 'date-time' },
      'x',
      'spec.a: Invalid value: "x": spec.a in body must be of type date-time: "x"',
    ],
    [
      'too few items',
      { type: 'array', items: text, minItems: 1 },
      [],
      'spec.a: Invalid value: 0: spec.a in body should have at least 1 items',
    ],
    [
      'too many items',
      { type: 'array', items: text, maxItems: 1 },
      ['a', 'b'],
      'spec.a: Too many: 2: must have at most 1 item',
    ],
    [
      'an item of the wrong type',
      { type: 'array', items: text },
      ['a', 1],
      'spec.a[1]: Invalid value: "integer": spec.a[1] in body must be of type string: "integer"',
    ],
    [
      'a map value of the wrong type',
      { type: 'object', additionalProperties: text },
      { k: 1 },
      'spec.a.k: Invalid value: "integer": spec.a.k in body must be of type string: "integer"',
    ],
    [
      'a missing field',
      { type: 'object', properties: { b: text }, required: ['b'] },
      {},
      'spec.a.b: Required value',
    ],
    [
      'int-or-string',
      { 'x-kubernetes-int-or-string': true },
      true,
      'spec.a: Invalid value: "boolean": spec.a in body must be of type integer,string: "boolean"',
    ],
    [
      'a duplicate item in a set',
      { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
      ['a', 'b', 'a', 'a'],
      'spec.a[2]: Duplicate value: "a"',
    ],
    [
      'a value that matches none of oneOf',
      { type: 'integer', oneOf: [{ minimum: 5 }, { maximum: -5 }] },
      0,
      '<nil>: Invalid value: "": "spec.a" must validate one and only one schema (oneOf). Found none valid',
    ],
    [
      'a value that matches none of anyOf',
      { type: 'integer', anyOf: [{ minimum: 5 }, { maximum: -5 }] },
      0,
      '<nil>: Invalid value: "": "spec.a" must validate at least one schema (anyOf)',
    ],
    [
      'a value that matches not',
      { type: 'integer', not: { minimum: 5 } },
      6,
      '<nil>: Invalid value: "": "spec.a" must not validate the schema (not)',
    ],
  ])('refuses %s', (...[, schema, value, message]) => {
    expect(faults(spec({ a: schema }), { spec: { a: value } })).toContain(message);
  });

  it.each<[JsonObject, number, string]>([
    [integer, 1.5, 'integer (default format)'],
    [integer, 1e30, 'integer (default format)'],
    [{ type: 'integer', format: 'int16' }, 1.5, 'integer (default format)'],
    [{ type: 'integer', format: 'int32' }, 2 ** 31, 'integer with format int32'],
    [{ type: 'integer', format: 'int32' }, -(2 ** 31) - 1, 'integer with format int32'],
    [{ type: 'integer', format: 'int64' }, 0.5, 'integer with format int64'],
    [{ type: 'number', format: 'float' }, 1e300, 'number with format float'],
  ])('names the format that a number is beyond: %#', (schema, value, form) => {
    const detail = `Checked value must be of type ${form} in spec.a`;
    const found = faults(spec({ a: schema }), { spec: { a: value } });
    expect(found).toContain(`<nil>: Invalid value: "": ${detail}`);
  });

  it('accepts numbers up to the ends of their format', () => {
    const schema = spec({
      a: { type: 'integer', format: 'int32' },
      b: integer,
      c: { type: 'integer', format: 'int16' },
      d: { type: 'number', format: 'float' },
      e: { 'x-kubernetes-int-or-string': true },
    });
    const most = { a: 2 ** 31 - 1, b: 2 ** 62, c: 70_000, d: 1e38, e: 2 ** 40 };
    expect(faults(schema, { spec: most })).toEqual([]);
    expect(faults(schema, { spec: { a: -(2 ** 31), d: -1e38 } })).toEqual([]);
  });

  it('accepts null when nullable, integers as numbers, and absent fields', () => {
    const schema = spec({
      a: { type: 'integer', nullable: true },
      b: { type: 'number' },
      c: integer,
    });
    expect(faults(schema, { spec: { a: null, b: 1 } })).toEqual([]);
  });

  it('reports the errors of the anyOf alternative that matches best', () => {
    const schema = spec(
      { a: integer, b: text },
      {
        anyOf: [
          { required: ['x'], properties: { a: { minimum: 9 } } },
          { properties: { a: { minimum: 5 } } },
        ],
      },
    );
    expect(faults(schema, { spec: { a: 1 } })).toEqual([
      '<nil>: Invalid value: "": "spec" must validate at least one schema (anyOf)',
      'spec.a: Invalid value: 1: spec.a in body should be greater than or equal to 5',
    ]);
  });

  it('refuses items of a map list with the same key, defaults included', () => {
    const items = {
      type: 'object',
      required: ['port'],
      properties: { port: integer, protocol: { type: 'string', default: 'TCP' } },
    };
    const list = {
      type: 'array',
      items,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['port', 'protocol'],
    };
    const schema = spec({ a: list });
    const object = schema.default({ spec: { a: [{ port: 1 }, { port: 1, protocol: 'TCP' }] } });
    expect(faults(schema, object)).toEqual([
      'spec.a[1]: Duplicate value: {"port":1,"protocol":"TCP"}',
    ]);
    expect(schema.type.field('spec')).toMatchObject({ kind: 'struct' });
  });

  it('does not refuse an update for an invalid value that it leaves unchanged', () => {
    const schema = spec({ a: { type: 'integer', minimum: 5 }, b: integer });
    expect(faults(schema, { spec: { a: 1, b: 2 } }, { spec: { a: 1, b: 1 } })).toEqual([]);
    expect(faults(schema, { spec: { a: 2 } }, { spec: { a: 1 } })).toHaveLength(1);
  });

  it('validates a status alone, with its own paths', () => {
    const schema = compileRoot({
      spec: { type: 'object', properties: { a: integer } },
      status: { type: 'object', properties: { a: integer } },
    });
    const errors = schema.validateStatus({ spec: { a: 'x' }, status: { a: 'x' } }, {});
    expect(errors.map(fieldErrorMessage)).toEqual([
      'status.a: Invalid value: "string": a in body must be of type integer: "string"',
    ]);
  });

  it('requires kind and valid metadata of embedded resources', () => {
    const embedded = {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
    };
    const schema = spec({ a: embedded });
    expect(faults(schema, { spec: { a: { kind: 'Pod', metadata: { name: 'A/' } } } })).toEqual([
      'spec.a.apiVersion: Required value',
      expect.stringMatching(/^spec\.a\.metadata\.name: Invalid value: "A\/"/),
    ]);
  });
});
