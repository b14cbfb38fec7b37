import { expect, it } from 'vitest';

import type { HookRunStatus } from '../kinds.ts';
import { withGrant } from './run-status.ts';

it('counts each grant of its own attempt (ROLL-P4)', () => {
  const attempts = [{ number: 1, grants: 4 }, { number: 2 }];
  const status = { phase: 'Running', attempts } as unknown as HookRunStatus;
  const once = withGrant(status, 2);
  expect(once.attempts).toEqual([
    { number: 1, grants: 4 },
    { number: 2, grants: 1 },
  ]);
  expect(withGrant(once, 2).attempts[1]).toMatchObject({ grants: 2 });
});
