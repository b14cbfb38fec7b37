import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../../src/kube/object.ts';
import { copyJson } from './json-value.ts';

describe('copyJson', () => {
  it('shares no object with its input, including lists in lists', () => {
    const given: JsonObject = { a: { b: [[{ c: 1 }], null, 'x'] }, d: null, e: true };
    const before = JSON.stringify(given);
    const copy = copyJson(given);
    expect(copy).toEqual(given);
    (copy['a'] as { b: [[JsonObject]] }).b[0][0]['c'] = 2;
    (copy['a'] as { b: unknown[] }).b.push('y');
    expect(JSON.stringify(given)).toBe(before);
  });

  it('keeps a field called __proto__ or constructor as a field', () => {
    const text = '{"__proto__":{"admin":true},"constructor":{"x":[1]}}';
    const copy = copyJson(JSON.parse(text) as JsonObject);
    expect(JSON.stringify(copy)).toBe(text);
    expect(copy['admin']).toBeUndefined();
  });
});
