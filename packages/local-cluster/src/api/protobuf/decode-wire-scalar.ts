/** Decodes single values of the wire format to JSON; some of Kubernetes' scalar values are messages there. */
import type { Json } from '../../../../../src/kube/object.ts';
import { SCALARS } from '../../objects/table/field-words.ts';
import type { ScalarNode } from '../../objects/type-node.ts';
import { readMessage, WireError, type WireValue } from './read-message.ts';

type Scalar = ScalarNode['scalar'];

export function isScalar(type: string): type is Scalar {
  return Object.hasOwn(SCALARS, type);
}

export function decodeScalar(type: Scalar, value: WireValue['value']): Json {
  return typeof value === 'bigint' ? ofNumber(type, value) : OF_BYTES[type](value);
}

export function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function ofNumber(type: Scalar, value: bigint): Json {
  if (type === 'boolean') return value !== 0n;
  if (type === 'int32') return Number(BigInt.asIntN(32, value));
  if (type === 'int64') return Number(BigInt.asIntN(64, value));
  throw new WireError(`wrong wireType = 0 for a ${type}`);
}

const notNumber = (): never => {
  throw new WireError('wrong wireType = 2 for a number');
};

const OF_BYTES: Readonly<Record<Scalar, (bytes: Uint8Array) => Json>> = {
  string: textOf,
  boolean: notNumber,
  int32: notNumber,
  int64: notNumber,
  number: doubleOf,
  bytes: (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')),
  quantity: (bytes) => textOf(asBytes(fieldsOf(bytes)[1])),
  intOrString(bytes) {
    const { 1: type = 0n, 2: number = 0n, 3: text } = fieldsOf(bytes);
    return type === 0n ? Number(BigInt.asIntN(32, asNumber(number))) : textOf(asBytes(text));
  },
  time: (bytes) => timeOf(bytes, 0),
  microTime: (bytes) => timeOf(bytes, MICRO_DIGITS),
};

const MICRO_DIGITS = 6;
const DOUBLE_BYTES = 8;

function doubleOf(bytes: Uint8Array): number {
  if (bytes.length !== DOUBLE_BYTES) throw new WireError('wrong wireType for a number');
  return new DataView(bytes.buffer, bytes.byteOffset, DOUBLE_BYTES).getFloat64(0, true);
}

/** null: not set. */
function timeOf(bytes: Uint8Array, digits: number): string | null {
  if (bytes.length === 0) return null;
  const { 1: seconds = 0n, 2: nanos = 0n } = fieldsOf(bytes);
  const date = new Date(Number(BigInt.asIntN(64, asNumber(seconds))) * 1_000);
  if (Number.isNaN(date.getTime())) throw new WireError('a time is out of its range');
  const fraction = String(asNumber(nanos)).padStart(9, '0').slice(0, digits);
  return `${date.toISOString().slice(0, 19)}${digits === 0 ? '' : `.${fraction}`}Z`;
}

function fieldsOf(bytes: Uint8Array): Readonly<Record<number, WireValue['value']>> {
  return Object.fromEntries(readMessage(bytes).map(({ number, value }) => [number, value]));
}

function asBytes(value: WireValue['value'] | undefined): Uint8Array {
  return value instanceof Uint8Array ? value : new Uint8Array();
}

function asNumber(value: WireValue['value']): bigint {
  return typeof value === 'bigint' ? value : 0n;
}
