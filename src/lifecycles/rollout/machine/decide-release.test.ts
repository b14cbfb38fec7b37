import { describe, expect, test } from 'vitest';

import { ended, hookPod } from '../../../../test/fixtures/rollout/hook-pods.ts';
import {
  type Case,
  drained,
  facts,
  gated,
  RECREATE,
  recreate,
  rollingUpdate,
  settled,
} from '../../../../test/fixtures/rollout/machine-cases.ts';
import { microAgo } from '../../../../test/fixtures/rollout/machine-facts.ts';
import { decide } from './decide.ts';
import type { MachineStep } from './step.ts';

const full = { lifecycle: { recreate }, spec: { ...RECREATE } };
const zero = { ...full, spec: { ...RECREATE, replicas: 0 }, annotations: drained };
const stepFor = (sample: Case): MachineStep => decide(facts(sample));

describe('the drain before mid (ROLL-M3)', () => {
  test('is entered with what pre has said', () => {
    const run = settled('pre', 'Succeeded');
    const step = stepFor({ phase: 'Pre', ...full, more: { hookRuns: [run] } });
    expect(step).toMatchObject({
      kind: 'record',
      reason: 'what it said',
      status: { rollout: { phase: 'Draining' } },
    });
  });

  test('keeps the count before it writes zero replicas, each with its reason', () => {
    const kept = stepFor({ phase: 'Draining', ...full });
    expect(kept.reason).toBe('the 3 replicas are recorded as the wanted count: they are drained');
    expect(kept).toHaveProperty('change', {
      annotations: { 'lifehook.dev/wanted-replicas': '3' },
    });
    const zeroed = stepFor({ phase: 'Draining', ...full, annotations: drained });
    expect(zeroed.reason).toBe('the 3 replicas are scaled to 0: they are held');
    expect(zeroed).toHaveProperty('change', { replicas: 0 });
  });

  test('takes a count that is not said for one replica', () => {
    const spec = { ...RECREATE, replicas: undefined as never };
    expect(stepFor({ phase: 'Draining', ...full, spec })).toMatchObject({
      change: { annotations: { 'lifehook.dev/wanted-replicas': '1' } },
    });
  });

  const draining = { phase: 'Draining', ...zero, rollout: { waitingFor: 'web-a' } } as const;
  const waitAfter = (seconds: number): MachineStep =>
    stepFor({
      ...draining,
      rollout: { waitingFor: 'web-a', phaseStartedAt: microAgo(seconds) },
      more: { livePods: ['web-a'] },
    });

  test('looks again after five seconds, or at its deadline', () => {
    expect(waitAfter(10)).toEqual({ kind: 'waitFor', ms: 5_000, reason: '1 pods live' });
    expect(waitAfter(58)).toEqual({ kind: 'waitFor', ms: 2_000, reason: '1 pods live' });
  });

  test('fails at its deadline with the pods that live (ROLL-C12)', () => {
    const late = { phaseStartedAt: microAgo(60) };
    const step = stepFor({ ...draining, rollout: late, more: { livePods: ['web-b', 'web-a'] } });
    expect(step).toMatchObject({
      status: {
        rollout: {
          phase: 'Restoring',
          failure: {
            reason: 'DrainDeadlineExceeded',
            message: 'after 60 s these still exist, and are alive or may create pods: web-b, web-a',
          },
        },
      },
    });
  });

  test('ends when no pod is alive, also at its deadline', () => {
    const late = { phaseStartedAt: microAgo(99) };
    expect(stepFor({ ...draining, rollout: late, more: { livePods: [] } })).toMatchObject({
      reason: 'no old pod is alive',
      status: { rollout: { phase: 'Mid' } },
    });
  });
});

describe('the release (ROLL-M2)', () => {
  const exceeded = { type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded' };

  test('remembers a progress deadline that was exceeded before it (ROLL-C32, ROLL-E10)', () => {
    const conditions = [{ ...exceeded, lastUpdateTime: 'then' }];
    const step = stepFor({ phase: 'Pre', deploymentStatus: { conditions } });
    expect(step).toMatchObject({
      reason: 'there is no pre hook',
      status: { rollout: { phase: 'Releasing', staleProgress: 'then' } },
    });
    const plain = stepFor({ phase: 'Pre' });
    expect(plain.kind === 'record' && plain.status.rollout).not.toHaveProperty('staleProgress');
  });

  test('is asked for with what mid has said', () => {
    const run = settled('mid', 'Ignored');
    expect(stepFor({ phase: 'Mid', ...zero, more: { hookRuns: [run] } })).toMatchObject({
      reason: 'what it said',
      status: { rollout: { phase: 'Releasing' } },
    });
  });

  test.each([['Releasing'], ['Progressing'], ['Done']] as const)(
    'is one write in %s, and is reported',
    (phase) => {
      const message = 'Rollout 5 is released.';
      expect(stepFor({ phase, annotations: gated })).toEqual({
        kind: 'changeDeployment',
        reason: message,
        change: {
          paused: false,
          annotations: {
            'lifehook.dev/released': '5',
            'lifehook.dev/wanted-replicas': null,
            'lifehook.dev/retry': null,
          },
        },
        emits: { notices: [{ type: 'Normal', reason: 'Released', message }] },
      });
    },
  );
});

describe('a rollout that is held', () => {
  test('waits for a user', () => {
    expect(stepFor({ phase: 'Held' })).toEqual({
      kind: 'wait',
      reason: 'until the template changes or a user requests a retry',
    });
  });

  test('restores as many replicas as are wanted', () => {
    expect(stepFor({ phase: 'Held', annotations: drained, spec: { replicas: 0 } })).toMatchObject({
      reason: '3 replicas are wanted',
      status: { rollout: { phase: 'Restoring' } },
    });
  });

  test('restores nothing if nothing was ever released', () => {
    const sample = facts({ phase: 'Held', annotations: drained, spec: { replicas: 0 } });
    const { released: _, ...status } = sample.lifecycle.status ?? {};
    const step = decide({ ...sample, lifecycle: { ...sample.lifecycle, status } });
    expect(step).toMatchObject({ kind: 'wait' });
  });

  test('deletes the hook pods that are more than podsKept (ROLL-DH20)', () => {
    const pod = hookPod({ ...ended(1), number: 5, held: false });
    const sample = { phase: 'Held', lifecycle: { podsKept: { failed: 0 } } } as const;
    expect(stepFor({ ...sample, more: { hookPods: [pod] } })).toMatchObject({
      kind: 'deletePod',
      pod,
    });
  });

  test('removes the finalizer of a hook pod whose outcome is recorded', () => {
    const pod = hookPod({ ...ended(1), number: 5 });
    const more = { hookPods: [pod], hookRuns: [settled('pre', 'Failed')] };
    expect(stepFor({ phase: 'Held', lifecycle: { rollingUpdate }, more })).toMatchObject({
      kind: 'stage',
      step: { kind: 'removeFinalizer', pod },
    });
  });
});
