import type { JobStatus } from 'kubernetes-types/batch/v1.js';
import type { Pod } from 'kubernetes-types/core/v1.js';
import { describe, expect, it } from 'vitest';

import {
  ago,
  NOW_MS,
  sampleJob,
  samplePod,
} from '../../../../../test/fixtures/rollout/sample-objects.ts';
import { endingOf } from './ending.ts';
import { tallyPods } from './tally.ts';

function reason(
  spec: Parameters<typeof sampleJob>[0],
  status: JobStatus = {},
  pods: readonly Pod[] = [],
): string {
  const job = sampleJob(spec, status);
  const ending = endingOf({ job, pods, tally: tallyPods(job, pods, false), nowMs: NOW_MS });
  return ending === null ? 'goes on' : `${ending.type} ${ending.reason}`;
}

const restarted = samplePod({ restarts: 3 });
const onFailure = { spec: { restartPolicy: 'OnFailure', containers: [] } };

describe('a job', () => {
  it.each<[string, string, Parameters<typeof reason>]>([
    ['has too few successes', 'goes on', [{ completions: 3 }, { succeeded: 2 }]],
    [
      'has its completions',
      'SuccessCriteriaMet CompletionsReached',
      [{ completions: 3 }, { succeeded: 3 }],
    ],
    [
      'has its completions and an active pod',
      'goes on',
      [{ completions: 3 }, { succeeded: 3 }, [samplePod()]],
    ],
    ['has as many failures as its backoffLimit', 'goes on', [{ backoffLimit: 2 }, { failed: 2 }]],
    [
      'has one failure more than its backoffLimit',
      'FailureTarget BackoffLimitExceeded',
      [{ backoffLimit: 2 }, { failed: 3 }],
    ],
    [
      'restarted its containers as often as its backoffLimit',
      'FailureTarget BackoffLimitExceeded',
      [{ backoffLimit: 3, template: onFailure }, {}, [restarted]],
    ],
    [
      'restarted its containers less often than its backoffLimit',
      'goes on',
      [{ backoffLimit: 4, template: onFailure }, {}, [restarted]],
    ],
    ['is within its deadline', 'goes on', [{ activeDeadlineSeconds: 10 }, { startTime: ago(9) }]],
    [
      'is past its deadline',
      'FailureTarget DeadlineExceeded',
      [{ activeDeadlineSeconds: 10 }, { startTime: ago(10) }],
    ],
    [
      'is suspended past its deadline',
      'goes on',
      [{ activeDeadlineSeconds: 10, suspend: true }, { startTime: ago(60) }],
    ],
  ])('that %s: %s', (_, expected, args) => {
    expect(reason(...args)).toBe(expected);
  });

  it('without completions is done when one pod succeeded and none is active', () => {
    const { completions: _, ...spec } = sampleJob().spec ?? { template: {} };
    const job = { ...sampleJob(), spec, status: { succeeded: 1 } };
    const tally = tallyPods(job, [], false);
    expect(endingOf({ job, pods: [], tally, nowMs: NOW_MS })?.reason).toBe('CompletionsReached');
  });

  it('keeps the outcome that was recorded first', () => {
    const reported = { type: 'FailureTarget', status: 'True', reason: 'DeadlineExceeded' };
    expect(reason({}, { succeeded: 1, failed: 99, conditions: [reported] })).toBe(
      'FailureTarget DeadlineExceeded',
    );
  });
});
