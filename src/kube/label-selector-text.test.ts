import { expect, it } from 'vitest';

import { labelSelectorText } from './label-selector-text.ts';

it('labelSelectorText writes a selector in the syntax of a query parameter', () => {
  const text = labelSelectorText({
    matchLabels: { app: 'db', tier: 'back' },
    matchExpressions: [
      { key: 'zone', operator: 'In', values: ['a', 'b'] },
      { key: 'old', operator: 'DoesNotExist' },
      { key: 'new', operator: 'Exists' },
      { key: 'kind', operator: 'NotIn', values: ['c'] },
    ],
  });
  expect(text).toBe('app=db,tier=back,zone in (a,b),!old,new,kind notin (c)');
  expect(labelSelectorText({})).toBe('');
});
