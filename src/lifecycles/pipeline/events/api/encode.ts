/** Encodes a message of the event API as protocol buffers. Pure; there is no decoder. */
import { ENUMS, type Field, type Messages } from './messages.ts';

const VARINT = 0;
const BYTES = 2;
const WIRE_BITS = 3;
const MS_PER_SECOND = 1_000;
const NS_PER_MS = 1_000_000;

type Value = Readonly<Record<string, unknown>>;

/** @throws Error for a field that the table does not have: nothing is omitted silently. */
export function encodeMessage(messages: Messages, name: string, value: object): Uint8Array {
  const fields = messages.get(name);
  if (fields === undefined) throw new Error(`${name} is no message of the event API`);
  const given = value as Value;
  const unknown = Object.keys(given).find((key) => !fields.some((field) => field.name === key));
  if (unknown !== undefined) throw new Error(`${name} has no field ${unknown}`);
  return joined(fields.flatMap((field) => encodeField(messages, field, given[field.name])));
}

function encodeField(messages: Messages, field: Field, value: unknown): Uint8Array[] {
  if (value === null || value === undefined) return [];
  if (field.key !== null) {
    const inMap = (number: number, type: string): Field => ({ ...field, number, type, key: null });
    return Object.entries(value).map(([key, item]) => {
      const own = field.key === 'int32' ? Number(key) : key;
      const entry = [
        ...encodeField(messages, inMap(1, field.key ?? ''), own),
        ...encodeField(messages, inMap(2, field.type), item),
      ];
      return lengthed(field.number, joined(entry));
    });
  }
  if (!field.repeated) return encodeOne(messages, field, value);
  return (value as readonly unknown[]).map((item) =>
    lengthed(field.number, encodeMessage(messages, field.type, item as object)),
  );
}

/** A scalar that is zero or empty is not written. */
function encodeOne(messages: Messages, { number, type }: Field, value: unknown): Uint8Array[] {
  if (type === 'string') {
    return value === '' ? [] : [lengthed(number, new TextEncoder().encode(String(value)))];
  }
  if (type === 'time') return [lengthed(number, encodeTime(String(value)))];
  const values = ENUMS[type];
  const isScalar = type === 'int32' || type === 'bool';
  if (values === undefined && !isScalar) {
    return [lengthed(number, encodeMessage(messages, type, value as object))];
  }
  const scalar = values === undefined ? Number(value) : values[String(value)];
  if (scalar === undefined) throw new Error(`${type} has no value ${String(value)}`);
  return scalar === 0 ? [] : [joined([tag(number, VARINT), varint(scalar)])];
}

function encodeTime(text: string): Uint8Array {
  const ms = Date.parse(text);
  const seconds = Math.floor(ms / MS_PER_SECOND);
  const nanos = (ms - seconds * MS_PER_SECOND) * NS_PER_MS;
  const parts = [tag(1, VARINT), varint(seconds)];
  return joined(nanos === 0 ? parts : [...parts, tag(2, VARINT), varint(nanos)]);
}

function lengthed(number: number, bytes: Uint8Array): Uint8Array {
  return joined([tag(number, BYTES), varint(bytes.length), bytes]);
}

function tag(number: number, wire: number): Uint8Array {
  return varint(number * 2 ** WIRE_BITS + wire);
}

const SEVEN_BITS = 0x80;

/** Encodes an integer from 0 to 2^53. */
function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= SEVEN_BITS) {
    bytes.push((rest % SEVEN_BITS) + SEVEN_BITS);
    rest = Math.floor(rest / SEVEN_BITS);
  }
  return Uint8Array.from([...bytes, rest]);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
