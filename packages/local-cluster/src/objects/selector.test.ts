import { describe, expect, it } from 'vitest';
import { matchesFields, parseFieldSelector } from './selector-field.ts';
import { formatSelector, matchesSelector } from './selector-object.ts';
import { formatRequirements, matchesRequirements, parseLabelSelector } from './selector.ts';

const requirementsOf = (text: string) => {
  const parsed = parseLabelSelector(text);
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed.requirements;
};

describe('a label selector', () => {
  const labels = { app: 'web', tier: 'front', n: '5', empty: '' };

  it.each([
    ['', true],
    ['app=web', true],
    ['app==web,tier=front', true],
    ['app=web,tier=back', false],
    ['app!=web', false],
    ['missing!=web', true],
    ['app in (web, api)', true],
    ['app in (api)', false],
    ['missing notin (a)', true],
    ['app notin (web)', false],
    ['app', true],
    ['!app', false],
    ['!missing', true],
    ['n>4', true],
    ['n<5', false],
    ['app>4', false],
    ['empty=', true],
    ['app in (web),!missing, tier = front', true],
    ['toString', false],
  ])('%j matches: %s', (text, expected) => {
    expect(matchesRequirements(requirementsOf(text), labels)).toBe(expected);
  });

  it('is formatted in the order of its keys', () => {
    expect(formatRequirements(requirementsOf('b in (d,c),!a,e!=f,g'))).toBe('!a,b in (c,d),e!=f,g');
  });

  it.each([
    ['a=b,', "found '', expected: identifier after ','"],
    ['a b', "found 'b', expected: in, notin, =, ==, !=, gt, lt"],
    ['a in b', "found 'b' expected: '('"],
    ['=b', "found '=', expected: identifier"],
    ['a>b', 'the value must be an integer'],
    ['-a=b', 'name part must consist of'],
    ['a in (b', "unable to parse requirement: found '', expected: ',', or ')'"],
    ['a in (', "unable to parse requirement: found '', expected: ',', ')' or identifier"],
    ['a=b c', "found 'c', expected: ',' or 'end of string'"],
  ])('%j is refused', (text, message) => {
    expect(parseLabelSelector(text)).toMatchObject({
      ok: false,
      message: expect.stringContaining(message) as string,
    });
  });

  it('as an object matches by labels and expressions, and matches nothing if absent', () => {
    const selector = {
      matchLabels: { app: 'web' },
      matchExpressions: [{ key: 'tier', operator: 'NotIn', values: ['back'] }],
    };
    expect(matchesSelector(selector, labels)).toBe(true);
    expect(matchesSelector(selector, { app: 'web', tier: 'back' })).toBe(false);
    expect(matchesSelector({}, labels)).toBe(true);
    expect(matchesSelector(undefined, labels)).toBe(false);
    expect(formatSelector({ spec: selector }, 'spec')).toBe('app=web,tier notin (back)');
  });
});

describe('a field selector', () => {
  const definition = {
    namespaced: true,
    custom: false,
    fieldSelectors: { 'status.phase': () => 'Running' },
  };
  const object = { metadata: { name: 'a,b', namespace: 'x' } };
  const matches = (text: string): boolean => {
    const parsed = parseFieldSelector(text, definition);
    if (!parsed.ok) throw new Error(parsed.message);
    return matchesFields(parsed.terms, object, definition);
  };

  it('compares the fields that the kind supports', () => {
    expect(matches('')).toBe(true);
    expect(matches('status.phase=Running,metadata.namespace==x')).toBe(true);
    expect(matches('status.phase!=Running')).toBe(false);
    expect(matches(String.raw`metadata.name=a\,b`)).toBe(true);
  });

  it('refuses unsupported fields, and text that is not a comparison', () => {
    expect(parseFieldSelector('spec.x=y', { ...definition, fieldSelectors: {} })).toEqual({
      ok: false,
      message: '"spec.x" is not a known field selector: only "metadata.name", "metadata.namespace"',
    });
    expect(parseFieldSelector('spec.x=y', definition)).toEqual({
      ok: false,
      message: 'field label not supported: spec.x',
    });
    expect(
      parseFieldSelector('spec.x=y', { ...definition, fieldSelectors: {}, custom: true }),
    ).toMatchObject({ message: 'field label not supported: spec.x' });
    expect(
      parseFieldSelector('spec.x=y', { ...definition, unknownField: (field) => `no ${field}` }),
    ).toMatchObject({ message: 'no spec.x' });
    expect(parseFieldSelector('nonsense', definition)).toMatchObject({ ok: false });
  });
});
