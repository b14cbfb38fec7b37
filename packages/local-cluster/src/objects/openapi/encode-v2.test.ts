import { describe, expect, it } from 'vitest';

import { readMessage } from '../../api/protobuf/decode-wire-scalar.ts';
import type { JsonObject } from '../../../../../src/kube/object.ts';
import { encodeOpenApiV2 } from './encode-v2.ts';

const encoded = (document: JsonObject): Uint8Array =>
  encodeOpenApiV2({ swagger: '2.0', ...document });

/** All values at a path of field numbers: text for bytes, else a number. */
function at(bytes: Uint8Array, [number = 0, ...rest]: readonly number[]): (string | number)[] {
  const values = readMessage(bytes).filter((field) => field.number === number);
  return values.flatMap(({ value }) => {
    if (!(value instanceof Uint8Array)) return [Number(value)];
    return rest.length === 0 ? [new TextDecoder().decode(value)] : at(value, rest);
  });
}

const SCHEMA = [9, 1, 2];

describe('the OpenAPI v2 document in protobuf', () => {
  it('has each definition by its name', () => {
    const definitions = { 'io.a': { description: 'ä'.repeat(100) }, 'io.b': {} };
    const bytes = encoded({ definitions });
    expect(at(bytes, [1])).toEqual(['2.0']);
    expect(at(bytes, [9, 1, 1])).toEqual(['io.a', 'io.b']);
    expect(at(bytes, [...SCHEMA, 4])).toEqual(['ä'.repeat(100)]);
  });

  it('has the types, items, properties and extensions of a definition', () => {
    const schema = {
      type: 'object',
      required: ['a', 'b'],
      properties: {
        a: { type: 'array', items: { $ref: '#/definitions/b' } },
        b: { type: 'object', additionalProperties: { type: 'string' } },
        c: { default: 'x', 'x-kubernetes-int-or-string': true },
      },
      'x-kubernetes-group-version-kind': [{ kind: 'A' }],
    };
    const bytes = encoded({ definitions: { a: schema } });
    const property = [...SCHEMA, 25, 1, 2];
    expect(at(bytes, [...SCHEMA, 22, 1])).toEqual(['object']);
    expect(at(bytes, [...SCHEMA, 19])).toEqual(['a', 'b']);
    expect(at(bytes, [...SCHEMA, 25, 1, 1])).toEqual(['a', 'b', 'c']);
    expect(at(bytes, [...property, 23, 1, 1])).toEqual(['#/definitions/b']);
    expect(at(bytes, [...property, 21, 1, 22, 1])).toEqual(['string']);
    expect(at(bytes, [...property, 5, 2])).toEqual(['"x"\n']);
    expect(at(bytes, [...property, 31, 1])).toEqual(['x-kubernetes-int-or-string']);
    expect(at(bytes, [...SCHEMA, 31, 2, 2])).toEqual(['[{"kind":"A"}]\n']);
  });

  it('has the parameters of a path by where they are', () => {
    const parameters = [
      { in: 'query', name: 'dryRun', type: 'string', uniqueItems: true },
      { in: 'path', name: 'name', type: 'string', required: true },
    ];
    const patch = { parameters, responses: { 200: { description: 'OK' } }, 'x-a': 1 };
    const bytes = encoded({ paths: { '/a': { patch } } });
    const parameter = [8, 2, 2, 8, 8, 1, 2];
    expect(at(bytes, [8, 2, 1])).toEqual(['/a']);
    expect(at(bytes, [...parameter, 3, 4])).toEqual(['dryRun']);
    expect(at(bytes, [...parameter, 3, 20])).toEqual([1]);
    expect(at(bytes, [...parameter, 4, 4])).toEqual(['name']);
    expect(at(bytes, [...parameter, 4, 1])).toEqual([1]);
    expect(at(bytes, [8, 2, 2, 8, 9, 1, 1])).toEqual(['200']);
    expect(at(bytes, [8, 2, 2, 8, 9, 1, 2, 1, 1])).toEqual(['OK']);
    expect(at(bytes, [8, 2, 2, 8, 13, 1])).toEqual(['x-a']);
  });

  it('leaves out what its messages do not have', () => {
    const none = encoded({ definitions: { a: {} } });
    expect(encoded({ definitions: { a: { toString: 1, oneOf: [] } } })).toEqual(none);
  });
});
