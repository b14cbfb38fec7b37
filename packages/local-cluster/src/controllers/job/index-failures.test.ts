import type { Pod } from 'kubernetes-types/core/v1.js';
import { describe, expect, it } from 'vitest';

import { sampleJob, samplePod } from '../../../../../test/fixtures/rollout/sample-objects.ts';
import { FAILURES, failuresOfIndex, givesUpIndex } from './index-failures.ts';
import { INDEX } from './indexes.ts';

const rules = [
  { action: 'Ignore', onExitCodes: { operator: 'In', values: [3] } },
  { action: 'FailIndex', onExitCodes: { operator: 'In', values: [42] } },
];
const job = sampleJob({ completions: 3, backoffLimitPerIndex: 1, podFailurePolicy: { rules } });

const failed = (index: number, before: number, exitCode: number = 1): Pod =>
  samplePod({
    phase: 'Failed',
    exitCode,
    annotations: { [INDEX]: String(index), [FAILURES]: String(before) },
  });

describe('an index of a job', () => {
  it('has the failures that its last pod records, plus one unless the policy ignores it', () => {
    expect(failuresOfIndex(job, [failed(1, 0)], 1)).toBe(1);
    expect(failuresOfIndex(job, [failed(1, 4), failed(0, 9)], 1)).toBe(5);
    expect(failuresOfIndex(job, [failed(1, 4, 3)], 1)).toBe(4);
    expect(failuresOfIndex(job, [], 1)).toBe(0);
  });

  it('fails when its retries are exhausted, or at once with FailIndex', () => {
    expect(givesUpIndex(job, failed(1, 0))).toBe(false);
    expect(givesUpIndex(job, failed(1, 1))).toBe(true);
    expect(givesUpIndex(job, failed(1, 0, 42))).toBe(true);
    expect(givesUpIndex(job, failed(1, 9, 3))).toBe(false);
    expect(givesUpIndex(sampleJob({ completions: 3 }), failed(1, 9))).toBe(false);
  });
});
