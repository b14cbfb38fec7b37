import { constants } from 'node:os';
import { expect, test } from 'vitest';

import { exitCodeOf } from './exit-code.ts';

/** Signals that do not terminate a program, and second names of signals that do. */
const OTHERS = /CHLD|CONT|STOP|TSTP|TTIN|TTOU|URG|WINCH|IOT|POLL|UNUSED/;

test(
  'exitCodeOf knows every signal of this machine that kills a process',
  { tags: 'linux' },
  () => {
    const ending = Object.entries(constants.signals).filter(([name]) => !OTHERS.test(name));
    expect(ending.length).toBeGreaterThan(20);
    for (const [signal, number] of ending) {
      expect([signal, exitCodeOf({ exitCode: null, signal })]).toEqual([signal, 128 + number]);
    }
  },
);
