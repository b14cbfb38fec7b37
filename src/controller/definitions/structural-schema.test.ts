import { describe, expect, it } from 'vitest';
import * as z from 'zod';

import { intOrString, kubernetesObject, seconds } from './field-schemas.ts';
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

  it('of a status has no bounds, so that a status with new values is still stored', () => {
    const schema = z.strictObject({
      cause: z.enum(['a', 'b']).describe('Why.'),
      list: z.array(z.string().max(5)).max(3),
      wait: seconds('How long.', 1, 60),
    });
    expect(unbounded(structuralSchema(schema)).properties).toEqual({
      cause: { type: 'string', description: 'Why. One of a, b.' },
      list: { type: 'array', items: { type: 'string' } },
      wait: { type: 'integer', format: 'int64', description: 'How long.' },
    });
  });
});
