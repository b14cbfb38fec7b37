/**
 * Interprets the data in the specs of kinds: defaults, rules and pod templates. A rule that no row can express is a
 * function.
 */
import {
  at,
  type Field,
  fieldsAt,
  fill,
  fillObject,
  objectAt,
  objectsAt,
  textAt,
} from '../../../../../src/kube/fields.ts';
import type { Json, JsonObject } from '../../../../../src/kube/object.ts';
import type { FieldError } from '../field-error.ts';
import { copyJson } from '../patch/json-value.ts';
import type { StrategyContext } from '../resource-definition.ts';
import { immutable, nonNegative, oneOf, requiredTexts } from './checks.ts';
import { checkSelector, checkTemplate, fillTemplate, SPEC_TEMPLATE } from './workload/template.ts';

/**
 * The default of a field; enclosing objects are created. In the path, `name?` stops if that object is absent, and
 * `name[]` means each object of a list. A row with a condition applies only if that field has that value (null:
 * absent).
 */
export type DefaultRow = readonly [
  path: string,
  value: Json,
  when?: readonly [path: string, value: Json],
];

export type Rule =
  | readonly ['nonNegative' | 'required', struct: string, ...names: string[]]
  | readonly ['oneOf', path: string, ...words: string[]]
  | readonly ['immutable', ...paths: string[]]
  /** The selector of a kind with a template; `kind` is for messages. */
  | readonly ['selector', kind: string]
  | readonly ['template']
  | CheckFunction;

export type CheckFunction = (
  object: JsonObject,
  old: JsonObject | undefined,
  context: StrategyContext,
) => readonly FieldError[];

export interface TemplateSpec {
  /** Absent: `spec.template`. */
  readonly path?: readonly string[];
  readonly restartPolicies: readonly string[];
  /** For messages: "ReplicaSet". Absent: pods may have a deadline. */
  readonly withoutDeadlineIn?: string;
}

export interface Rules {
  readonly rules?: readonly Rule[];
  readonly template?: TemplateSpec;
}

export interface Checked {
  readonly object: JsonObject;
  readonly old: JsonObject | undefined;
  readonly context: StrategyContext;
}

export function templatePath(template: TemplateSpec | undefined): readonly string[] {
  return template?.path ?? SPEC_TEMPLATE;
}

/** Changes the draft. */
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

export function checkRules({ rules = [], template }: Rules, checked: Checked): FieldError[] {
  return rules.flatMap((rule) => checkRule(rule, template, checked));
}

function checkRule(
  rule: Rule,
  template: TemplateSpec | undefined,
  checked: Checked,
): readonly FieldError[] {
  const { object, old, context } = checked;
  if (typeof rule === 'function') return rule(object, old, context);
  const [name, path = '', ...words] = rule;
  switch (name) {
    case 'nonNegative':
      return nonNegative(structAt(object, path), path, words);
    case 'required':
      return requiredTexts(structAt(object, path), path, words);
    case 'oneOf':
      return oneOf(path, textAt(object, ...path.split('.')), words);
    case 'immutable':
      return [path, ...words].flatMap((each) => unchanged(each, object, old));
    case 'selector':
      return checkSelector({ object, kind: path, path: templatePath(template) });
    case 'template':
      return checkOwnTemplate(template, checked);
    default:
      return name satisfies never;
  }
}

function structAt(object: JsonObject, path: string): JsonObject {
  return fieldsAt(object, ...path.split('.'));
}

function checkOwnTemplate(
  template: TemplateSpec | undefined,
  checked: Checked,
): readonly FieldError[] {
  if (template === undefined) throw new Error('a rule about a template needs one');
  return checkTemplate({ ...template, ...checked, path: templatePath(template) });
}

function unchanged(
  path: string,
  object: JsonObject,
  old: JsonObject | undefined,
): readonly FieldError[] {
  if (old === undefined) return [];
  const [last = '', ...above] = path.split('.').toReversed();
  const read = (one: JsonObject): Field => fieldsAt(one, ...above.toReversed())[last];
  return immutable(path, read(object), read(old));
}
