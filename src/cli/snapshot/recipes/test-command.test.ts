import { expect, it } from 'vitest';

import { conclusionOf, stepText } from './test-command.ts';

it('prints no control characters of the output of the application', () => {
  const step = { name: 'freeze', ok: false, ms: 12, text: 'It failed.' } as const;
  expect(stepText({ ...step, output: 'one\n\u001B[2Jtwo\n' })).toBe(
    'FAIL freeze     12 ms  It failed.\n          | one\n          | \uFFFD[2Jtwo\n',
  );
});

it('is interrupted by Ctrl-C during the hold, unless a step has failed', () => {
  expect(conclusionOf('mariadb-lock', { ok: true, isInterrupted: true })).toEqual({
    text: 'Interrupted. Run the test again to hold the freeze for its whole time.',
    exitCode: 130,
  });
  expect(conclusionOf('mariadb-lock', { ok: false, isInterrupted: true }).exitCode).toBe(3);
  expect(conclusionOf('mariadb-lock', { ok: true, isInterrupted: false }).exitCode).toBe(0);
});
