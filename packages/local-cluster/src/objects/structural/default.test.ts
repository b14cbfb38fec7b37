import { describe, expect, it } from 'vitest';

import type { JsonObject } from '../../../../../src/kube/object.ts';
import { decodeValue } from '../decode-value.ts';
import { compileStructural, type CompiledSchema } from './compile.ts';

function spec(properties: JsonObject): CompiledSchema {
  const schema = { type: 'object', properties: { spec: { type: 'object', properties } } };
  const result = compileStructural(schema, { at: 'schema', engine: null });
  if (result.kind === 'invalid') throw new Error(JSON.stringify(result.errors));
  return result.schema;
}

const text = { type: 'string' };
const integer = { type: 'integer' };

describe('pruning', () => {
  const schema = spec({
    a: { type: 'object', properties: { b: text } },
    list: { type: 'array', items: { type: 'object', properties: { b: text } } },
    map: { type: 'object', additionalProperties: { type: 'object', properties: { b: text } } },
    free: {
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      properties: { a: { type: 'object', properties: {} } },
    },
    any: { 'x-kubernetes-preserve-unknown-fields': true },
  });

  it('drops unknown fields, except where the schema preserves them', () => {
    const x = { b: 'y', x: 1 };
    expect(
      schema.prune({
        apiVersion: 'g/v1',
        kind: 'K',
        metadata: { name: 'a' },
        extra: 1,
        spec: { a: x, list: [x], map: { k: x }, free: { z: { q: 1 }, a: x }, any: [x], other: 1 },
      }),
    ).toEqual({
      apiVersion: 'g/v1',
      kind: 'K',
      metadata: { name: 'a' },
      spec: {
        a: { b: 'y' },
        list: [{ b: 'y' }],
        map: { k: { b: 'y' } },
        free: { z: { q: 1 }, a: {} },
        any: [x],
      },
    });
  });

  it('reports unknown fields to strict clients, and leaves wrong types to validation', () => {
    const { value, unknown } = decodeValue({ spec: { a: 5, list: [{ c: 1 }] }, x: 1 }, schema.type);
    expect(value).toEqual({ spec: { a: 5, list: [{}] } });
    expect(unknown).toEqual(['spec.list[0].c', 'x']);
  });
});

describe('defaulting', () => {
  const schema = spec({
    a: { type: 'integer', default: 1 },
    n: { type: 'integer', nullable: true, default: 2 },
    plain: integer,
    o: { type: 'object', default: {}, properties: { b: { type: 'string', default: 'x' } } },
    list: {
      type: 'array',
      items: { type: 'object', properties: { b: { type: 'string', default: 'y' } } },
    },
    map: {
      type: 'object',
      additionalProperties: { type: 'object', properties: { c: { type: 'integer', default: 3 } } },
    },
  });

  it('sets missing fields, also inside of defaults, lists and maps', () => {
    expect(schema.default({ spec: { list: [{}, { b: 'z' }], map: { k: {} } } })).toEqual({
      spec: { a: 1, n: 2, o: { b: 'x' }, list: [{ b: 'y' }, { b: 'z' }], map: { k: { c: 3 } } },
    });
  });

  it('replaces or drops a null in a field that is not nullable', () => {
    expect(schema.default({ spec: { a: null, n: null, plain: null, o: null } })).toEqual({
      spec: { a: 1, n: null, o: { b: 'x' } },
    });
  });

  it('does not add a missing parent object', () => {
    expect(schema.default({ metadata: {} })).toEqual({ metadata: {} });
  });
});
