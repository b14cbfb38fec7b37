import { expect, it, describe } from 'vitest';

import { labelSelectorText, matchesLabels } from './label-selector.ts';

it('labelSelectorText writes a selector in the syntax of a query parameter', () => {
  const text = labelSelectorText({
    matchLabels: { app: 'db', tier: 'back' },
    matchExpressions: [
      { key: 'zone', operator: 'In', values: ['a', 'b'] },
      { key: 'old', operator: 'DoesNotExist' },
      { key: 'new', operator: 'Exists' },
      { key: 'kind', operator: 'NotIn', values: ['c', 'd'] },
    ],
  });
  expect(text).toBe('app=db,tier=back,zone in (a,b),!old,new,kind notin (c,d)');
  expect(labelSelectorText({ matchLabels: { app: 'db' } })).toBe('app=db');
  expect(labelSelectorText({})).toBe('');
});

const labels = { app: 'web', tier: 'front' };
const by = (operator: string, key: string, ...values: string[]): boolean =>
  matchesLabels({ matchExpressions: [{ key, operator, values }] }, labels);

describe('matchesLabels', () => {
  it('finds no label in an inherited property of the labels', () => {
    expect(by('Exists', 'constructor')).toBe(false);
    expect(by('DoesNotExist', 'constructor')).toBe(true);
  });

  it('requires every label of the selector', () => {
    expect(matchesLabels({ matchLabels: { app: 'web' } }, labels)).toBe(true);
    expect(matchesLabels({ matchLabels: { app: 'web', tier: 'back' } }, labels)).toBe(false);
    expect(matchesLabels({ matchLabels: { app: 'web' } }, {})).toBe(false);
  });

  it('supports each operator, and matches nothing with an unknown one', () => {
    expect([by('In', 'app', 'web', 'db'), by('In', 'app', 'db'), by('In', 'x', 'web')]).toEqual([
      true,
      false,
      false,
    ]);
    expect([by('NotIn', 'app', 'db'), by('NotIn', 'app', 'web'), by('NotIn', 'x', 'web')]).toEqual([
      true,
      false,
      true,
    ]);
    expect([by('Exists', 'app'), by('Exists', 'x')]).toEqual([true, false]);
    expect([by('DoesNotExist', 'app'), by('DoesNotExist', 'x')]).toEqual([false, true]);
    expect(by('Near', 'app')).toBe(false);
  });

  it('matches everything with an empty selector, and nothing with an absent one', () => {
    expect([matchesLabels({}, labels), matchesLabels(undefined, labels)]).toEqual([true, false]);
  });
});
