/**
 * Decodes one scalar of a built-in type to its stored form, or returns an error with Go's text.
 *
 * Quantities that are numbers become strings, and times are converted to UTC. Other values stay unchanged.
 */
import type { Json } from '../../../../src/kube/object.ts';
import { parseQuantity } from '../../../../src/kube/quantity.ts';
import type { ScalarNode } from './type-node.ts';

export type DecodedScalar =
  | { readonly kind: 'value'; readonly value: Json }
  /** The value has another type. `goType`: name of the expected type in the error message. */
  | { readonly kind: 'mismatch'; readonly received: string; readonly goType: string }
  /** The value has the right type but is invalid. `message`: the whole error message. */
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

/** Name of a value's JSON type in the errors of Go's decoder. */
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
  if (isInteger64(value) && fits) return keep(value);
  return { kind: 'mismatch', received: `number ${value}`, goType: scalar };
}

/**
 * True for an integer of 64 bits; a real server reads a larger one as a float. 2^63 counts too: older versions stored
 * the largest integer of 64 bits, 2^63 - 1, as 2^63.
 */
export function isInteger64(value: number): boolean {
  return Number.isInteger(value) && Math.abs(value) <= 2 ** 63;
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

/** Index at which the text stops being base64; undefined if it is valid. */
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

/**
 * Result of reading an RFC 3339 time. Errors have Go's text. Times are stored in UTC with whole seconds; a microTime
 * has six decimals.
 */
type ReadTime = { readonly text: string } | { readonly error: string };

const LAYOUTS = {
  time: '2006-01-02T15:04:05Z07:00',
  microTime: '2006-01-02T15:04:05.000000Z07:00',
} as const;

/** Parts of a time in order: Go's name, pattern, name in range errors, and largest value. */
const PARTS: readonly (readonly [string, RegExp, string?, number?])[] = [
  ['2006', /^\d{4}/],
  ['-', /^-/],
  ['01', /^\d\d/, 'month', 12],
  ['-', /^-/],
  ['02', /^\d\d/, 'day', 31],
  ['T', /^T/],
  ['15', /^\d\d/, 'hour', 23],
  [':', /^:/],
  ['04', /^\d\d/, 'minute', 59],
  [':', /^:/],
  ['05', /^\d\d(\.\d+)?/, 'second', 59.999_999_999_9],
  ['Z07:00', /^(Z|[+-]\d\d:\d\d)/],
];

export function readTime(text: string, form: keyof typeof LAYOUTS): ReadTime {
  const fault = timeFault(text, LAYOUTS[form]);
  if (fault !== undefined) return { error: fault };
  const fraction = /\.(\d+)/.exec(text)?.[1] ?? '';
  const localMs = Date.parse(`${text.slice(0, 19)}Z`);
  const seconds = new Date(localMs - offsetMs(text)).toISOString().slice(0, 19);
  return {
    text: form === 'time' ? `${seconds}Z` : `${seconds}.${fraction.padEnd(6, '0').slice(0, 6)}Z`,
  };
}

/** Milliseconds that the zone of a valid time is ahead of UTC. Date.parse reads no offset of 24 hours, but Go does. */
function offsetMs(text: string): number {
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)$/.exec(text) ?? [];
  if (sign === undefined) return 0;
  const ms = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return sign === '-' ? -ms : ms;
}

/** Largest hours and minutes of an offset for Go's parser. */
const OFFSET_HOURS_MAX = 24;
const OFFSET_MINUTES_MAX = 60;

/** The part of a zone such as "+25:00" that is out of range; undefined if there is none. */
function offsetFault(zone: string): string | undefined {
  const [, hours = '0', minutes = '0'] = /^[+-](\d\d):(\d\d)$/.exec(zone) ?? [];
  if (Number(hours) > OFFSET_HOURS_MAX) return 'time zone offset hour';
  return Number(minutes) > OFFSET_MINUTES_MAX ? 'time zone offset minute' : undefined;
}

function timeFault(text: string, layout: string): string | undefined {
  const quoted = JSON.stringify(text);
  let rest = text;
  let zone = '';
  for (const [word, form, name, max = 0] of PARTS) {
    const found = form.exec(rest)?.[0];
    if (found === undefined) {
      return `parsing time ${quoted} as "${layout}": cannot parse ${JSON.stringify(rest)} as "${word}"`;
    }
    if (name !== undefined && outOfRange(name, Number(found), max)) {
      return `parsing time ${quoted}: ${name} out of range`;
    }
    rest = rest.slice(found.length);
    zone = found;
  }
  const offset = offsetFault(zone);
  if (offset !== undefined) return `parsing time ${quoted}: ${offset} out of range`;
  if (rest !== '') return `parsing time ${quoted}: extra text: ${JSON.stringify(rest)}`;
  return dayExists(text) ? undefined : `parsing time ${quoted}: day out of range`;
}

function outOfRange(name: string, value: number, max: number): boolean {
  return value > max || (value < 1 && (name === 'month' || name === 'day'));
}

/** True if the date exists; false for dates such as 31 April. */
function dayExists(text: string): boolean {
  const date = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text.slice(0, 10));
}
