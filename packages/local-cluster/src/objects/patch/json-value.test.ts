import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../../../src/kube/object.ts';
import { copyJson, jsonEqual } from './json-value.ts';

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

describe('jsonEqual', () => {
  it.each<[Json, Json]>([
    [[], []],
    [
      { a: 1, b: [{ c: null }] },
      { b: [{ c: null }], a: 1 },
    ],
    [
      [1, 'x'],
      [1, 'x'],
    ],
  ])('%j equals %j, whatever the order of the fields', (left, right) => {
    expect(jsonEqual(left, right)).toBe(true);
  });

  it.each<[Json, Json]>([
    [[1], [1, 2]],
    [[1, 2], [1]],
    [
      [1, 2],
      [2, 1],
    ],
    [[], {}],
    [['x'], { 0: 'x' }],
    [['x'], { 0: 'x', length: 1 }],
    [{}, null],
    [{ a: 1 }, { a: 1, b: 2 }],
    [{ a: 1, b: 2 }, { a: 1 }],
    [
      { a: 1, b: 2 },
      { a: 1, b: 3 },
    ],
    [
      { a: 1, b: 2 },
      { a: 1, c: 2 },
    ],
    [{ a: { b: 1 } }, { a: { b: 2 } }],
    ['1', 1],
  ])('%j does not equal %j', (left, right) => {
    expect(jsonEqual(left, right)).toBe(false);
  });

  it('does not take an inherited field for one of the object', () => {
    const constructor = Object as unknown as Json;
    expect(jsonEqual({ constructor }, { other: 1 })).toBe(false);
  });
});
