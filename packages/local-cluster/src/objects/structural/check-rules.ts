/** Compiles the rules of a schema, once per definition, and reports invalid ones. */
import { type FieldError, forbidden, invalid, notSupported, required } from '../field-error.ts';
import type { CompiledExpression, RuleEngine } from './rule-engine.ts';
import { additionalSchema, type Rule, type Schema } from './schema.ts';
import type { ReadyRule } from './validate-rules.ts';

export interface CheckedRules {
  readonly errors: readonly FieldError[];
  readonly ready: ReadonlyMap<Schema, readonly ReadyRule[]>;
}

/** Maximum number of rules of a definition; one with more is refused. */
const RULES_MAX = 1_000;

export function checkRules(root: Schema, at: string, engine: RuleEngine | null): CheckedRules {
  const found = rulesOf(root, at, null);
  if (found.length === 0) return { errors: [], ready: new Map() };
  if (engine === null) throw new Error('A schema with rules was compiled without a rule engine.');
  if (found.length > RULES_MAX) {
    const detail = `has ${found.length} validation rules, at most ${RULES_MAX} are allowed`;
    return { errors: [forbidden(at, detail)], ready: new Map() };
  }
  const errors: FieldError[] = [];
  const ready = new Map<Schema, ReadyRule[]>();
  for (const one of found) {
    const compiled = compileRule(one, engine);
    if ('rule' in compiled) ready.set(one.schema, [...(ready.get(one.schema) ?? []), compiled]);
    else errors.push(...compiled.errors);
  }
  return { errors, ready };
}

interface FoundRule {
  readonly schema: Schema;
  readonly rule: Rule;
  readonly at: string;
  /** Path of the enclosing part whose old and new items cannot be matched with each other; null if all can. */
  readonly unrelated: string | null;
}

function rulesOf(schema: Schema, at: string, unrelated: string | null): FoundRule[] {
  const additional = additionalSchema(schema);
  const inList = schema.listType === 'map' ? unrelated : (unrelated ?? at);
  const inObject = schema.mapType === 'atomic' ? (unrelated ?? at) : unrelated;
  return [
    ...schema.rules.map((rule, index) => ({
      schema,
      rule,
      at: `${at}.x-kubernetes-validations[${index}]`,
      unrelated,
    })),
    ...[...schema.properties].flatMap(([name, one]) =>
      rulesOf(one, `${at}.properties[${name}]`, inObject),
    ),
    ...(additional === null ? [] : rulesOf(additional, `${at}.additionalProperties`, inObject)),
    ...(schema.items === null ? [] : rulesOf(schema.items, `${at}.items`, inList)),
  ];
}

function compileRule(
  { rule, at, unrelated }: FoundRule,
  engine: RuleEngine,
): ReadyRule | { readonly errors: FieldError[] } {
  const options = { optionalOldSelf: rule.optionalOldSelf };
  const expression = engine.compile(rule.rule, options);
  if ('error' in expression)
    return { errors: [invalid(`${at}.rule`, rule.rule, expression.error)] };
  const message =
    rule.messageExpression === '' ? null : engine.compile(rule.messageExpression, options);
  if (message !== null && 'error' in message) {
    const field = `${at}.messageExpression`;
    return { errors: [invalid(field, rule.messageExpression, message.error)] };
  }
  const errors = checkOldSelf(rule, expression, { at, unrelated });
  return errors.length > 0 ? { errors } : { rule, expression, message };
}

function checkOldSelf(
  rule: Rule,
  { usesOldSelf }: CompiledExpression,
  { at, unrelated }: { readonly at: string; readonly unrelated: string | null },
): FieldError[] {
  if (usesOldSelf && unrelated !== null) {
    const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${unrelated}`;
    return [invalid(`${at}.rule`, rule.rule, detail)];
  }
  if (usesOldSelf || !rule.optionalOldSelf) return [];
  return [invalid(`${at}.optionalOldSelf`, true, 'may not be set if oldSelf is not used in rule')];
}

/** Valid values of `reason` in x-kubernetes-validations. */
const REASONS = [
  'FieldValueDuplicate',
  'FieldValueForbidden',
  'FieldValueInvalid',
  'FieldValueRequired',
];
const LINE_BREAK = /[\r\n]/;

export function checkRuleTexts({ rules }: Schema, at: string): FieldError[] {
  return rules.flatMap((rule, index) =>
    checkTexts(rule, `${at}.x-kubernetes-validations[${index}]`),
  );
}

function checkTexts(rule: Rule, at: string): FieldError[] {
  return [
    ...checkMessage(rule, at),
    ...(rule.messageExpression !== '' && rule.messageExpression.trim() === ''
      ? [required(`${at}.messageExpression`, 'messageExpression must be non-empty if specified')]
      : []),
    ...(rule.reason === '' || REASONS.includes(rule.reason)
      ? []
      : [notSupported(`${at}.reason`, rule.reason, REASONS)]),
    ...checkFieldPath(rule, at),
  ];
}

function checkMessage({ rule, message }: Rule, at: string): FieldError[] {
  if (rule.trim() === '') return [required(`${at}.rule`, 'rule is not specified')];
  if (message !== '' && message.trim() === '') {
    return [invalid(`${at}.message`, message, 'must be non-empty if specified')];
  }
  if (LINE_BREAK.test(message.trim())) {
    return [invalid(`${at}.message`, message, 'must not contain line breaks')];
  }
  if (!LINE_BREAK.test(rule.trim()) || message.trim() !== '') return [];
  return [required(`${at}.message`, 'message must be specified if rule contains line breaks')];
}

function checkFieldPath({ fieldPath }: Rule, at: string): FieldError[] {
  if (fieldPath === '') return [];
  const field = `${at}.fieldPath`;
  if (fieldPath.trim() === '') return [invalid(field, fieldPath, 'must be non-empty if specified')];
  if (!LINE_BREAK.test(fieldPath)) return [];
  return [invalid(field, fieldPath, 'must not contain line breaks')];
}
