import { expect, test } from 'vitest';

import { exitCodeOf } from './exit-code.ts';

test.each([
  [{ exitCode: 0, signal: null }, 0],
  [{ exitCode: 3, signal: 'SIGTERM' }, 3],
  [{ exitCode: null, signal: 'SIGSYS' }, 159],
  [{ exitCode: null, signal: 'SIG34' }, 162],
  [{ exitCode: null, signal: 'SIGNOBODYKNOWS' }, null],
  [{ exitCode: null, signal: 'SIG345' }, null],
  [{ exitCode: null, signal: 'XSIG34' }, null],
  [{ exitCode: null, signal: null }, null],
])('the exit code of %o is %s', (end, code) => {
  expect(exitCodeOf(end)).toBe(code);
});
