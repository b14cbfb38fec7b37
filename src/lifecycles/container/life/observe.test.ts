import { describe, expect, it } from 'vitest';

import { checkContainerId } from './observe.ts';

describe('checkContainerId', () => {
  it.each(['web', 'web-1', '_', '0.a+b_c-d', 'x'.repeat(128)])('accepts %j', (id) => {
    expect(() => {
      checkContainerId(id);
    }).not.toThrow();
  });

  it.each(['', '.', '..', '../up', 'a/b', '-x', '.deleted-x', 'a b', 'ü', 'x'.repeat(129), 'a\0'])(
    'refuses %j with LHC210',
    (id) => {
      expect(() => {
        checkContainerId(id);
      }).toThrow(
        expect.objectContaining({ problems: [expect.objectContaining({ code: 'LHC210' })] }),
      );
    },
  );
});
