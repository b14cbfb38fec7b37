import { expect, it } from 'vitest';

import { hookPod } from '../../../../test/fixtures/rollout/hook-pods.ts';
import { readHookPod } from './read-hook-pod.ts';

it.each([
  [{ message: 'no node yet' }, ': no node yet'],
  [{ reason: 'ErrImagePull' }, 'ErrImagePull'],
])('quotes a wait of %j without adding to it', (waiting, waitsFor) => {
  expect(readHookPod(hookPod({ state: { waiting } }))).toMatchObject({ waitsFor });
});
