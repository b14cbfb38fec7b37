/**
 * A custom resource's schema, ready for use: it must be structural, which is said in the words of the server,
 * and then gives the type of the resource, its defaults, and the validation of its objects.
 */
import type { Json, JsonObject } from '../../../../../src/kube/object.ts';
import { re2Compiler } from '../../../../../src/model/re2.ts';
import type { Compile } from '../../../../../src/model/pattern.ts';
import { decodeValue } from '../decode-value.ts';
import type { FieldError } from '../field-error.ts';
import { forbidden } from '../field-errors.ts';
import type { StructNode } from '../type-node.ts';
import { checkDefaults } from './check-defaults.ts';
import { checkRules } from './check-rules.ts';
import { checkSchema } from './check-schema.ts';
import { checkStructure } from './check-structure.ts';
import { applyDefaults } from './default.ts';
import { validateEmbedded } from './embedded-metadata.ts';
import { validateLists } from './list-uniqueness.ts';
import type { RuleEngine } from './rule-engine.ts';
import { rootType } from './schema-type.ts';
import { readSchema, type Schema } from './schema.ts';
import { RULE_STEPS_MAX, validateRules, type ReadyRules } from './validate-rules.ts';
import { validateValue } from './validate-value.ts';
import { under } from './verdict.ts';

export interface CompileSchemaOptions {
  /** Where the schema stands, for errors: `spec.versions[0].schema.openAPIV3Schema`. */
  readonly at: string;
  /** Needed where the schema has rules (load-rule-engine.ts tells); null otherwise. */
  readonly engine: RuleEngine | null;
}

export interface CompiledSchema {
  readonly type: StructNode;
  /** Without the fields that the schema does not know. */
  prune(object: JsonObject): JsonObject;
  default(object: JsonObject): JsonObject;
  /** `old`: undefined on create. Metadata is validated by the caller for all kinds alike. */
  validate(object: JsonObject, old?: JsonObject): readonly FieldError[];
  /** Only the part under `status`. */
  validateStatus(object: JsonObject, old: JsonObject): readonly FieldError[];
}

export type CompileResult =
  | { readonly kind: 'compiled'; readonly schema: CompiledSchema }
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[] };

export function compileStructural(
  openApiSchema: Json,
  { at, engine }: CompileSchemaOptions,
): CompileResult {
  const patterns = re2Compiler();
  // Rules see the kind and the name at the root, as in every whole object.
  const root: Schema = { ...readSchema(openApiSchema), embedded: true };
  const errors = shapeErrors({ ...root, embedded: false }, at, patterns);
  if (errors.length > 0) return { kind: 'invalid', errors };
  const rules = checkRules(root, at, engine);
  if (rules.errors.length > 0) return { kind: 'invalid', errors: rules.errors };
  return { kind: 'compiled', schema: compiled(root, { patterns, engine, rules: rules.ready }) };
}

function shapeErrors(schema: Schema, at: string, patterns: Compile): FieldError[] {
  const structure = checkStructure(schema, at);
  return [
    ...structure,
    ...(structure.length > 0 ? [] : checkDefaults(schema, at, patterns)),
    ...(schema.nullable
      ? [forbidden(`${at}.nullable`, 'nullable cannot be true at the root')]
      : []),
    ...checkSchema(schema, at, patterns),
  ];
}

interface Parts {
  readonly patterns: Compile;
  readonly engine: RuleEngine | null;
  readonly rules: ReadyRules;
}

function compiled(root: Schema, parts: Parts): CompiledSchema {
  const type = rootType(root);
  const status = root.properties.get('status');
  const { patterns } = parts;
  return {
    type,
    prune: (object) => decodeValue(object, type).value as JsonObject,
    default: (object) => applyDefaults(object, root) as JsonObject,
    validate(object, old) {
      const errors = [
        ...validateValue(object, root, { path: '', old, patterns }).errors,
        ...validateEmbedded(object, { ...root, embedded: false }, ''),
      ];
      return [...errors, ...promiseErrors(object, root, { old, parts, errors })];
    },
    validateStatus(object, old) {
      const value = object['status'];
      if (status === undefined || value === undefined) return [];
      const place = { path: '', old: old['status'], patterns };
      const errors = under('status', validateValue(value, status, place).errors);
      return [...errors, ...promiseErrors(object, root, { old, parts, errors })];
    },
  };
}

/**
 * What holds between the parts of an object: unique items, and rules. Rules run only over objects that are
 * otherwise right: they could trip over what is not of its type.
 */
function promiseErrors(
  object: JsonObject,
  root: Schema,
  found: { old: JsonObject | undefined; parts: Parts; errors: readonly FieldError[] },
): FieldError[] {
  const { old, parts } = found;
  // Doubles that were there before are not held against an update.
  const doubled = old !== undefined && validateLists(old, root, '').length > 0;
  const lists = doubled ? [] : validateLists(object, root, '');
  const { engine, rules } = parts;
  if (rules.size === 0 || engine === null) return lists;
  if (found.errors.some(({ type }) => BLOCKING.includes(type))) return [...lists, NOT_CHECKED];
  const run = { rules, engine, budget: RULE_STEPS_MAX };
  return [...lists, ...validateRules(object, root, { path: '', old, run })];
}

const BLOCKING: readonly FieldError['type'][] = [
  'NotSupported',
  'Required',
  'TooLong',
  'TooMany',
  'TypeInvalid',
];

const NOT_CHECKED: FieldError = {
  type: 'Invalid',
  field: '<nil>',
  value: null,
  detail:
    'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
};
