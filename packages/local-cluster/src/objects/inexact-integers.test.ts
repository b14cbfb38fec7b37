import { describe, expect, it } from 'vitest';

import type { Json } from '../../../../src/kube/object.ts';
import { customType, listOf } from '../../test/custom-type.ts';
import { inexactFault } from './inexact-integers.ts';
import type { TypeNode } from './type-node.ts';

const integer: TypeNode = { kind: 'scalar', scalar: 'int64' };
const quantity: TypeNode = { kind: 'scalar', scalar: 'quantity' };
const float: TypeNode = { kind: 'scalar', scalar: 'number' };
const type = customType({
  big: integer,
  float,
  quantity,
  list: listOf(integer, 'atomic'),
  any: { kind: 'any' },
});

/** The fault of a quantity that was a number: it is a text once it is decoded. */
const faultOfQuantity = (digits: string): string | undefined =>
  inexactFault({ quantity: String(Number(digits)) }, type, `{"quantity":${digits}}`);
const faultOf = (text: string): string | undefined =>
  inexactFault(JSON.parse(text) as Json, type, text);
const tooLarge = (path: string, digits: string): string =>
  `${path}: the integer ${digits} is too large: the local cluster stores integers of at most 53 bits`;

describe('an integer that has more than 53 bits', () => {
  it.each([
    ['in a field of integers', '{"big":9007199254740993}', tooLarge('big', '9007199254740993')],
    ['that is negative', '{"big":-9007199254740993}', tooLarge('big', '-9007199254740993')],
    ['that is the largest', '{"big":9223372036854775807}', tooLarge('big', '9223372036854775807')],
    ['in a list', '{"list":[1,1234567890123456789]}', tooLarge('list[1]', '1234567890123456789')],
    ['in an untyped value', '{"any":[9007199254740993]}', tooLarge('any[0]', '9007199254740993')],
    ['that prints rounded', '{"big":1152921504606846976}', tooLarge('big', '1152921504606846976')],
  ])('is refused %s', (_title, text, fault) => {
    expect(faultOf(text)).toBe(fault);
  });

  it('is refused as a quantity too, unless it is a text', () => {
    const digits = '9007199254740993';
    expect(faultOfQuantity(digits)).toBe(tooLarge('quantity', digits));
    expect(faultOfQuantity('9007199254740991')).toBeUndefined();
    expect(faultOf(`{"quantity":"${digits}"}`)).toBeUndefined();
    expect(faultOf(`{"quantity":"9Pi","any":"${digits}"}`)).toBeUndefined();
  });

  it.each([
    ['keeps its digits', '{"big":1000000000000000000}'],
    ['is safe', '{"big":9007199254740991}'],
    ['is in a field of floating-point numbers', '{"float":9223372036854775807}'],
    ['is a text', '{"any":"9007199254740993"}'],
    ['has more than 64 bits, which a real server rounds', '{"any":9999999999999999999}'],
    ['is part of the digits of a text', '{"any":"0000000000000001","big":1}'],
    ['is the fraction of a number', '{"any":0.9007199254740993}'],
  ])('is accepted if it %s', (_title, text) => {
    expect(faultOf(text)).toBeUndefined();
  });
});
