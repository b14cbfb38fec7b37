/**
 * Finds integers in a body that would be stored with another value.
 *
 * A number here has 53 bits. A real server keeps integers of 64 bits, so a larger one is refused instead of changed.
 */
import type { Json } from '../../../../src/kube/object.ts';
import { isJsonObject } from './patch/json-value.ts';
import type { TypeNode } from './type-node.ts';

/**
 * Digits of an integer that may have more than 53 bits. They can also be part of a text: then an integer elsewhere that
 * is equal to them once they are rounded is refused too.
 */
const LONG_INTEGER = /-?\d{16,19}(?![\d.eE])/g;

/**
 * The error for the first such integer; undefined if there is none. Fields whose type is a floating-point number are
 * skipped: a real server rounds them too.
 *
 * `text`: the text that the body was read from. Only it shows the digits.
 */
export function inexactFault(body: Json, type: TypeNode, text: string): string | undefined {
  const inexact = inexactIntegers(text);
  return inexact.size === 0 ? undefined : faultIn({ value: body, type, path: '' }, inexact);
}

/** The digits of each integer of 64 bits that is written differently once it is a number here; by that number. */
function inexactIntegers(text: string): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  for (const [digits] of text.matchAll(LONG_INTEGER)) {
    const value = Number(digits);
    const isLost = !Number.isSafeInteger(value) && String(value) !== digits;
    if (isLost && BigInt.asIntN(64, BigInt(digits)) === BigInt(digits)) found.set(value, digits);
  }
  return found;
}

interface Part {
  readonly value: Json;
  /** Undefined for a field that the type does not know. */
  readonly type: TypeNode | undefined;
  readonly path: string;
}

function faultIn(part: Part, inexact: ReadonlyMap<number, string>): string | undefined {
  const number = integerOf(part);
  if (number !== undefined) {
    const digits = inexact.get(number);
    if (digits === undefined) return undefined;
    return `${part.path}: the integer ${digits} is too large: the local cluster stores integers of at most 53 bits`;
  }
  for (const inner of partsOf(part)) {
    const fault = faultIn(inner, inexact);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/**
 * The value as an integer that must be exact; undefined for other values, and for floating-point fields. A number in a
 * quantity field was decoded to text, and counts too.
 */
function integerOf({ value, type }: Part): number | undefined {
  const scalar = type?.kind === 'scalar' ? type.scalar : undefined;
  if (typeof value === 'number') return scalar === 'number' ? undefined : value;
  const isNumber = scalar === 'quantity' && String(Number(value)) === value;
  return isNumber ? Number(value) : undefined;
}

function partsOf({ value, type, path }: Part): readonly Part[] {
  if (Array.isArray(value)) {
    const items = type?.kind === 'list' ? type.items : undefined;
    return value.map((item, index) => ({ value: item, type: items, path: `${path}[${index}]` }));
  }
  if (!isJsonObject(value)) return [];
  return Object.entries(value).map(([name, field]) => ({
    value: field,
    type: fieldType(type, name),
    path: path === '' ? name : `${path}.${name}`,
  }));
}

function fieldType(type: TypeNode | undefined, name: string): TypeNode | undefined {
  if (type?.kind === 'map') return type.values;
  return type?.kind === 'struct' ? type.field(name) : undefined;
}
