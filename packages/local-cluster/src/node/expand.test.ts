import { expect, test } from 'vitest';

import { expand } from './expand.ts';

test.each([
  ['plain', 'plain'],
  ['$(A)', 'one'],
  ['x-$(A)-$(B)', 'x-one-two'],
  ['$(MISSING)', '$(MISSING)'],
  ['$$(A)', '$(A)'],
  ['$$$(A)', '$one'],
  ['$A', '$A'],
  ['$(A', '$(A'],
  ['$', '$'],
])('%s becomes %s', (text, expected) => {
  expect(expand(text, { A: 'one', B: 'two' })).toBe(expected);
});
