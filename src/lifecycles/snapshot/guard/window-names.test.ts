import { expect, it } from 'vitest';

import { windowName, windowNumber } from './guard-window.ts';

const named = (name: string): Parameters<typeof windowNumber>[0] => ({
  metadata: { name },
  spec: { source: {} },
});

it('reads the number of a window back from its name, also for a guard that is named like a window', () => {
  expect(windowName('mariadb', 12)).toBe('mariadb-window-12');
  expect(windowNumber(named(windowName('mariadb', 12)))).toBe(12);
  expect(windowNumber(named(windowName('a-window-3', 4)))).toBe(4);
  for (const foreign of [
    'mariadb',
    'mariadb-window-',
    'mariadb-window-x',
    `a-window-${'9'.repeat(16)}`,
  ]) {
    expect(windowNumber(named(foreign))).toBe(0);
  }
});
