import { assert, constantFrom, integer, nat, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalQuantity, compareQuantities, parseQuantity } from './quantity.ts';

const parse = (text: string) => {
  const parsed = parseQuantity(text);
  if (parsed === undefined) throw new Error(`${text} is no quantity`);
  return parsed;
};

describe('a quantity', () => {
  it.each([
    ['0.5', '500m'],
    ['1024Mi', '1Gi'],
    ['1000Mi', '1000Mi'],
    ['1.5Gi', '1536Mi'],
    ['0.5Ki', '512'],
    ['1000', '1k'],
    ['1e3', '1e3'],
    ['1500e-3', '1500e-3'],
    ['-0.001', '-1m'],
    ['0', '0'],
    ['00', '0'],
    ['100n', '100n'],
    ['0.0000000001', '1n'],
    ['.5', '500m'],
    ['1E', '1E'],
  ])('%s is stored as %s', (sent, stored) => {
    expect(canonicalQuantity(sent)).toBe(stored);
  });

  it.each(['', '.', '1 Gi', 'Gi', '1gi', '1e', '--1', '0x1', '1KiB', '9'.repeat(65)])(
    'is not %j, which is stored unchanged',
    (text) => {
      expect(parseQuantity(text)).toBeUndefined();
      expect(canonicalQuantity(text)).toBe(text);
    },
  );

  it('compares by value, whatever the unit', () => {
    expect(compareQuantities(parse('1Gi'), parse('1024Mi'))).toBe(0);
    expect(compareQuantities(parse('1G'), parse('1Gi'))).toBe(-1);
    expect(compareQuantities(parse('0.1'), parse('99m'))).toBe(1);
  });

  it('has one canonical form with the same value', () => {
    const suffix = constantFrom('', 'n', 'u', 'm', 'k', 'M', 'G', 'Ki', 'Mi', 'Gi', 'e3', 'e-3');
    assert(
      property(integer(), nat(999_999), suffix, (whole, fraction, unit) => {
        const text = `${whole}.${fraction}${unit}`;
        const stored = canonicalQuantity(text);
        expect(canonicalQuantity(stored)).toBe(stored);
        expect(compareQuantities(parse(stored), parse(text))).toBe(0);
      }),
    );
  });
});
