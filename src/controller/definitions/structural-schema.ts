/**
 * Converts a zod schema to the structural OpenAPI schema of a custom resource definition. A definition does not allow
 * all keywords of JSON schema. A keyword is removed if the server behaves the same without it. It is refused if its
 * removal would change the meaning.
 */
import * as z from 'zod';

/** The parts of a schema that an API server accepts. The published types lack some of these fields. */
export interface StructuralSchema {
  type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  description?: string;
  format?: string;
  enum?: string[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, StructuralSchema>;
  additionalProperties?: StructuralSchema;
  required?: string[];
  items?: StructuralSchema;
  'x-kubernetes-int-or-string'?: true;
  'x-kubernetes-preserve-unknown-fields'?: true;
  'x-kubernetes-list-type'?: string;
  'x-kubernetes-list-map-keys'?: string[];
  'x-kubernetes-validations'?: Rule[];
}

/** A rule in CEL. */
export interface Rule {
  rule: string;
  message: string;
  /** The reason in the error; absent: FieldValueInvalid. */
  reason?: 'FieldValueForbidden' | 'FieldValueRequired';
  /** The field to which the message refers, relative to the path of the rule: ".mid". */
  fieldPath?: string;
}

/**
 * Converts a schema. Throws for every keyword that is not listed below, such as those of unions except int-or-string,
 * references and patterns of properties.
 */
export function structuralSchema(schema: z.ZodType): StructuralSchema {
  const written = z.toJSONSchema(schema, { target: 'openapi-3.0', io: 'input' });
  return structural(written as Written, 'schema');
}

/** The body of a kind with a spec, which is required, and a status without limits. */
export function specAndStatus(
  spec: z.ZodType,
  status: z.ZodType,
): {
  readonly body: () => Readonly<Record<string, StructuralSchema>>;
  readonly required: readonly string[];
} {
  return {
    body: () => ({ spec: structuralSchema(spec), status: unbounded(structuralSchema(status)) }),
    required: ['spec'],
  };
}

/** The keywords that zod writes; any other keyword is refused. */
type Written = { readonly [K in keyof StructuralSchema]?: unknown } & {
  readonly $schema?: unknown;
  readonly anyOf?: unknown;
  readonly additionalProperties?: unknown;
  readonly properties?: Readonly<Record<string, Written>>;
  readonly items?: Written;
};

const KEPT: readonly (keyof StructuralSchema)[] = [
  'type',
  'description',
  'format',
  'enum',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'required',
  'x-kubernetes-int-or-string',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
];
const CONVERTED = ['properties', 'items', 'additionalProperties'];
/** Keywords that have no meaning for an API server. */
const DROPPED = ['$schema'];

function structural(written: Written, path: string): StructuralSchema {
  const intOrString = written['x-kubernetes-int-or-string'] === true;
  const dropped = intOrString ? [...DROPPED, 'anyOf'] : DROPPED;
  for (const key of Object.keys(written)) {
    if (![...KEPT, ...CONVERTED, ...dropped].includes(key)) {
      throw new Error(`${path}: a custom resource definition cannot say ${key}`);
    }
  }
  const kept = KEPT.filter((key) => written[key] !== undefined && !isNoise(key, written[key])).map(
    (key) => [key, written[key]],
  );
  return {
    ...(Object.fromEntries(kept) as StructuralSchema),
    ...(isOpen(written) ? {} : inObject(written, path)),
    ...(written.items === undefined ? {} : { items: structural(written.items, `${path}[]`) }),
  };
}

/** Whether the object may have fields that the schema does not define. */
function isOpen(written: Written): boolean {
  return written['x-kubernetes-preserve-unknown-fields'] === true;
}

/** Whether the keyword restricts nothing: the integer limits that zod always adds, or a minimum length of 0. */
function isNoise(key: string, value: unknown): boolean {
  if (key === 'minimum' || key === 'maximum')
    return Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER;
  return (key === 'minItems' || key === 'minLength') && value === 0;
}

function inObject(
  { properties, additionalProperties }: Written,
  path: string,
): Pick<StructuralSchema, 'properties' | 'additionalProperties'> {
  return {
    ...(properties === undefined ? {} : inProperties(properties, path)),
    ...inMap(additionalProperties, path),
  };
}

function inProperties(
  properties: Readonly<Record<string, Written>>,
  path: string,
): Pick<StructuralSchema, 'properties'> {
  const inner = Object.entries(properties).map(([name, written]) => [
    name,
    structural(written, `${path}.${name}`),
  ]);
  return { properties: Object.fromEntries(inner) as Record<string, StructuralSchema> };
}

/** `additionalProperties: false` is omitted, since the server drops unknown fields anyway. */
function inMap(written: unknown, path: string): Pick<StructuralSchema, 'additionalProperties'> {
  if (written === undefined || written === false) return {};
  return { additionalProperties: structural(written as Written, `${path}.*`) };
}

/**
 * The schema of a status, without limits and enums. The values of an enum are added to the description. So a server
 * with an older definition accepts a value that it does not know. With enums it would refuse the whole status, and so
 * the record that a thaw has started.
 */
export function unbounded(schema: StructuralSchema): StructuralSchema {
  const { enum: choices, properties, items, additionalProperties, ...rest } = schema;
  const { minimum: _1, maximum: _2, minLength: _3, maxLength: _4, ...more } = rest;
  const { minItems: _5, maxItems: _6, ...open } = more;
  const described = choices === undefined ? {} : { description: withChoices(schema, choices) };
  const inner = Object.entries(properties ?? {}).map(([name, one]) => [name, unbounded(one)]);
  return {
    ...open,
    ...described,
    ...(properties === undefined
      ? {}
      : { properties: Object.fromEntries(inner) as Record<string, StructuralSchema> }),
    ...(items === undefined ? {} : { items: unbounded(items) }),
    ...(additionalProperties === undefined
      ? {}
      : { additionalProperties: unbounded(additionalProperties) }),
  };
}

function withChoices({ description = '' }: StructuralSchema, choices: readonly string[]): string {
  return `${description} One of ${choices.join(', ')}.`.trim();
}
