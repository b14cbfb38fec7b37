import { beforeAll, describe, expect, it } from 'vitest';

import type { JsonObject } from '../../../../../src/kube/object.ts';
import { fieldErrorMessage } from '../field-error.ts';
import { compileStructural, type CompileResult, type CompiledSchema } from './compile.ts';
import { hasRules, loadRuleEngine, type RuleEngine } from './rule-engine.ts';

let engine: RuleEngine;
beforeAll(async () => {
  engine = await loadRuleEngine();
});

const integer = { type: 'integer' };
const text = { type: 'string' };

function compileSpec(spec: JsonObject): CompileResult {
  const schema = { type: 'object', properties: { spec: { type: 'object', ...spec } } };
  return compileStructural(schema, { at: 'schema', engine });
}

function withRule(
  rule: JsonObject | string,
  properties: JsonObject = { a: integer, b: integer },
): CompiledSchema {
  const rules = [typeof rule === 'string' ? { rule } : rule];
  const result = compileSpec({ properties, 'x-kubernetes-validations': rules });
  if (result.kind === 'invalid') throw new Error(result.errors.map(fieldErrorMessage).join('; '));
  return result.schema;
}

const faults = (schema: CompiledSchema, spec: JsonObject, old?: JsonObject): string[] =>
  schema.validate({ spec }, old === undefined ? undefined : { spec: old }).map(fieldErrorMessage);

const refused = (spec: JsonObject): string[] => {
  const result = compileSpec(spec);
  return result.kind === 'compiled' ? [] : result.errors.map(fieldErrorMessage);
};

describe('a validation rule', () => {
  it('refuses an object that violates it, with its message, reason and field', () => {
    expect(faults(withRule('self.a <= self.b'), { a: 2, b: 1 })).toEqual([
      'spec: Invalid value: "object": failed rule: self.a <= self.b',
    ]);
    expect(faults(withRule('self.a <= self.b'), { a: 1, b: 1 })).toEqual([]);
    const rule = {
      rule: 'self.a <= self.b',
      messageExpression: '"a is " + string(self.a)',
      reason: 'FieldValueForbidden',
      fieldPath: '.a',
    };
    expect(faults(withRule(rule), { a: 2, b: 1 })).toEqual(['spec.a: Forbidden: a is 2']);
    expect(
      faults(withRule({ ...rule, messageExpression: 'self.x', message: 'm' }), { a: 2, b: 1 }),
    ).toEqual(['spec.a: Forbidden: m']);
  });

  it('compares with the old value, and is skipped without one', () => {
    const schema = withRule({ rule: 'self.a >= oldSelf.a', message: 'must not fall' });
    expect(faults(schema, { a: 1 }, { a: 2 })).toEqual([
      'spec: Invalid value: "object": must not fall',
    ]);
    expect(faults(schema, { a: 2 }, { a: 1 })).toEqual([]);
    expect(faults(schema, { a: 1 })).toEqual([]);
  });

  it('runs without an old value with optionalOldSelf', () => {
    const rule = 'oldSelf.hasValue() ? self.a >= oldSelf.value().a : self.a == 0';
    const schema = withRule({ rule, optionalOldSelf: true, message: 'no' });
    expect(faults(schema, { a: 1 })).toHaveLength(1);
    expect(faults(schema, { a: 0 })).toEqual([]);
    expect(faults(schema, { a: 1 }, { a: 2 })).toHaveLength(1);
    expect(faults(schema, { a: 3 }, { a: 2 })).toEqual([]);
  });

  it.each<[string, JsonObject, JsonObject]>([
    ['self.name__dash__x == "a"', { 'name-x': text }, { 'name-x': 'a' }],
    [
      'self.at > timestamp("2020-01-01T00:00:00Z")',
      { at: { type: 'string', format: 'date-time' } },
      { at: '2021-01-01T00:00:00Z' },
    ],
    ['self.d > duration("1m")', { d: { type: 'string', format: 'duration' } }, { d: '2m' }],
    ['self.a.matches("^x+$") && matches(self.a, "x")', { a: text }, { a: 'xx' }],
    ['quantity(self.q).isLessThan(quantity("1Gi"))', { q: text }, { q: '500Mi' }],
    [
      'self.l.indexOf({"a": 2}) == 1 && self.l.lastIndexOf({"a": 1}) == 2 && self.l.indexOf({"a": 3}) == -1',
      {
        l: { type: 'array', items: { type: 'object', properties: { a: integer } } },
      },
      { l: [{ a: 1 }, { a: 2 }, { a: 1 }] },
    ],
    [
      'self.l.indexOf(timestamp("2021-01-01T00:00:00Z")) == 1',
      { l: { type: 'array', items: { type: 'string', format: 'date-time' } } },
      { l: ['2020-01-01T00:00:00Z', '2021-01-01T00:00:00Z'] },
    ],
    [
      '[1, "a", null, 2.5, [1]].indexOf("a") == 1 && [1, "a"].indexOf(1.0) == 0 && ["a", null, [1]].indexOf(1) == -1',
      { a: integer },
      { a: 1 },
    ],
    [
      'self.l.all(x, x > 0) && self.l.sum() == 3 && self.l.isSorted()',
      { l: { type: 'array', items: integer } },
      { l: [1, 2] },
    ],
    [
      'self.m.all(k, self.m[k] != "")',
      { m: { type: 'object', additionalProperties: text } },
      { m: { 'a.b': 'c' } },
    ],
    ['!has(self.a) && self.?a.orValue(5) == 5', { a: integer }, {}],
    ['self.n > 0.5', { n: { type: 'number' } }, { n: 1 }],
  ])('supports %s', (rule, properties, spec) => {
    expect(faults(withRule(rule, properties), spec)).toEqual([]);
  });

  it('can read the name and the kind at the root', () => {
    const rules = [{ rule: 'self.metadata.name == "x" && self.kind == "K"' }];
    const schema = { type: 'object', 'x-kubernetes-validations': rules };
    const result = compileStructural(schema, { at: 'schema', engine });
    const object = { kind: 'K', metadata: { name: 'x', labels: {} } };
    expect(result.kind === 'compiled' && result.schema.validate(object)).toEqual([]);
  });

  it('is not evaluated for an object with wrong types', () => {
    const schema = withRule('self.a > 0');
    expect(faults(schema, { a: 'x' })).toEqual([
      'spec.a: Invalid value: "string": spec.a in body must be of type integer: "string"',
      '<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
    ]);
  });

  it('reports an evaluation error', () => {
    expect(faults(withRule('self.a / self.b > 0'), { a: 1, b: 0 })).toEqual([
      'spec: Invalid value: "object": division by zero evaluating rule: failed rule: self.a / self.b > 0',
    ]);
  });

  it('is stopped when it exceeds its cost budget', () => {
    const list = { type: 'array', items: integer };
    const rule = 'self.l.all(x, self.l.all(y, self.l.all(z, x + y + z >= 0)))';
    const schema = withRule(rule, { l: list });
    expect(faults(schema, { l: Array.from({ length: 1_000 }, (_, at) => at) })).toEqual([
      'spec: Invalid value: "object": validation failed due to running out of cost budget, no further validation rules will be run',
    ]);
    expect(faults(schema, { l: [1, 2, 3] })).toEqual([]);
  });

  it('matches patterns in linear time', () => {
    const schema = withRule(`!self.a.matches('^(a+)+$')`, { a: text });
    expect(faults(schema, { a: `${'a'.repeat(5_000)}!` })).toEqual([]);
  });
});

