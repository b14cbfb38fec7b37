import { describe, expect, it } from 'vitest';

import { ago } from '../../../../test/fixtures/rollout/hook-pods.ts';
import type { HookAttempt } from '../kinds.ts';
import { describeAttempt } from './describe-attempt.ts';

describe('describeAttempt', () => {
  it.each<[string, Partial<HookAttempt>, string]>([
    [
      'names a success',
      { outcome: 'Succeeded', exitCode: 0, reason: 'Completed' },
      'attempt 1 of the pre hook succeeded',
    ],
    [
      'names exit code, signal and reason',
      { outcome: 'Failed', exitCode: 137, signal: 9, reason: 'OOMKilled' },
      'attempt 1 of the pre hook failed with exit code 137 by signal 9 (OOMKilled)',
    ],
    [
      'prefers the termination message to the log',
      { outcome: 'Failed', message: 'no space left.', lastLines: ['x'] },
      'attempt 1 of the pre hook failed: no space left',
    ],
    [
      'names no reason of a success',
      { outcome: 'Succeeded', signal: 9 },
      'attempt 1 of the pre hook succeeded',
    ],
    [
      'takes the last line of the log that is not blank',
      { outcome: 'Failed', lastLines: ['one', 'no such table', '  ', ''] },
      'attempt 1 of the pre hook failed: no such table',
    ],
    [
      'takes the last 300 characters of the output',
      { outcome: 'Failed', message: `${'x'.repeat(300)}${'y'.repeat(299)}` },
      `attempt 1 of the pre hook failed: x${'y'.repeat(299)}`,
    ],
    [
      'takes the output without blanks around it and without its full stop',
      { outcome: 'Failed', message: '  v1.2 is too old.  ' },
      'attempt 1 of the pre hook failed: v1.2 is too old',
    ],
    ['names a timeout', { outcome: 'TimedOut' }, 'attempt 1 of the pre hook ran out of time'],
    ['names an abort', { outcome: 'Aborted' }, 'attempt 1 of the pre hook was aborted'],
    ['names an attempt that runs', {}, 'attempt 1 of the pre hook runs'],
    [
      'says nothing of an empty log',
      { outcome: 'Failed', lastLines: [''] },
      'attempt 1 of the pre hook failed',
    ],
    [
      'names an unknown outcome',
      { outcome: 'Unknown', reason: 'PodLost' },
      'attempt 1 of the pre hook has an unknown outcome (PodLost)',
    ],
  ])('%s', (...[, how, expected]) => {
    const one = { number: 1, podName: 'p', startedAt: ago(0), fencingToken: 1, ...how };
    expect(describeAttempt('pre', one)).toBe(expected);
  });
});
