import { expect, test } from 'vitest';

import { nextStepOf } from './commands.ts';

test.each([
  [undefined, null, null],
  ['lifehook rollout retry -n shop web', null, 'lifehook rollout retry -n shop web'],
  ['kubectl describe pod -n shop web-0', null, 'kubectl describe pod -n shop web-0'],
  [
    'thaw db-0/postgres by hand, then: lifehook snapshot release -n shop nightly-0 --by YOU',
    'thaw db-0/postgres by hand, then',
    'lifehook snapshot release -n shop nightly-0 --by YOU',
  ],
  ['ask the owner of lifehook first', 'ask the owner of lifehook first', null],
])('the command of the advice %j is separate from its note', (next, note, command) => {
  expect(nextStepOf(next)).toEqual({ note, command });
});
