/** Values and types as the real server prints them with Go in its messages. */
import type { Json } from '../../../../../src/kube/object.ts';

/** Example: `map[image:busybox ports:[80 81]]` */
export function goText(value: Json): string {
  if (value === null) return '<nil>';
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
  const fields = Object.keys(value).toSorted();
  return `map[${fields.map((name) => `${name}:${goText(value[name] ?? null)}`).join(' ')}]`;
}

/** Go syntax (`%#v`): `map[string]interface {}{"a":1}` */
export function goSyntax(value: Json): string {
  if (value === null) return 'interface {}(nil)';
  if (typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `${goType(value)}{${value.map(goSyntax).join(', ')}}`;
  const fields = Object.keys(value).toSorted();
  const texts = fields.map((name) => `${JSON.stringify(name)}:${goSyntax(value[name] ?? null)}`);
  return `${goType(value)}{${texts.join(', ')}}`;
}

/** The Go type of a decoded value. */
export function goType(value: Json): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  if (typeof value === 'object') return 'map[string]interface {}';
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'int64' : 'float64';
  return typeof value === 'boolean' ? 'bool' : 'string';
}

export function cannotUnmarshal(received: Json, type: string): string {
  return `json: cannot unmarshal ${jsonKind(received)} into Go value of type ${type}`;
}

function jsonKind(value: Json): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}
