/**
 * Interprets the rows in the specs of kinds: defaults, rules and pod templates.
 *
 * A rule that cannot be written as a row is a function.
 */
import { at, fill, fillObject, objectAt, objectsAt } from '../../../../../src/kube/fields.ts';
import type { Json, JsonObject } from '../../../../../src/kube/object.ts';
import type { FieldError } from '../field-error.ts';
import { copyJson } from '../patch/json-value.ts';
import type { StrategyContext } from '../resource-definition.ts';
import { immutable } from './field-checks.ts';
import { type Check, checkObject, fields, type Row } from './field-rules.ts';
import { checkTemplate, fillTemplate, SPEC_TEMPLATE } from './workload/template.ts';

/**
 * The default of a field. Missing enclosing objects are created, except those with a `?` in the path: if such an object
 * is absent, nothing is set. `name[]` stands for each object of a list. With `when`, the row applies only if the field
 * at that path has that value (null: the field is absent).
 */
export type DefaultRow = readonly [
  path: string,
  value: Json,
  when?: readonly [path: string, value: Json],
];

/** A row, a function, or 'template', which checks the pod template of the kind. */
export type Rule = Row<Checked> | 'template' | CheckFunction;

export type CheckFunction = (
  object: JsonObject,
  old: JsonObject | undefined,
  context: StrategyContext,
) => readonly FieldError[];

export interface TemplateSpec {
  /** Path of the template; default: `spec.template`. */
  readonly path?: readonly string[];
  readonly restartPolicies: readonly string[];
  /**
   * Kind to name in the error about activeDeadlineSeconds, such as "ReplicaSet"; absent if pods may have that deadline.
   */
  readonly withoutDeadlineIn?: string;
}

export interface Rules {
  readonly rules?: readonly Rule[];
  readonly template?: TemplateSpec;
}

export interface Checked {
  readonly old: JsonObject | undefined;
  readonly context: StrategyContext;
}

export function templatePath(template: TemplateSpec | undefined): readonly string[] {
  return template?.path ?? SPEC_TEMPLATE;
}

/** Sets the defaults in `draft`. */
export function fillDefaults(
  draft: JsonObject,
  rows: readonly DefaultRow[],
  template: TemplateSpec | undefined,
): void {
  for (const [path, value, when] of rows) {
    if (when !== undefined && (at(draft, ...when[0].split('.')) ?? null) !== when[1]) continue;
    fillPath([draft], path.split('.'), value);
  }
  if (template !== undefined) fillTemplate(draft, templatePath(template));
}

function fillPath(
  holders: readonly JsonObject[],
  [name = '', ...rest]: string[],
  value: Json,
): void {
  for (const holder of holders) {
    if (rest.length === 0) fill(holder, name, copyJson(value));
    else fillPath(within(holder, name), rest, value);
  }
}

function within(holder: JsonObject, name: string): readonly JsonObject[] {
  if (name.endsWith('[]')) return objectsAt(holder, name.slice(0, -2));
  if (!name.endsWith('?')) return [fillObject(holder, name)];
  const found = objectAt(holder, name.slice(0, -1));
  return found === undefined ? [] : [found];
}

export function compileRules({ rules = [], template }: Rules): CheckFunction {
  const checks = rules.map((rule) => compiled(rule, template));
  return (object, old, context) => checks.flatMap((check) => check(object, old, context));
}

function compiled(rule: Rule, template: TemplateSpec | undefined): CheckFunction {
  if (typeof rule === 'function') return rule;
  if (rule !== 'template') {
    const check = fields(rule);
    return (object, old, context) => checkObject(check, object, { scope: { old, context } });
  }
  if (template === undefined) throw new Error('a rule about a template needs one');
  const path = templatePath(template);
  return (object, old, context) => checkTemplate({ ...template, object, old, context, path });
}

/** The field must have the value of the stored object. */
export const unchanged: Check<Checked> = (value, field, { scope: { old } }) =>
  old === undefined ? [] : immutable(field, value, at(old, ...field.split('.')));
