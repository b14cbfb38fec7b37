/**
 * Converts a value of an object for use in a rule.
 *
 * Integers become bigint; times and durations become CEL values, by their formats. Objects keep the fields that their
 * schema defines, with names that an expression can use.
 */
import type { Json } from '../../../../../src/kube/object.ts';
import { isJsonObject } from '../patch/json-value.ts';
import type { RuleEngine } from './rule-engine.ts';
import { additionalSchema, readSchema, type Schema } from './schema.ts';

export function ruleValue(value: Json, schema: Schema | null, engine: RuleEngine): unknown {
  if (Array.isArray(value)) {
    return value.map((item) => ruleValue(item, schema?.items ?? null, engine));
  }
  if (isJsonObject(value)) return objectValue(Object.entries(value), schema, engine);
  if (typeof value === 'number') return numberValue(value, schema);
  return typeof value === 'string' ? textValue(value, schema, engine) : value;
}

/** Size of the largest list, map or text in a value, which limits the loops of a rule. */
export function largestPart(value: Json): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 1;
  const parts = Object.values(value);
  return parts.reduce<number>((most, part) => Math.max(most, largestPart(part)), parts.length);
}

function objectValue(
  fields: readonly (readonly [string, Json])[],
  schema: Schema | null,
  engine: RuleEngine,
): unknown {
  const additional = schema === null ? null : additionalSchema(schema);
  const visible = fields.flatMap(([name, field]) => {
    const property = schema === null ? undefined : propertyOf(schema, name);
    if (property !== undefined) return [[escaped(name), ruleValue(field, property, engine)]];
    return additional === null ? [] : [[name, ruleValue(field, additional, engine)]];
  });
  return Object.fromEntries(visible) as unknown;
}

/** The schema of a field. In a whole object rules can also read kind and name, which schemas omit. */
function propertyOf({ properties, embedded }: Schema, name: string): Schema | undefined {
  return properties.get(name) ?? (embedded ? OBJECT_FIELDS.get(name) : undefined);
}

const TEXT = { type: 'string' };
const OBJECT_FIELDS = readSchema({
  properties: {
    apiVersion: TEXT,
    kind: TEXT,
    metadata: { type: 'object', properties: { name: TEXT, generateName: TEXT } },
  },
}).properties;

function numberValue(value: number, schema: Schema | null): number | bigint {
  const whole = schema?.type === 'integer' || schema?.intOrString === true;
  return whole && Number.isInteger(value) ? BigInt(value) : value;
}

function textValue(text: string, schema: Schema | null, engine: RuleEngine): unknown {
  switch (schema?.format ?? '') {
    case 'date':
    case 'date-time':
      return new Date(text);
    case 'duration':
      return engine.duration(text);
    case 'byte':
      return Uint8Array.from(atob(text), (character) => character.codePointAt(0) ?? 0);
    default:
      return text;
  }
}

const KEYWORDS = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

/** Name of a field in a rule, such as `x__dash__y__dot__z` for `x-y.z`. */
function escaped(name: string): string {
  if (KEYWORDS.has(name)) return `__${name}__`;
  return name
    .replaceAll('__', '__underscores__')
    .replaceAll('.', '__dot__')
    .replaceAll('-', '__dash__')
    .replaceAll('/', '__slash__');
}
