/**
 * Decodes bodies in the protobuf format of Kubernetes to JSON objects.
 *
 * Go clients send it since 1.32 (kubectl's `create deployment` and the like). Responses are JSON, which these clients
 * accept.
 *
 * The message is an envelope that holds the kind and the object. Fields have numbers: a generated table has their
 * names, and the table of built-in kinds has their types. Unknown numbers are skipped, as on a real server.
 */
import generated from './wire-numbers.json' with { type: 'json' };
import type { Json, JsonObject } from '../../../../../src/kube/object.ts';
import { isTooDeep } from '../../objects/patch/json-value.ts';
import { builtinName, definitionRow } from '../../objects/table/builtin-type.ts';
import { parseFieldWords } from '../../objects/table/field-words.ts';
import {
  decodeScalar,
  isScalar,
  readMessage,
  readVarints,
  textOf,
  WireError,
  type WireValue,
} from './decode-wire-scalar.ts';

export const PROTOBUF_TYPE = 'application/vnd.kubernetes.protobuf';

const MAGIC = [0x6b, 0x38, 0x73, 0x00];

export type DecodedProtobuf =
  | { readonly kind: 'decoded'; readonly object: JsonObject }
  | { readonly kind: 'failed'; readonly why: string };

export function decodeProtobuf(bytes: Uint8Array): DecodedProtobuf {
  if (!MAGIC.every((byte, index) => bytes[index] === byte)) {
    return { kind: 'failed', why: 'provided data does not appear to be a protobuf message' };
  }
  try {
    const envelope = readMessage(bytes.subarray(MAGIC.length));
    const meta = readMessage(bytesOf(envelope, 1));
    const [apiVersion, kind] = [textOf(bytesOf(meta, 1)), textOf(bytesOf(meta, 2))];
    const name = typeNameOf(apiVersion, kind);
    if (name === undefined) {
      return { kind: 'failed', why: `no kind "${kind}" is registered for version "${apiVersion}"` };
    }
    const object = { apiVersion, kind, ...decodeStruct(name, bytesOf(envelope, 2)) };
    if (isTooDeep(object)) throw new WireError('exceeded max depth');
    return { kind: 'decoded', object };
  } catch (error) {
    if (!(error instanceof WireError) && !(error instanceof SyntaxError)) throw error;
    return { kind: 'failed', why: `proto: ${error.message}` };
  }
}

function bytesOf(values: readonly WireValue[], number: number): Uint8Array {
  const found = values.findLast((value) => value.number === number)?.value;
  return found instanceof Uint8Array ? found : new Uint8Array();
}

/** The type's name in the generated table. DeleteOptions are accepted with the apiVersion of any group. */
function typeNameOf(apiVersion: string, kind: string): string | undefined {
  if (kind === 'DeleteOptions') return 'meta.v1.DeleteOptions';
  const slash = apiVersion.indexOf('/');
  const group = slash === -1 ? '' : apiVersion.slice(0, slash);
  return builtinName(group, apiVersion.slice(slash + 1), kind);
}

function decodeStruct(name: string, bytes: Uint8Array): JsonObject {
  const object: JsonObject = {};
  decodeInto(object, { wireName: name, typeName: name }, bytes);
  return object;
}

interface StructNames {
  /** Type whose field numbers apply. */
  readonly wireName: string;
  /** Type whose field types apply. For an inlined message it is the type of the enclosing object. */
  readonly typeName: string;
}

function decodeInto(object: JsonObject, names: StructNames, bytes: Uint8Array): void {
  const row = wireRow(names.wireName);
  const types = definitionRow(names.typeName)?.fields ?? {};
  for (const [number, values] of groupByNumber(readMessage(bytes))) {
    const field = row.get(number);
    if (field?.use === 'inline') {
      const wireName = `${names.wireName.slice(0, names.wireName.lastIndexOf('.'))}.${field.name}`;
      for (const value of values) decodeInto(object, { ...names, wireName }, asBytes(value));
    } else if (field !== undefined && Object.hasOwn(types, field.name)) {
      setField(object, field, decodeField(types[field.name] ?? 'any', values));
    }
  }
}

