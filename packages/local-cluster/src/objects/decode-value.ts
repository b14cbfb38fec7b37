/**
 * Decodes a body by its type. Unknown fields are dropped and reported.
 *
 * In built-in types (those with a Go name) the decoder checks every value and reports the first error. It drops nulls,
 * empty lists and empty maps, as a Go server does for a struct. Parts of custom resources keep all values: their schema
 * validates them later. The caller limits the depth of the body.
 */
import type { Json, JsonObject } from '../../../../src/kube/object.ts';
import { decodeScalar, receivedWord, zeroValue } from './decode-scalar.ts';
import { isJsonObject } from './patch/json-value.ts';
import type { ListNode, MapNode, ScalarNode, StructNode, TypeNode } from './type-node.ts';

export interface DecodedValue {
  readonly value: Json | undefined;
  /** Paths of unknown fields, in the order of the body. */
  readonly unknown: readonly string[];
  /** The error of the first value with a wrong type. */
  readonly error?: string;
}

export function decodeValue(value: Json, type: TypeNode): DecodedValue {
  const findings: Findings = { unknown: [], error: undefined };
  const decoded = walk(value, type, { findings, path: '', goPath: '', struct: '', checked: false });
  const { unknown, error } = findings;
  return error === undefined ? { value: decoded, unknown } : { value: decoded, unknown, error };
}

interface Findings {
  readonly unknown: string[];
  error: string | undefined;
}

/** Position of the value that is being decoded. */
interface Place {
  readonly findings: Findings;
  /** Path such as `spec.containers[0].image`. */
  readonly path: string;
  /** Path as Go writes it, without indexes and map keys, such as `spec.containers.image`. */
  readonly goPath: string;
  /** Go name of the enclosing struct; '' at the root. */
  readonly struct: string;
  /** True inside a built-in type. */
  readonly checked: boolean;
}

/** Returns undefined for null, which the caller omits or replaces. */
function walk(value: Json, type: TypeNode, place: Place): Json | undefined {
  switch (type.kind) {
    case 'any':
      return value === null && place.checked ? undefined : value;
    case 'scalar':
      return walkScalar(value, type, place);
    case 'struct':
      return walkStruct(value, type, place);
    case 'map':
      return walkMap(value, type, place);
    case 'list':
      return walkList(value, type, place);
    default:
      return type satisfies never;
  }
}

function walkScalar(value: Json, { scalar }: ScalarNode, place: Place): Json | undefined {
  if (!place.checked) return value;
  if (value === null) return undefined;
  const decoded = decodeScalar(value, scalar);
  if (decoded.kind === 'value') return decoded.value;
  if (decoded.kind === 'malformed') place.findings.error ??= decoded.message;
  else fail(place, decoded.received, decoded.goType);
  return value;
}

function walkStruct(value: Json, type: StructNode, outer: Place): Json | undefined {
  const place = { ...outer, checked: type.typeName !== '' };
  if (!isJsonObject(value)) return otherwise(value, goTypeOf(type), place);
  const fields = Object.entries(value).flatMap(([name, part]): [string, Json][] => {
    const node = type.field(name);
    const path = place.path === '' ? name : `${place.path}.${name}`;
    if (node === undefined) {
      if (type.preserveUnknown) return [[name, part]];
      place.findings.unknown.push(path);
      return [];
    }
    const goPath = place.goPath === '' ? name : `${place.goPath}.${name}`;
    const decoded = walk(part, node, { ...place, path, goPath, struct: type.typeName });
    if (decoded === undefined) return [];
    if (place.checked && isEmpty(decoded, node) && type.required?.includes(name) !== true)
      return [];
    return [[name, decoded]];
  });
  // Built from entries, because assigning a field named __proto__ would set the prototype.
  return Object.fromEntries(fields);
}

function walkMap(value: Json, type: MapNode, place: Place): Json | undefined {
  if (!isJsonObject(value)) return otherwise(value, goTypeOf(type), place);
  const entries = Object.entries(value).map(([key, part]): [string, Json] => {
    const decoded = walk(part, type.values, { ...place, path: `${place.path}.${key}` });
    return [key, decoded ?? zeroOf(type.values)];
  });
  return Object.fromEntries(entries) satisfies JsonObject;
}

function walkList(value: Json, type: ListNode, place: Place): Json | undefined {
  if (!Array.isArray(value)) return otherwise(value, goTypeOf(type), place);
  return value.map((item, index) => {
    const decoded = walk(item, type.items, { ...place, path: `${place.path}[${index}]` });
    return decoded ?? zeroOf(type.items);
  });
}

/** Handles a value of another type. In built-in types null is omitted, and anything else is an error. */
function otherwise(value: Json, goType: string, place: Place): Json | undefined {
  if (!place.checked) return value;
  if (value === null) return undefined;
  fail(place, receivedWord(value), goType);
  return value;
}

function fail({ findings, struct, goPath }: Place, received: string, goType: string): void {
  const where = goPath === '' ? 'value' : `struct field ${struct}.${goPath}`;
  findings.error ??= `json: cannot unmarshal ${received} into Go ${where} of type ${goType}`;
}

function isEmpty(value: Json, type: TypeNode): boolean {
  if (type.kind === 'list') return Array.isArray(value) && value.length === 0;
  return type.kind === 'map' && isJsonObject(value) && Object.keys(value).length === 0;
}

function zeroOf(type: TypeNode): Json {
  if (type.kind === 'scalar') return zeroValue(type.scalar);
  if (type.kind === 'list') return [];
  return type.kind === 'any' ? null : {};
}

/** Name of the type in Go's errors. Nearly all types are in the package v1. */
function goTypeOf(type: TypeNode): string {
  switch (type.kind) {
    case 'struct':
      return `v1.${type.typeName}`;
    case 'map':
      return `map[string]${goTypeOf(type.values)}`;
    case 'list':
      return `[]${goTypeOf(type.items)}`;
    case 'any':
      return 'interface {}';
    case 'scalar':
      return GO_SCALARS[type.scalar];
    default:
      return type satisfies never;
  }
}

const GO_SCALARS: Readonly<Record<ScalarNode['scalar'], string>> = {
  string: 'string',
  boolean: 'bool',
  int32: 'int32',
  int64: 'int64',
  number: 'float64',
  intOrString: 'intstr.IntOrString',
  quantity: 'resource.Quantity',
  time: 'v1.Time',
  microTime: 'v1.MicroTime',
  bytes: '[]uint8',
};
