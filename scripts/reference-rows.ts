/** A schema as rows of a table, one for each field at any depth. Pure. */

/** The fields that both forms of schema have: that of a definition, and JSON Schema. */
export interface FieldSchema {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly additionalProperties?: FieldSchema | boolean;
  readonly items?: FieldSchema;
  readonly 'x-kubernetes-int-or-string'?: true;
  readonly 'x-kubernetes-preserve-unknown-fields'?: true;
}

export interface FieldRow {
  /** Path of the field, such as "spec.executionHookInfos[].recipe.name". */
  readonly field: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly limits: string;
  readonly description: string;
}

/** Maximum depth of a field; no schema of ours is that deep. */
const DEPTH_MAX = 20;
const REPEATED_FIELDS_MIN = 3;

export function fieldRows(schema: FieldSchema): readonly FieldRow[] {
  return rowsUnder(schema, { prefix: '', depth: 0, seen: new Map() });
}

interface Walk {
  readonly prefix: string;
  readonly depth: number;
  /** The first field of each shape; fields of equal shape refer to it. */
  readonly seen: Map<string, string>;
}

function rowsUnder(schema: FieldSchema, walk: Walk): readonly FieldRow[] {
  const { prefix, depth, seen } = walk;
  if (depth > DEPTH_MAX) throw new Error(`${prefix} is deeper than ${DEPTH_MAX} levels`);
  const { properties = {}, required = [], additionalProperties, items } = schema;
  const under = (part: FieldSchema, at: string): readonly FieldRow[] =>
    rowsUnder(part, { prefix: at, depth: depth + 1, seen });
  const named = Object.entries(properties).flatMap(([name, part]) => {
    const field = prefix === '' ? name : `${prefix}.${name}`;
    const row = rowOf(field, part, required.includes(name));
    const first = firstPlace(part, field, seen);
    if (first === field) return [row, ...under(part, field)];
    const description = `${row.description} Its fields are those of \`${first}\`.`.trim();
    return [{ ...row, description }];
  });
  const keyed =
    typeof additionalProperties === 'object' ? under(additionalProperties, `${prefix}.<name>`) : [];
  const listed = items === undefined ? [] : under(items, `${prefix}[]`);
  return [...named, ...keyed, ...listed];
}

/**
 * The first field with the same shape, for a part with many fields. A part with few fields is repeated, which is
 * shorter to read.
 */
function firstPlace(part: FieldSchema, field: string, seen: Map<string, string>): string {
  const holder = part.items ?? part;
  const names = Object.keys(holder.properties ?? {});
  if (names.length < REPEATED_FIELDS_MIN) return field;
  const shape = JSON.stringify(holder.properties);
  const first = seen.get(shape) ?? field;
  seen.set(shape, first);
  return first;
}

/** Escapes the text for a cell of a table. */
export function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

function rowOf(field: string, schema: FieldSchema, isRequired: boolean): FieldRow {
  const description = schema.description ?? '';
  return { field, type: typeOf(schema), isRequired, limits: limitsOf(schema), description };
}

function typeOf(schema: FieldSchema): string {
  const { type, items, additionalProperties, const: only } = schema;
  if (schema['x-kubernetes-int-or-string'] === true) return 'number or text';
  if (schema.enum !== undefined) return schema.enum.join(', ');
  if (only !== undefined) return only;
  if (type === 'array') return `list of ${items === undefined ? 'anything' : typeOf(items)}`;
  if (typeof additionalProperties === 'object') return `map of ${typeOf(additionalProperties)}`;
  const names: Readonly<Record<string, string>> = {
    object: 'object',
    string: 'text',
    integer: 'whole number',
    number: 'number',
    boolean: 'true or false',
  };
  return names[type ?? ''] ?? 'as in Kubernetes';
}

function limitsOf(schema: FieldSchema): string {
  const { minimum, exclusiveMinimum, maximum, maxLength, maxItems, items } = schema;
  const limits: string[] = [];
  if (maximum !== undefined && minimum !== undefined) limits.push(`From ${minimum} to ${maximum}.`);
  else if (maximum !== undefined)
    limits.push(`More than ${exclusiveMinimum ?? 0}, at most ${maximum}.`);
  if (maxLength !== undefined) limits.push(`At most ${maxLength} characters.`);
  if (maxItems !== undefined) limits.push(`At most ${maxItems} items.`);
  if (items?.maxLength !== undefined) limits.push(`Each at most ${items.maxLength} characters.`);
  return limits.join(' ');
}
