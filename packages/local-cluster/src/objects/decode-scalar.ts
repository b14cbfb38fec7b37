/**
 * Decodes one scalar of a built-in type to the stored form, or returns an error in Go's text. Quantities written as
 * numbers become strings, times become UTC, other values stay unchanged.
 */
import type { Json } from '../../../../src/kube/object.ts';
import { readTime } from './decode-time.ts';
import { parseQuantity } from '../../../../src/kube/quantity.ts';
import type { ScalarNode } from './type-node.ts';

export type DecodedScalar =
  | { readonly kind: 'value'; readonly value: Json }
  /** Another type; `goType` is the name of the type in the message. */
  | { readonly kind: 'mismatch'; readonly received: string; readonly goType: string }
  /** The right type, but an invalid value: the whole message. */
  | { readonly kind: 'malformed'; readonly message: string };

type Scalar = ScalarNode['scalar'];

const GO_TYPES: Readonly<Record<Scalar, string>> = {
  string: 'string',
  boolean: 'bool',
  int32: 'int32',
  int64: 'int64',
  number: 'float64',
  intOrString: 'int32',
  quantity: 'string',
  time: 'string',
  microTime: 'string',
  bytes: '[]uint8',
};

const INT32_MAX = 2_147_483_647;
const BAD_QUANTITY = `quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'`;
const QUANTITY_FORM = /^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$/;

/** The replacement for null in a list or a map, where nothing can be omitted. */
export function zeroValue(scalar: Scalar): Json {
  if (scalar === 'boolean') return false;
  if (scalar === 'quantity') return '0';
  return ['int32', 'int64', 'number', 'intOrString'].includes(scalar) ? 0 : '';
}

export function decodeScalar(value: Json, scalar: Scalar): DecodedScalar {
  return DECODERS[scalar](value);
}

const DECODERS: Readonly<Record<Scalar, (value: Json) => DecodedScalar>> = {
  string: (value) => decodeTypeOf(value, 'string'),
  boolean: (value) => decodeTypeOf(value, 'boolean'),
  number: (value) => decodeTypeOf(value, 'number'),
  int32: (value) => decodeInteger(value, 'int32'),
  int64: (value) => decodeInteger(value, 'int64'),
  intOrString: decodeIntOrString,
  quantity: decodeQuantity,
  time: (value) => decodeTime(value, 'time'),
  microTime: (value) => decodeTime(value, 'microTime'),
  bytes: decodeBytes,
};

/** The name of a value's type in Go's JSON decoder. */
export function receivedWord(value: Json): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

function keep(value: Json): DecodedScalar {
  return { kind: 'value', value };
}

function mismatch(value: Json, scalar: Scalar): DecodedScalar {
  return { kind: 'mismatch', received: receivedWord(value), goType: GO_TYPES[scalar] };
}

function decodeTypeOf(value: Json, scalar: 'string' | 'boolean' | 'number'): DecodedScalar {
  return typeof value === scalar ? keep(value) : mismatch(value, scalar);
}

function decodeInteger(value: Json, scalar: 'int32' | 'int64'): DecodedScalar {
  if (typeof value !== 'number') return mismatch(value, scalar);
  const fits = scalar === 'int64' || (value <= INT32_MAX && value >= -INT32_MAX - 1);
  if (Number.isInteger(value) && fits) return keep(value);
  return { kind: 'mismatch', received: `number ${value}`, goType: scalar };
}

function decodeIntOrString(value: Json): DecodedScalar {
  if (typeof value === 'string') return keep(value);
  return decodeInteger(value, 'int32');
}

function decodeQuantity(value: Json): DecodedScalar {
  if (typeof value !== 'string' && typeof value !== 'number') return malformed(BAD_QUANTITY);
  const text = String(value);
  if (parseQuantity(text) !== undefined) return keep(text);
  return malformed(QUANTITY_FORM.test(text) ? `unable to parse quantity's suffix` : BAD_QUANTITY);
}

function decodeTime(value: Json, form: 'time' | 'microTime'): DecodedScalar {
  if (typeof value !== 'string') return mismatch(value, form);
  const read = readTime(value, form);
  return 'error' in read ? malformed(read.error) : keep(read.text);
}

function decodeBytes(value: Json): DecodedScalar {
  if (typeof value !== 'string') return mismatch(value, 'bytes');
  const text = value.replaceAll(/[\r\n]/g, '');
  const fault = base64Fault(text);
  return fault === undefined ? keep(text) : malformed(`illegal base64 data at input byte ${fault}`);
}

/** The index at which the text stops being base64; undefined: it is valid. */
function base64Fault(text: string): number | undefined {
  const body = /^[A-Za-z0-9+/]*/.exec(text)?.[0] ?? '';
  const padding = text.slice(body.length);
  const wanted = ['', undefined, '==', '='][body.length % 4];
  if (padding === wanted) return undefined;
  if (padding === '') return body.length - (body.length % 4);
  if (wanted === undefined) return body.length;
  return body.length + (padding.startsWith(wanted) ? wanted.length : 0);
}

function malformed(message: string): DecodedScalar {
  return { kind: 'malformed', message };
}