describe('a definition with rules', () => {
  const rules = (...all: JsonObject[]): JsonObject => ({
    properties: { a: integer },
    'x-kubernetes-validations': all,
  });
  const at = 'schema.properties[spec].x-kubernetes-validations[0]';

  it('is refused for invalid rules', () => {
    expect(refused(rules({ rule: 'self.a >' }))).toEqual([
      `${at}.rule: Invalid value: "self.a >": compilation failed: Unexpected token: EOF`,
    ]);
    expect(refused(rules({ rule: 'foo > 1' }))).toEqual([
      `${at}.rule: Invalid value: "foo > 1": compilation failed: Unknown variable: foo`,
    ]);
    expect(refused(rules({ rule: ' ' }))).toEqual([
      `${at}.rule: Required value: rule is not specified`,
    ]);
    expect(refused(rules({ rule: 'true', reason: 'X' }))[0]).toMatch(
      /reason: Unsupported value: "X"/,
    );
    expect(refused(rules({ rule: 'true', optionalOldSelf: true }))).toEqual([
      `${at}.optionalOldSelf: Invalid value: true: may not be set if oldSelf is not used in rule`,
    ]);
  });

  it('is refused for comparing uncorrelatable list items', () => {
    const items = { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self == oldSelf' }] };
    expect(refused({ properties: { l: { type: 'array', items } } })[0]).toMatch(
      /oldSelf cannot be used on the uncorrelatable portion of the schema within schema\.properties\[spec\]\.properties\[l\]$/,
    );
  });

  it('is distinguished from one without rules', () => {
    expect(hasRules({ a: [{ 'x-kubernetes-validations': [] }] })).toBe(true);
    expect(hasRules({ a: [{ b: 'x-kubernetes-validations' }] })).toBe(false);
    const schema = { type: 'object', 'x-kubernetes-validations': [{ rule: 'true' }] };
    expect(() => compileStructural(schema, { at: 'schema', engine: null })).toThrow('rule engine');
  });
});
