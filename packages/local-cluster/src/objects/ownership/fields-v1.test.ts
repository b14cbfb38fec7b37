import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../../../src/kube/object.ts';
import { MAX_DEPTH } from '../patch/json-value.ts';
import { EMPTY, fieldSetOf, sameFields } from './field-set.ts';
import { fieldsV1, parseFieldsV1 } from './field-set.ts';
import { keyElement, valueElement } from './path-element.ts';

const roundTrip = (fields: Json): string | undefined => {
  const set = parseFieldsV1(fields);
  return set === undefined ? undefined : JSON.stringify(fieldsV1(set));
};

describe('fieldsV1', () => {
  it('writes members and children in order', () => {
    const set = fieldSetOf([
      ['f:spec', 'f:replicas'],
      ['f:metadata', 'f:labels'],
      ['f:metadata', 'f:labels', 'f:app'],
      ['f:metadata', 'f:finalizers', 'v:"a.test/x"'],
    ]);
    expect(JSON.stringify(fieldsV1(set))).toBe(
      '{"f:metadata":{"f:finalizers":{"v:\\"a.test/x\\"":{}},"f:labels":{".":{},"f:app":{}}},"f:spec":{"f:replicas":{}}}',
    );
    expect(fieldsV1(EMPTY)).toEqual({});
  });

  it('reads back its own output', () => {
    const scalar = fc.oneof(fc.string(), fc.integer(), fc.boolean());
    const element = fc.oneof(
      fc.string().map((name) => `f:${name}`),
      fc.dictionary(fc.string(), scalar, { minKeys: 1, maxKeys: 2 }).map(keyElement),
      scalar.map(valueElement),
      fc.nat(20).map((index) => `i:${index}`),
    );
    const paths = fc.array(fc.array(element, { minLength: 1, maxLength: 4 }), { maxLength: 10 });
    fc.assert(
      fc.property(paths, (list) => {
        const set = fieldSetOf(list);
        const written = JSON.parse(JSON.stringify(fieldsV1(set))) as Json;
        const read = parseFieldsV1(written) ?? EMPTY;
        expect(sameFields(read, set)).toBe(true);
        expect(JSON.stringify(fieldsV1(read))).toBe(JSON.stringify(written));
      }),
    );
  });
});

describe('parseFieldsV1', () => {
  it.each<[string, Json, string | undefined]>([
    ['sorts', { 'f:b': {}, 'f:a': {} }, '{"f:a":{},"f:b":{}}'],
    ['accepts null for no children', { 'f:a': null }, '{"f:a":{}}'],
    ['drops a dot without siblings', { 'f:a': { '.': {} } }, '{"f:a":{}}'],
    [
      'normalizes the text of a key',
      { 'k:{"b": 1, "a": "<"}': {} },
      String.raw`{"k:{\"a\":\"\\u003c\",\"b\":1}":{}}`,
    ],
    ['ignores unknown kinds of elements', { 'x:new': {}, 'f:a': {} }, '{"f:a":{}}'],
    ['refuses a list', [], undefined],
    ['refuses a name without a prefix', { a: {} }, undefined],
    ['refuses a scalar as children', { 'f:a': 1 }, undefined],
    ['refuses a key that is not an object', { 'k:1': {} }, undefined],
    ['refuses a key that is not JSON', { 'k:{': {} }, undefined],
    ['refuses an index that is not a number', { 'i:x': {} }, undefined],
  ])('%s', (_title, fields, expected) => {
    expect(roundTrip(fields)).toBe(expected);
  });

  it('refuses an object nested deeper than the limit', () => {
    let fields: Json = {};
    for (let depth = 0; depth <= MAX_DEPTH; depth++) fields = { 'f:a': fields };
    expect(parseFieldsV1(fields)).toBeUndefined();
  });
});
