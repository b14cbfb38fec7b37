import { describe, expect, it } from 'vitest';

import type { JsonObject } from '../../../../../src/kube/object.ts';
import { DEFAULT_GATES } from '../../../../../src/model/feature-gates.ts';
import { needed, notNegative, oneOf } from './field-checks.ts';
import { compileRules, type DefaultRow, fillDefaults, type Rule, unchanged } from './interpret.ts';

function filled(draft: JsonObject, ...rows: readonly DefaultRow[]): JsonObject {
  fillDefaults(draft, rows, undefined);
  return draft;
}

describe('a default', () => {
  it('is set where the field is absent, null or an empty text, and creates the objects around it', () => {
    const row: DefaultRow = ['spec.mode', 'Fast'];
    expect(filled({}, row)).toEqual({ spec: { mode: 'Fast' } });
    expect(filled({ spec: { mode: null } }, row)).toEqual({ spec: { mode: 'Fast' } });
    expect(filled({ spec: { mode: '' } }, row)).toEqual({ spec: { mode: 'Fast' } });
    expect(filled({ spec: { mode: 'Slow' } }, row)).toEqual({ spec: { mode: 'Slow' } });
  });

  it('with "?" in its path needs that object', () => {
    const row: DefaultRow = ['spec.port?.number', 80];
    expect(filled({}, row)).toEqual({ spec: {} });
    expect(filled({ spec: { port: {} } }, row)).toEqual({ spec: { port: { number: 80 } } });
  });

  it('with "[]" in its path is set in each object of the list', () => {
    const draft = { hooks: [{}, { scope: 'one' }] };
    expect(filled(draft, ['hooks[].scope', '*'])).toEqual({
      hooks: [{ scope: '*' }, { scope: 'one' }],
    });
  });

  it('with a condition needs that value, or with null the absence of the field', () => {
    const row: DefaultRow = ['surge', 1, ['type', 'Rolling']];
    expect(filled({ type: 'Rolling' }, row)).toEqual({ type: 'Rolling', surge: 1 });
    expect(filled({ type: 'Recreate' }, row)).toEqual({ type: 'Recreate' });
    expect(filled({}, ['total', 1, ['parallel', null]])).toEqual({ total: 1 });
    expect(filled({ parallel: 2 }, ['total', 1, ['parallel', null]])).toEqual({ parallel: 2 });
  });

  it('shares no object with another draft', () => {
    const row: DefaultRow = ['list', [{}]];
    const [one, other] = [filled({}, row), filled({}, row)];
    expect(one['list']).not.toBe(other['list']);
  });
});

describe('a rule', () => {
  const found = (rule: Rule, object: JsonObject, old?: JsonObject): string[] =>
    compileRules({ rules: [rule] })(object, old, { gates: DEFAULT_GATES, now: '' }).map(
      ({ type, field }) => `${type} ${field}`,
    );

  it('reports a negative number, an absent text and a value outside its list', () => {
    const spec = { count: -1, mode: 'Odd' };
    expect(found(['spec.{count,other}', notNegative], { spec })).toEqual(['Invalid spec.count']);
    expect(found(['spec.{name,mode}', needed()], { spec })).toEqual(['Required spec.name']);
    expect(found(['spec.mode', oneOf('Even')], { spec })).toEqual(['NotSupported spec.mode']);
  });

  it('reports a changed field that is immutable, on an update only', () => {
    const rule: Rule = ['{spec.name,kind}', unchanged];
    const [before, after] = [{ spec: { name: 'a' } }, { spec: { name: 'b' } }];
    expect(found(rule, after, before)).toEqual(['Invalid spec.name']);
    expect(found(rule, after)).toEqual([]);
    expect(found(rule, before, before)).toEqual([]);
  });
});
