/** Encodes a message of the event API as protocol buffers. Pure; there is no decoder. */
import { bytesField, integerField, joined } from '../../../../model/protobuf.ts';
import { ENUMS, type Field, type Messages } from './messages.ts';

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
      return bytesField(field.number, joined(entry));
    });
  }
  if (!field.repeated) return encodeOne(messages, field, value);
  return (value as readonly unknown[]).map((item) =>
    bytesField(field.number, encodeMessage(messages, field.type, item as object)),
  );
}

/** Encodes one value. A scalar that is zero or empty is not written. */
function encodeOne(messages: Messages, { number, type }: Field, value: unknown): Uint8Array[] {
  if (type === 'string') {
    return value === '' ? [] : [bytesField(number, new TextEncoder().encode(String(value)))];
  }
  if (type === 'time') return [bytesField(number, encodeTime(String(value)))];
  const values = ENUMS[type];
  const isScalar = type === 'int32' || type === 'bool';
  if (values === undefined && !isScalar) {
    return [bytesField(number, encodeMessage(messages, type, value as object))];
  }
  const scalar = values === undefined ? Number(value) : values[String(value)];
  if (scalar === undefined) throw new Error(`${type} has no value ${String(value)}`);
  return scalar === 0 ? [] : [integerField(number, scalar)];
}

function encodeTime(text: string): Uint8Array {
  const ms = Date.parse(text);
  const seconds = Math.floor(ms / MS_PER_SECOND);
  const nanos = (ms - seconds * MS_PER_SECOND) * NS_PER_MS;
  const whole = integerField(1, seconds);
  return nanos === 0 ? whole : joined([whole, integerField(2, nanos)]);
}
