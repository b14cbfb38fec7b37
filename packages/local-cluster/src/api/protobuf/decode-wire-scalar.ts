/**
 * Decodes scalar values of the protobuf wire format to JSON. Some scalars of Kubernetes are messages in that format.
 */
import type { Json } from '../../../../../src/kube/object.ts';
import { SCALARS } from '../../objects/table/field-words.ts';
import type { ScalarNode } from '../../objects/type-node.ts';

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
  if (type === 'int64') return exact(BigInt.asIntN(64, value));
  throw new WireError(`wrong wireType = 0 for a ${type}`);
}

/** Throws for an integer that would be stored with another value: see `inexactFault`. */
function exact(value: bigint): number {
  const number = Number(value);
  if (Number.isSafeInteger(number) || String(number) === String(value)) return number;
  throw new WireError(
    `the integer ${value} is too large: the local cluster stores integers of at most 53 bits`,
  );
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

/** Returns null if the time is not set. */
function timeOf(bytes: Uint8Array, digits: number): string | null {
  if (bytes.length === 0) return null;
  const { 1: seconds = 0n, 2: nanos = 0n } = fieldsOf(bytes);
  const date = new Date(Number(BigInt.asIntN(64, asNumber(seconds))) * 1_000);
  if (Number.isNaN(date.getTime())) throw new WireError('a time is out of range');
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

/** One field of a message in the protobuf wire format. Groups are not supported. */
export interface WireValue {
  readonly number: number;
  /** A bigint for a varint; the raw bytes for a fixed 4-byte or 8-byte value and for a length-delimited one. */
  readonly value: bigint | Uint8Array;
}

export class WireError extends Error {}

export function readMessage(bytes: Uint8Array): WireValue[] {
  const reader = new Reader(bytes);
  const values: WireValue[] = [];
  while (!reader.done) values.push(reader.field());
  return values;
}

/** Reads a packed list of numbers. */
export function readVarints(bytes: Uint8Array): bigint[] {
  const reader = new Reader(bytes);
  const values: bigint[] = [];
  while (!reader.done) values.push(reader.varint());
  return values;
}

/** A varint has seven bits of the value in each byte, so 64 bits need at most ten bytes. */
const MAX_VARINT_BYTES = 10;

class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get done(): boolean {
    return this.#at >= this.#bytes.length;
  }

  field(): WireValue {
    const tag = Number(this.varint());
    const number = Math.floor(tag / 8);
    switch (tag % 8) {
      case 0:
        return { number, value: this.varint() };
      case 1:
        return { number, value: this.#take(8) };
      case 2:
        return { number, value: this.#take(Number(this.varint())) };
      case 5:
        return { number, value: this.#take(4) };
      default:
        throw new WireError(`illegal wireType ${tag % 8}`);
    }
  }

  varint(): bigint {
    let value = 0n;
    for (let index = 0; index < MAX_VARINT_BYTES; index += 1) {
      const byte = this.#bytes[this.#at];
      if (byte === undefined) throw new WireError('unexpected EOF');
      this.#at += 1;
      value |= BigInt(byte & 0x7f) << BigInt(7 * index);
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw new WireError('integer overflow');
  }

  #take(length: number): Uint8Array {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new WireError('unexpected EOF');
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }
}
