/** Registers the functions that Kubernetes adds to CEL: for lists, texts, patterns and quantities. */
import { Environment } from '@marcbachmann/cel-js';

import type { Compile } from '../../../../../src/model/pattern.ts';
import {
  compareQuantities,
  parseQuantity,
  type Quantity,
} from '../../../../../src/kube/quantity.ts';

type Ordered = bigint | number | string | Date;

const NANOS = 1_000_000_000n;

export function registerRuleFunctions(environment: Environment, patterns: Compile): void {
  registerPatterns(environment, patterns);
  registerLists(environment);
  registerTexts(environment);
  registerQuantities(environment);
}

function registerPatterns(environment: Environment, patterns: Compile): void {
  const matches = (text: string, pattern: string): boolean => {
    const matcher = patterns(pattern);
    if ('invalid' in matcher) throw new Error(`invalid pattern: ${matcher.invalid}`);
    return matcher.matches(text);
  };
  environment
    .registerFunction('string.re2Matches(string): bool', matches)
    .registerFunction('matches(string, string): bool', matches);
}

function registerLists(environment: Environment): void {
  const equals = equality();
  environment
    .registerFunction('list.isSorted(): bool', (items: Ordered[]) =>
      items.every((item, index) => index === 0 || (items[index - 1] ?? item) <= item),
    )
    .registerFunction('list.sum(): dyn', (items: (bigint | number)[]) => sum(items))
    .registerFunction('list.min(): dyn', (items: Ordered[]) => least(items, (a, b) => a < b))
    .registerFunction('list.max(): dyn', (items: Ordered[]) => least(items, (a, b) => a > b))
    .registerFunction('list.indexOf(dyn): int', (items: unknown[], item: unknown) =>
      BigInt(items.findIndex((one) => equals(one, item))),
    )
    .registerFunction('list.lastIndexOf(dyn): int', (items: unknown[], item: unknown) =>
      BigInt(items.findLastIndex((one) => equals(one, item))),
    );
}

/** The operator `==` of a rule, which compares lists, maps and times by their values. */
function equality(): (a: unknown, b: unknown) => boolean {
  const environment = new Environment({ homogeneousAggregateLiterals: false });
  // The engine refuses to compare values of a type that it does not know.
  registerQuantities(environment);
  const program = environment
    .registerVariable('a', 'dyn')
    .registerVariable('b', 'dyn')
    .parse('[a] == [b]');
  return (a, b) => program({ a, b }) === true;
}

function sum(items: readonly (bigint | number)[]): bigint | number {
  if (items.every((item) => typeof item === 'bigint')) {
    return items.reduce((total, item) => total + item, 0n);
  }
  return items.reduce<number>((total, item) => total + Number(item), 0);
}

function least(items: readonly Ordered[], before: (a: Ordered, b: Ordered) => boolean): Ordered {
  const [first] = items;
  if (first === undefined) throw new Error('min or max called on an empty list');
  return items.reduce((found, item) => (before(item, found) ? item : found), first);
}

function registerTexts(environment: Environment): void {
  environment
    .registerFunction(
      'string.replace(string, string): string',
      (text: string, from: string, to: string) => text.replaceAll(from, () => to),
    )
    .registerFunction('string.charAt(int): string', (text: string, at: bigint) => {
      if (at < 0n || at > BigInt(text.length)) throw new Error(`index out of range: ${at}`);
      return text.charAt(Number(at));
    });
}

/** A class, since the engine recognises custom types by their constructors. */
class QuantityValue {
  readonly quantity: Quantity;

  constructor(quantity: Quantity) {
    this.quantity = quantity;
  }
}

function registerQuantities(environment: Environment): void {
  const compare = (a: QuantityValue, b: QuantityValue): number =>
    compareQuantities(a.quantity, b.quantity);
  environment
    .registerType('Quantity', { ctor: QuantityValue, fields: {} })
    .registerFunction(
      'isQuantity(string): bool',
      (text: string) => parseQuantity(text) !== undefined,
    )
    .registerFunction('quantity(string): Quantity', readQuantity)
    .registerFunction('Quantity.compareTo(Quantity): int', (a: QuantityValue, b: QuantityValue) =>
      BigInt(compare(a, b)),
    )
    .registerFunction(
      'Quantity.isGreaterThan(Quantity): bool',
      (a: QuantityValue, b: QuantityValue) => compare(a, b) > 0,
    )
    .registerFunction(
      'Quantity.isLessThan(Quantity): bool',
      (a: QuantityValue, b: QuantityValue) => compare(a, b) < 0,
    )
    .registerFunction('Quantity.sign(): int', ({ quantity }: QuantityValue) =>
      BigInt(compareQuantities(quantity, { ...quantity, nanos: 0n })),
    )
    .registerFunction(
      'Quantity.isInteger(): bool',
      ({ quantity }: QuantityValue) => quantity.nanos % NANOS === 0n,
    )
    .registerFunction('Quantity.asInteger(): int', ({ quantity }: QuantityValue) => {
      if (quantity.nanos % NANOS !== 0n) throw new Error('cannot convert value to integer');
      return quantity.nanos / NANOS;
    });
}

function readQuantity(text: string): QuantityValue {
  const quantity = parseQuantity(text);
  if (quantity === undefined) throw new Error(`${JSON.stringify(text)} is not a quantity`);
  return new QuantityValue(quantity);
}

/** The first line of the engine's message, without the lines that show the position in the rule. */
export function summaryOf(error: unknown): string {
  const { summary } = error as { summary?: string };
  if (summary !== undefined) return summary;
  return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
}
