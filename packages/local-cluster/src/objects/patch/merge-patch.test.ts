import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../../../src/kube/object.ts';
import { MAX_DEPTH } from './json-value.ts';
import { applyMergePatch } from './merge-patch.ts';

describe('applyMergePatch', () => {
  it.each<[JsonObject, Json, Json]>([
    // The cases of RFC 7386, appendix A, in which both sides are objects.
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
    // Cases in which the API server differs from RFC 7386.
    [{}, { a: [{ b: null, c: 1 }, null] }, { a: [{ c: 1 }, null] }],
    [{ a: { x: 1 } }, { a: [{ b: null }] }, { a: [{ b: null }] }],
    [{ a: null }, { a: { b: null } }, { a: {} }],
  ])('%j with %j is %j', (document, patch, object) => {
    expect(applyMergePatch(document, patch)).toEqual({ kind: 'patched', object });
  });

  it('does not modify its input, and treats any key as data', () => {
    const document = { a: { b: 1 } };
    const patch = JSON.parse(
      '{"a": {"c": 2}, "__proto__": {"x": 1}, "constructor": {"y": 2}}',
    ) as Json;
    const result = applyMergePatch(document, patch);
    expect(document).toEqual({ a: { b: 1 } });
    expect(JSON.stringify(result)).toBe(
      '{"kind":"patched","object":{"a":{"b":1,"c":2},"__proto__":{"x":1},"constructor":{"y":2}}}',
    );
  });

  it('refuses a patch that is not an object', () => {
    const notDecoded = (what: string): string =>
      `error decoding patch: json: cannot unmarshal ${what} into Go value of type map[string]interface {}`;
    expect(applyMergePatch({}, null)).toMatchObject({ code: 400, message: 'Invalid JSON Patch' });
    expect(applyMergePatch({}, 'x')).toMatchObject({ code: 400, message: notDecoded('string') });
    expect(applyMergePatch({}, [1])).toMatchObject({ code: 400, message: notDecoded('array') });
  });

  it('refuses a patch nested deeper than the limit', () => {
    let patch: JsonObject = {};
    for (let depth = 0; depth < MAX_DEPTH; depth++) patch = { a: patch };
    expect(applyMergePatch({}, patch).kind).toBe('patched');
    expect(applyMergePatch({}, { a: patch }).kind).toBe('failed');
  });
});
