import { describe, expect, it } from 'vitest';

import type { JsonObject } from '../../../../../src/kube/object.ts';
import { fieldErrorMessage } from '../field-error.ts';
import { compileStructural } from './compile.ts';

function faults(schema: JsonObject): string[] {
  const result = compileStructural(schema, { at: 'schema', engine: null });
  return result.kind === 'compiled' ? [] : result.errors.map(fieldErrorMessage);
}

const spec = (schema: JsonObject): string[] =>
  faults({ type: 'object', properties: { spec: schema } }).map((fault) =>
    fault.replaceAll('schema.properties[spec]', 'SPEC'),
  );

const integer = { type: 'integer' };
const object = { type: 'object' };

describe('the validation of a definition', () => {
  it('accepts a valid structural schema', () => {
    expect(
      faults({
        type: 'object',
        required: ['spec'],
        properties: {
          apiVersion: { type: 'string' },
          kind: { type: 'string' },
          metadata: { type: 'object', properties: { name: { type: 'string', maxLength: 63 } } },
          spec: {
            type: 'object',
            properties: {
              size: { 'x-kubernetes-int-or-string': true, anyOf: [integer, { type: 'string' }] },
              count: { type: 'integer', default: 3, maximum: 5 },
              mode: { type: 'string', enum: ['a'], default: 'a' },
            },
            oneOf: [{ required: ['size'] }, { properties: { count: { minimum: 2 } } }],
          },
        },
      }),
    ).toEqual([]);
  });

  it.each<[string, JsonObject, string]>([
    ['no type at the root', {}, 'schema.type: Required value: must not be empty at the root'],
    [
      'another type at the root',
      integer,
      'schema.type: Invalid value: "integer": must be object at the root',
    ],
    [
      'additionalProperties at the root',
      { type: 'object', additionalProperties: object },
      'schema.additionalProperties: Forbidden: must not be used at the root',
    ],
    [
      'null at the root',
      { type: 'object', nullable: true },
      'schema.nullable: Forbidden: nullable cannot be true at the root',
    ],
    [
      'metadata with more than name and generateName',
      {
        type: 'object',
        properties: { metadata: { type: 'object', properties: { labels: object } } },
      },
      'schema.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified',
    ],
  ])('refuses %s', (_what, schema, message) => {
    expect(faults(schema)).toContain(message);
  });

  it.each<[string, JsonObject, string]>([
    ['no type', {}, 'SPEC.type: Required value: must not be empty for specified object fields'],
    [
      'an unknown type',
      { type: 'file' },
      'SPEC.type: Unsupported value: "file": supported values: "array", "boolean", "integer", "number", "object", "string"',
    ],
    ['an array without items', { type: 'array' }, 'SPEC.items: Required value: must be specified'],
    [
      'items without a type',
      { type: 'array', items: {} },
      'SPEC.items.type: Required value: must not be empty for specified array items',
    ],
    [
      'properties with additionalProperties',
      { type: 'object', properties: { a: integer }, additionalProperties: integer },
      'SPEC.additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive',
    ],
    [
      'unique items',
      { type: 'array', items: integer, uniqueItems: true },
      'SPEC.uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
    ],
    ['a reference', { type: 'object', $ref: '#/x' }, 'SPEC.$ref: Forbidden: $ref is not supported'],
    [
      'pattern properties',
      { type: 'object', patternProperties: { a: integer } },
      'SPEC.patternProperties: Forbidden: patternProperties is not supported',
    ],
    [
      'a type in anyOf',
      { type: 'object', anyOf: [object] },
      'SPEC.anyOf[0].type: Forbidden: must be empty to be structural',
    ],
    [
      'a default in oneOf',
      { type: 'object', oneOf: [{ default: {} }] },
      'SPEC.oneOf[0].default: Forbidden: must be undefined to be structural',
    ],
    [
      'a field only in allOf',
      { type: 'object', allOf: [{ properties: { a: { minimum: 1 } } }] },
      'SPEC.properties[a]: Required value: because it is defined in SPEC.allOf[0].properties[a]',
    ],
    [
      'an invalid pattern',
      { type: 'string', pattern: '(' },
      `SPEC.pattern: Invalid value: "(": must be a valid regular expression, but isn't: error parsing regexp: missing closing ): \`(\``,
    ],
    [
      'x-preserve false',
      { type: 'object', 'x-kubernetes-preserve-unknown-fields': false },
      'SPEC.x-kubernetes-preserve-unknown-fields: Invalid value: false: must be true or undefined',
    ],
    [
      'an unknown map type',
      { type: 'object', 'x-kubernetes-map-type': 'x' },
      'SPEC.x-kubernetes-map-type: Unsupported value: "x": supported values: "atomic", "granular"',
    ],
    [
      'a list type on an object',
      { type: 'object', 'x-kubernetes-list-type': 'set' },
      'SPEC.type: Invalid value: "object": must be array if x-kubernetes-list-type is specified',
    ],
    [
      'a map list without keys',
      { type: 'array', items: object, 'x-kubernetes-list-type': 'map' },
      'SPEC.x-kubernetes-list-map-keys: Required value: must not be empty if x-kubernetes-list-type is map',
    ],
    [
      'a list key that is not a property',
      {
        type: 'array',
        items: object,
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['a'],
      },
      'SPEC.x-kubernetes-list-map-keys: Invalid value: ["a"]: entries must all be names of item properties',
    ],
    [
      'a list key that is neither required nor has a default',
      {
        type: 'array',
        items: { type: 'object', properties: { a: integer } },
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['a'],
      },
      'SPEC.items.properties[a].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property',
    ],
    [
      'an embedded resource without properties',
      { type: 'object', 'x-kubernetes-embedded-resource': true },
      'SPEC.properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields',
    ],
    [
      'a default of the wrong type',
      { type: 'integer', default: 'x' },
      'SPEC.default: Invalid value: "string":  in body must be of type integer: "string"',
    ],
    [
      'a default that would be pruned',
      { type: 'object', default: { a: 1 } },
      'SPEC.default: Invalid value: {"a":1}: must not have unknown fields',
    ],
  ])('refuses %s', (_what, schema, message) => {
    expect(spec(schema)).toContainEqual(message);
  });
});
