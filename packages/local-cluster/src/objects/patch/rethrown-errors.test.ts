import { describe, expect, it } from 'vitest';

import type { Json } from '../../../../../src/kube/object.ts';
import { goSyntax, goText, goType, resultOf } from './patch-result.ts';

const VALUE = { b: [1, 'two', { c: null }], a: { x: true, d: 1.5 }, e: [], f: {} };

describe('a value in a message of the real server', () => {
  it('is printed as Go prints it, with sorted fields', () => {
    expect(goText(VALUE)).toBe('map[a:map[d:1.5 x:true] b:[1 two map[c:<nil>]] e:[] f:map[]]');
    expect(goText(null)).toBe('<nil>');
  });

  it('is printed in Go syntax where the message says so', () => {
    const map = 'map[string]interface {}';
    const list = '[]interface {}';
    expect(goSyntax(VALUE)).toBe(
      `${map}{"a":${map}{"d":1.5, "x":true}, "b":${list}{1, "two", ${map}{"c":interface {}(nil)}}, "e":${list}{}, "f":${map}{}}`,
    );
  });
});

describe('the Go type of a value', () => {
  it.each<[Json, string]>([
    [null, '<nil>'],
    [[], '[]interface {}'],
    [{}, 'map[string]interface {}'],
    [7, 'int64'],
    [2 ** 60, 'int64'],
    [-(2 ** 63), 'int64'],
    [1e19, 'float64'],
    [1.5, 'float64'],
    [false, 'bool'],
    ['x', 'string'],
  ])('of %j is %s', (value, type) => {
    expect(goType(value)).toBe(type);
  });
});

it('rethrows an error that is no refusal of the patch', () => {
  const failing = (): never => {
    throw new RangeError('a defect of ours');
  };
  expect(() => resultOf(failing)).toThrow(new RangeError('a defect of ours'));
});
