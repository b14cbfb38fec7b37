import { expect, it } from 'vitest';

import { fieldErrorMessage } from '../../field-error.ts';
import { checkCollisionCount } from './deployment.ts';

it.each([
  [undefined, undefined, true],
  [undefined, 0, true],
  [0, 0, true],
  [1, 2, true],
  [2, 1, false],
  [0, undefined, false],
])('a collisionCount that was %s and becomes %s is accepted: %s', (before, after, taken) => {
  const status = (count: number | undefined) => ({
    status: count === undefined ? {} : { collisionCount: count },
  });
  expect(checkCollisionCount(status(after), status(before)).map(fieldErrorMessage)).toEqual(
    taken ? [] : [`status.collisionCount: Invalid value: ${after ?? 0}: cannot be decremented`],
  );
});