function setField(object: JsonObject, { name, use }: WireField, value: Json): void {
  const isZero = value === '' || value === 0 || value === false || value === null;
  if (use === 'pointer' || !isZero) object[name] = value;
}

function groupByNumber(values: readonly WireValue[]): Map<number, WireValue['value'][]> {
  const groups = new Map<number, WireValue['value'][]>();
  for (const { number, value } of values) {
    const group = groups.get(number);
    if (group === undefined) groups.set(number, [value]);
    else group.push(value);
  }
  return groups;
}

function decodeField(words: string, values: readonly WireValue['value'][]): Json {
  const { type } = parseFieldWords(words);
  if (type.startsWith('[]')) return decodeList(type.slice(2), values);
  if (type.startsWith('{}')) {
    return Object.fromEntries(values.map((value) => decodeEntry(type.slice(2), value)));
  }
  return decodeOne(type, values.at(-1) ?? new Uint8Array());
}

function decodeList(items: string, values: readonly WireValue['value'][]): Json[] {
  const numbers = items === 'int32' || items === 'int64';
  const unpacked = values.flatMap((value) =>
    numbers && value instanceof Uint8Array ? readVarints(value) : [value],
  );
  return unpacked.map((value) => decodeOne(items, value));
}

/**
 * Decodes one entry of a map: a message with a key and a value. If the value is a list, one more message contains its
 * items.
 */
function decodeEntry(type: string, entry: WireValue['value']): [string, Json] {
  const values = readMessage(asBytes(entry));
  const found = values.findLast(({ number }) => number === 2)?.value ?? new Uint8Array();
  const value = type.startsWith('[]')
    ? decodeList(
        type.slice(2),
        readMessage(asBytes(found)).map((item) => item.value),
      )
    : decodeOne(type, found);
  return [textOf(bytesOf(values, 1)), value];
}

function decodeOne(type: string, value: WireValue['value']): Json {
  if (isScalar(type)) return decodeScalar(type, value);
  if (type !== 'any') return decodeStruct(type, asBytes(value));
  const raw = bytesOf(readMessage(asBytes(value)), 1);
  return raw.length === 0 ? null : (JSON.parse(textOf(raw)) as Json);
}

function asBytes(value: WireValue['value']): Uint8Array {
  if (value instanceof Uint8Array) return value;
  throw new WireError('wrong wireType = 0 for a message');
}

/**
 * Protobuf field numbers of the built-in types, generated (scripts/generate-wire-numbers.ts). A row is a list of
 * entries separated by blanks:
 *   "1=name"          field 1 is `name`; its zero value is omitted
 *   "4*replicas"      a pointer: a zero value is kept
 *   "2<VolumeSource"  the fields of that message of the same group are inlined in the object
 */
interface WireField {
  readonly name: string;
  readonly use: 'plain' | 'pointer' | 'inline';
}

const GENERATED: Readonly<Record<string, string>> = generated;
const USES = { '=': 'plain', '*': 'pointer', '<': 'inline' } as const;

const known = new Map<string, ReadonlyMap<number, WireField>>();

/** The fields of a type by number; empty for a type that is not in the table. */
function wireRow(typeName: string): ReadonlyMap<number, WireField> {
  const found = known.get(typeName);
  if (found !== undefined) return found;
  const row = readRow(Object.hasOwn(GENERATED, typeName) ? (GENERATED[typeName] ?? '') : '');
  known.set(typeName, row);
  return row;
}

function readRow(words: string): Map<number, WireField> {
  const row = new Map<number, WireField>();
  for (const [, number, use, name] of words.matchAll(/(\d+)([=*<])(\S+)/g)) {
    if (use !== '=' && use !== '*' && use !== '<') continue;
    row.set(Number(number), { name: name ?? '', use: USES[use] });
  }
  return row;
}
