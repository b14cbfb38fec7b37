import type { PodFailurePolicyRule } from 'kubernetes-types/batch/v1.js';
import { describe, expect, it } from 'vitest';

import { sampleJob, samplePod } from '../../../../../test/fixtures/rollout/sample-objects.ts';
import { judgeFailure } from './failure-policy.ts';

const codes = (
  action: string,
  operator: string,
  requirement: { readonly values: number[]; readonly containerName?: string },
): PodFailurePolicyRule => ({ action, onExitCodes: { operator, ...requirement } });

const judge = (exitCode: number, ...rules: PodFailurePolicyRule[]): string =>
  judgeFailure(sampleJob({ podFailurePolicy: { rules } }), samplePod({ phase: 'Failed', exitCode }))
    .kind;

describe('a failed pod', () => {
  it('counts when no rule matches', () => {
    expect(judge(1)).toBe('count');
    expect(judge(1, codes('FailJob', 'In', { values: [42] }))).toBe('count');
  });

  it('is judged by the first rule that matches', () => {
    expect(
      judge(42, codes('Ignore', 'In', { values: [42] }), codes('FailJob', 'In', { values: [42] })),
    ).toBe('ignore');
    expect(
      judge(
        7,
        codes('Ignore', 'In', { values: [42] }),
        codes('FailJob', 'NotIn', { values: [42] }),
      ),
    ).toBe('failJob');
    expect(
      judge(7, codes('Count', 'In', { values: [7] }), codes('FailJob', 'In', { values: [7] })),
    ).toBe('count');
  });

  it('does not match with containers that exited with 0', () => {
    expect(judge(0, codes('FailJob', 'NotIn', { values: [42] }))).toBe('count');
  });

  it('is judged by one container when the rule names it', () => {
    expect(judge(42, codes('FailJob', 'In', { values: [42], containerName: 'main' }))).toBe(
      'failJob',
    );
    expect(judge(42, codes('FailJob', 'In', { values: [42], containerName: 'other' }))).toBe(
      'count',
    );
  });

  it('is judged by its conditions, and the message names the condition', () => {
    const onPodConditions = [{ type: 'DisruptionTarget', status: 'True' }];
    const pod = samplePod({ phase: 'Failed', exitCode: 1 });
    const conditions = [{ type: 'DisruptionTarget', status: 'True' }];
    const disrupted = { ...pod, status: { ...pod.status, conditions } };
    const policy = (action: string): ReturnType<typeof sampleJob> =>
      sampleJob({ podFailurePolicy: { rules: [{ action, onPodConditions }] } });
    expect(judgeFailure(policy('Ignore'), disrupted)).toEqual({ kind: 'ignore' });
    expect(judgeFailure(policy('Ignore'), pod)).toEqual({ kind: 'count' });
    expect(judgeFailure(policy('FailJob'), disrupted)).toEqual({
      kind: 'failJob',
      message: 'Pod x/pod has condition DisruptionTarget matching FailJob rule at index 0',
    });
  });
});
