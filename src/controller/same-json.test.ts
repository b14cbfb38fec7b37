import { isDeepStrictEqual } from 'node:util';

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { sameJson } from './same-json.ts';

describe('sameJson', () => {
  it('treats an absent field as equal to an undefined one, in any order of fields', () => {
    expect(sameJson({ a: 1, b: undefined, c: [{ d: null }] }, { c: [{ d: null }], a: 1 })).toBe(
      true,
    );
  });

  it('distinguishes null, an absent field, an empty list and an empty object', () => {
    const values = [{ a: null }, {}, { a: [] }, { a: {} }, [], null, { a: undefined, b: 1 }];
    for (const [i, a] of values.entries()) {
      for (const [j, b] of values.entries()) expect(sameJson(a, b)).toBe(i === j);
    }
  });

  it('agrees with structural equality on any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const copy: unknown = structuredClone(a);
        expect(sameJson(a, copy)).toBe(true);
        expect(sameJson(a, b)).toBe(isDeepStrictEqual(a, b));
      }),
    );
  });
});
