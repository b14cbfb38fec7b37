import { describe, expect, it } from 'vitest';
import * as z from 'zod';

import { withRules } from './definition.ts';
import { intOrString, kubernetesObject, list, seconds, statusList } from './field-schemas.ts';
import { structuralSchema, unbounded } from './structural-schema.ts';

describe('a structural schema', () => {
  it('has what the API server validates, and omits what only zod needs', () => {
    const schema = z.strictObject({
      port: intOrString('A port.'),
      all: z.int(),
      wait: seconds('How long.', 1, 60).exactOptional(),
      labels: z.record(z.string(), z.string()),
    });
    expect(structuralSchema(schema)).toEqual({
      type: 'object',
      required: ['port', 'all', 'labels'],
      properties: {
        port: { description: 'A port.', 'x-kubernetes-int-or-string': true },
        all: { type: 'integer' },
        wait: {
          type: 'integer',
          format: 'int64',
          description: 'How long.',
          minimum: 1,
          maximum: 60,
        },
        labels: { type: 'object', additionalProperties: { type: 'string' } },
      },
    });
  });

  it('preserves unknown fields of a type that Kubernetes defines', () => {
    expect(structuralSchema(kubernetesObject('As in a pod.'))).toEqual({
      type: 'object',
      description: 'As in a pod.',
      'x-kubernetes-preserve-unknown-fields': true,
    });
  });

  const node = z.strictObject({
    get next() {
      return node.exactOptional();
    },
  });
  it.each<[string, z.ZodType, string]>([
    ['a union of objects', z.union([z.object({ a: z.string() }), z.object({})]), 'anyOf'],
    ['a list that contains itself', node, 'allOf'],
    ['a choice between kinds', z.strictObject({ a: z.null() }), 'nullable'],
  ])('is refused for %s', (_, schema, word) => {
    expect(() => structuralSchema(schema)).toThrow(
      `a custom resource definition cannot say ${word}`,
    );
  });

  it('names the place of what it cannot say', () => {
    const none = z.null();
    const place = (schema: z.ZodType): string => {
      try {
        return JSON.stringify(structuralSchema(schema));
      } catch (error) {
        return String(error).split(': ')[1] ?? '';
      }
    };
    expect(
      [none, z.strictObject({ a: z.strictObject({ b: none }) }), z.array(none)].map(place),
    ).toEqual(['schema', 'schema.a.b', 'schema[]']);
    expect(place(z.record(z.string(), none))).toBe('schema.*');
  });

  it('has a bound of 0 for numbers, and none for lists and texts', () => {
    const schema = z.strictObject({
      count: z.int().min(0),
      list: list(z.string().min(0), { description: 'A list.', max: 3 }),
      keyed: statusList(z.strictObject({ id: z.string() }), 'Keyed.', {
        type: 'map',
        keys: ['id'],
      }),
      some: list(z.string().min(1), { description: 'Some.', min: 1, max: 3 }),
    });
    const bare = { type: 'array', 'x-kubernetes-list-type': 'atomic', maxItems: 3 };
    expect(structuralSchema(schema).properties).toEqual({
      count: { type: 'integer', minimum: 0 },
      list: { ...bare, description: 'A list.', items: { type: 'string' } },
      keyed: {
        type: 'array',
        description: 'Keyed.',
        items: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['id'],
      },
      some: { ...bare, description: 'Some.', minItems: 1, items: { type: 'string', minLength: 1 } },
    });
  });

  it('takes a rule only where it has a place', () => {
    const schema = structuralSchema(
      z.strictObject({ list: z.array(z.strictObject({ a: z.string() })) }),
    );
    const rule = { rule: 'self.a != ""', message: 'must be given' };
    const withRule = withRules(schema, { 'list[]': [rule] });
    expect(withRule.properties?.['list']?.items?.['x-kubernetes-validations']).toEqual([rule]);
    expect(schema.properties?.['list']?.items).not.toHaveProperty('x-kubernetes-validations');
    expect(() => withRules(schema, { 'list.b': [rule] })).toThrow(
      'the schema has no field list.b for a rule',
    );
  });

  it('of a status has no bounds, so that a status with new values is still stored', () => {
    const schema = z.strictObject({
      cause: z.enum(['a', 'b']).describe('Why.'),
      list: z.array(z.string().max(5)).max(3),
      wait: seconds('How long.', 1, 60),
      map: z.record(z.string(), z.enum(['c'])),
    });
    expect(unbounded(structuralSchema(schema)).properties).toEqual({
      cause: { type: 'string', description: 'Why. One of a, b.' },
      list: { type: 'array', items: { type: 'string' } },
      wait: { type: 'integer', format: 'int64', description: 'How long.' },
      map: { type: 'object', additionalProperties: { type: 'string', description: 'One of c.' } },
    });
  });
});
