import { describe, expect, it } from 'vitest';

import { type LocatedMap, readTrees } from '../../../model/located-tree.ts';
import {
  type Activated,
  type ActivationFacts,
  activeProfiles,
  asksForContext,
} from './activation.ts';

function treeOf(text: string): LocatedMap {
  const [tree] = readTrees('skaffold.yaml', text).trees;
  if (tree?.kind !== 'map') throw new Error('no map');
  return tree;
}

const FACTS: ActivationFacts = { env: {}, kubeContext: null, command: 'dev' };

function activated(text: string, asked: readonly string[], facts?: object): Activated {
  return activeProfiles(treeOf(text), asked, { ...FACTS, ...facts });
}

const active = (...args: Parameters<typeof activated>): readonly string[] => {
  const { names, problems } = activated(...args);
  expect(problems).toEqual([]);
  return names;
};

/** Whether a profile with this activation is active. */
const isActive = (activation: string, facts?: object, more = ''): boolean =>
  active(`profiles: [{name: p, activation: ${activation}${more}}]`, [], facts).includes('p');

describe('the profiles that are asked for', () => {
  const text = 'profiles: [{name: a}, {name: b}, {name: c, activation: [{command: dev}]}]';

  it('are active after those that are activated, in the order in which they are asked for', () => {
    expect(active(text, [])).toEqual(['c']);
    expect(active(text, ['b', 'a'])).toEqual(['c', 'b', 'a']);
  });

  it('are active once', () => {
    expect(active(text, ['a', 'c', 'a'])).toEqual(['c', 'a']);
  });

  it('are only those of this configuration: a profile may be that of another module', () => {
    expect(active(text, ['x', 'a'])).toEqual(['c', 'a']);
    expect(active('profiles: []', ['x'])).toEqual([]);
  });

  it('are deactivated by a "-" before the name, which leaves the others', () => {
    expect(active(text, ['a', 'b', '-a'])).toEqual(['c', 'b']);
    expect(active(text, ['-c'])).toEqual([]);
  });
});

describe('a profile', () => {
  it('is active if one of its activations holds', () => {
    expect(isActive('[{command: build}, {command: dev}]')).toBe(true);
    expect(isActive('[{command: build}, {command: run}]')).toBe(false);
  });

  it('is active only if all activations hold, where it requires all', () => {
    const all = ', requiresAllActivations: true';
    expect(isActive('[{command: build}, {command: dev}]', {}, all)).toBe(false);
    expect(isActive('[{command: dev|build}, {command: dev}]', {}, all)).toBe(true);
    expect(isActive('[]', {}, all)).toBe(false);
  });

  it('is active only if all conditions of one activation hold', () => {
    const conditions = '[{command: dev, kubeContext: kind, env: CI=true}]';
    const env = { CI: 'true' };
    expect(isActive(conditions, { env, kubeContext: 'kind' })).toBe(true);
    expect(isActive(conditions, { env, kubeContext: 'prod' })).toBe(false);
    expect(isActive(conditions, { env: { CI: 'no' }, kubeContext: 'kind' })).toBe(false);
    expect(isActive(conditions, { env, kubeContext: 'kind', command: 'run' })).toBe(false);
  });

  it('is not restricted by a condition that is empty or null', () => {
    expect(isActive('[{env: "", kubeContext: "", command: dev}]')).toBe(true);
    expect(isActive('[{env: null, kubeContext: null, command: dev}]')).toBe(true);
  });

  it('is active for a value that is the text itself, also where that is no pattern', () => {
    expect(isActive('[{kubeContext: "a+(b"}]', { kubeContext: 'a+(b' })).toBe(true);
    expect(isActive('[{kubeContext: "!a+(b"}]', { kubeContext: 'a+(b' })).toBe(false);
  });

  it('compares the context with an empty text where there is none', () => {
    expect(isActive('[{kubeContext: "^$"}]')).toBe(true);
    expect(isActive('[{kubeContext: "!kind"}]')).toBe(true);
  });

  it('compares an unset variable with an empty text', () => {
    expect(isActive('[{env: "STAGE=^$"}]')).toBe(true);
    expect(isActive('[{env: "STAGE=!prod"}]')).toBe(true);
    expect(isActive('[{env: "STAGE="}]', { env: { STAGE: 'x' } })).toBe(false);
  });
});

describe('an activation that can not be read', () => {
  it.each([
    ['CI', 'Write CI=VALUE, or CI= for an empty value.'],
    ['=true', 'Write the name of the variable before "=".'],
  ])('is reported with its position, and does not hold: env %s', (env, next) => {
    const text = `profiles: [{name: p, activation: [{env: "${env}"}]}]`;
    expect(activated(text, [])).toEqual({
      names: [],
      problems: [
        {
          code: 'LHL120',
          severity: 'error',
          at: { file: 'skaffold.yaml', line: 1, column: 41 },
          message: `"env" of an activation is KEY=VALUE; received "${env}".`,
          next,
        },
      ],
    });
  });

  it('is reported if it is no pattern, and does not hold', () => {
    const text = 'profiles: [{name: p, activation: [{command: "!a("}]}]';
    const { names, problems } = activated(text, []);
    expect(names).toEqual([]);
    expect(problems).toMatchObject([
      { code: 'LHL120', at: { line: 1, column: 45 }, next: 'Correct the pattern.' },
    ]);
    expect(problems[0]?.message).toMatch(/^"a\(" is not a valid pattern: .+\.$/u);
  });
});

describe('asksForContext', () => {
  it.each([
    ['profiles: [{name: p, activation: [{command: dev}, {kubeContext: kind}]}]', true],
    ['profiles: [{name: p, activation: [{command: dev}]}]', false],
    ['profiles: [{name: p}]', false],
    ['build: {}', false],
  ])('%s: %s', (text, asks) => {
    expect(asksForContext(treeOf(text))).toBe(asks);
  });
});
