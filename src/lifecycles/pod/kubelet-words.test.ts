import type { Pod } from 'kubernetes-types/core/v1.js';
import { describe, expect, test } from 'vitest';

import type { Role } from './containers.ts';
import type { StopCause } from './grace.ts';
import { backOffMessage, crashLoopMessage, killingMessage } from './kubelet-words.ts';

const podOf = (restartPolicy: string): Pod => ({
  metadata: { name: 'web-0', namespace: 'shop', uid: '2f1c' },
  spec: { restartPolicy, containers: [] },
});

describe('killingMessage', () => {
  const liveness: StopCause = { kind: 'probe', probe: 'liveness', graceSeconds: null };
  const startup: StopCause = { kind: 'probe', probe: 'startup', graceSeconds: 5 };
  const cases: readonly (readonly [StopCause, Role, string, string])[] = [
    [liveness, 'main', 'Always', 'Container web failed liveness probe, will be restarted'],
    [startup, 'main', 'OnFailure', 'Container web failed startup probe, will be restarted'],
    [liveness, 'main', 'Never', 'Container web failed liveness probe'],
    [liveness, 'sidecar', 'Always', 'Init container web failed liveness probe'],
    [{ kind: 'postStart' }, 'main', 'Always', 'FailedPostStartHook'],
    [{ kind: 'deletion', graceSeconds: 30 }, 'main', 'Always', 'Stopping container web'],
    [{ kind: 'podOver' }, 'sidecar', 'Always', 'Stopping container web'],
  ];

  test.each(cases)('for %o of a %s, policy %s, is %s', (...[cause, role, policy, message]) => {
    expect(killingMessage(cause, { role, spec: { name: 'web' } }, podOf(policy))).toBe(message);
  });
});

test('backOffMessage names container, pod, namespace and UID', () => {
  expect(backOffMessage('web', podOf('Always'))).toBe(
    'Back-off restarting failed container web in pod web-0_shop(2f1c)',
  );
});

test.each([
  [10, '10s'],
  [80, '1m20s'],
  [300, '5m0s'],
])('crashLoopMessage writes a pause of %i s in the format of Go', (seconds, text) => {
  expect(crashLoopMessage(seconds, 'web', podOf('Always'))).toBe(
    `back-off ${text} restarting failed container=web pod=web-0_shop(2f1c)`,
  );
});
