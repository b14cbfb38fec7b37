/**
 * Runs the x-kubernetes-validations of a schema on all parts of an object, with one budget of steps for the whole
 * object.
 *
 * A transition rule (one with oldSelf) runs only if there is an old value.
 */
import type { Json } from '../../../../../src/kube/object.ts';
import type { FieldError } from '../field-error.ts';
import { isJsonObject, jsonEqual, ownField } from '../patch/json-value.ts';
import type { CompiledExpression, RuleEngine } from './rule-engine.ts';
import { largestPart, ruleValue } from './rule-value.ts';
import type { Rule, Schema } from './schema.ts';

export interface ReadyRule {
  readonly rule: Rule;
  readonly expression: CompiledExpression;
  readonly message: CompiledExpression | null;
}

export type ReadyRules = ReadonlyMap<Schema, readonly ReadyRule[]>;

export interface RuleRun {
  readonly rules: ReadyRules;
  readonly engine: RuleEngine;
  /** Number of steps that are left. */
  budget: number;
}

/** Maximum number of steps of all rules of one object together. */
export const RULE_STEPS_MAX = 10_000_000;

const OUT_OF_BUDGET =
  'validation failed due to running out of cost budget, no further validation rules will be run';

export function validateRules(
  value: Json,
  schema: Schema,
  place: { readonly path: string; readonly old: Json | undefined; readonly run: RuleRun },
): FieldError[] {
  const { path, old, run } = place;
  if (value === null || run.budget < 0) return [];
  const own = runRules(value, schema, place);
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items === null) return own;
    const olds = formerItems(value, schema, old);
    const inner = value.flatMap((item, index) =>
      validateRules(item, items, { path: `${path}[${index}]`, old: olds[index], run }),
    );
    return [...own, ...inner];
  }
  if (!isJsonObject(value)) return own;
  const former = old !== undefined && isJsonObject(old) ? old : {};
  const inner = Object.entries(value).flatMap(([name, field]) => {
    const property = schema.properties.get(name);
    const one = property ?? schema.additional;
    if (one === null || typeof one === 'boolean') return [];
    const child = property === undefined ? `${path}[${name}]` : join(path, name);
    return validateRules(field, one, { path: child, old: ownField(former, name), run });
  });
  return [...own, ...inner];
}

function formerItems(items: Json[], schema: Schema, old: Json | undefined): (Json | undefined)[] {
  if (schema.listType !== 'map' || !Array.isArray(old)) return [];
  const same = (a: Json, b: Json): boolean =>
    schema.mapKeys.every((key) => jsonEqual(fieldOf(a, key), fieldOf(b, key)));
  return items.map((item) => old.find((one) => same(item, one)));
}

function fieldOf(value: Json, key: string): Json | undefined {
  return isJsonObject(value) ? ownField(value, key) : undefined;
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function runRules(
  value: Json,
  schema: Schema,
  { path, old, run }: { path: string; old: Json | undefined; run: RuleRun },
): FieldError[] {
  const ready = (run.rules.get(schema) ?? []).filter((one) => applies(one, value, old));
  if (ready.length === 0) return [];
  const self = ruleValue(value, schema, run.engine);
  const oldSelf =
    old === undefined || old === null ? undefined : ruleValue(old, schema, run.engine);
  const largest = Math.max(largestPart(value), largestPart(old ?? null));
  const errors: FieldError[] = [];
  for (const one of ready) {
    run.budget -= one.expression.steps(largest) + (one.message?.steps(largest) ?? 0);
    if (run.budget < 0) return [...errors, invalid(path, schema, OUT_OF_BUDGET)];
    errors.push(...outcome(one, { self, oldSelf, path, schema }));
  }
  return errors;
}

/**
 * True if a rule runs on a value. A transition rule needs an old value. Any other rule runs only if the value is new or
 * changed.
 */
function applies({ rule, expression }: ReadyRule, value: Json, old: Json | undefined): boolean {
  const hasOld = old !== undefined && old !== null;
  if (expression.usesOldSelf) return hasOld || rule.optionalOldSelf;
  return !hasOld || !jsonEqual(value, old);
}

interface Evaluation {
  readonly self: unknown;
  readonly oldSelf: unknown;
  readonly path: string;
  readonly schema: Schema;
}

function outcome({ rule, expression, message }: ReadyRule, at: Evaluation): FieldError[] {
  const result = expression.run(at.self, at.oldSelf);
  if ('error' in result) {
    return [invalid(at.path, at.schema, `${result.error} evaluating rule: ${said(rule)}`)];
  }
  if (result.value === true) return [];
  const own = message?.run(at.self, at.oldSelf);
  const text = own !== undefined && 'value' in own && isMessage(own.value) ? own.value : said(rule);
  return [byReason(rule, at, text)];
}

function isMessage(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && !/[\r\n]/.test(value);
}

function said({ rule, message }: Rule): string {
  return message.trim() === '' ? `failed rule: ${rule.trim()}` : message.trim();
}

function byReason(rule: Rule, { path, schema }: Evaluation, detail: string): FieldError {
  const child = rule.fieldPath.trim().replace(/^\./, '');
  const field = child === '' ? path : join(path, child);
  switch (rule.reason) {
    case 'FieldValueRequired':
      return { type: 'Required', field: nameOf(field), detail };
    case 'FieldValueForbidden':
      return { type: 'Forbidden', field: nameOf(field), detail };
    case 'FieldValueDuplicate':
      return { type: 'Duplicate', field: nameOf(field), value: schema.type, detail: '' };
    default:
      return invalid(field, schema, detail);
  }
}

/** An error of the type Invalid. As on a real server, it has the value's type in place of the value. */
function invalid(path: string, { type }: Schema, detail: string): FieldError {
  return { type: 'Invalid', field: nameOf(path), value: type, detail };
}

function nameOf(path: string): string {
  return path === '' ? '<nil>' : path;
}
