import { describe, expect, test } from 'vitest';

import { released } from '../../../../test/fixtures/rollout/machine-cases.ts';
import { microAgo } from '../../../../test/fixtures/rollout/machine-facts.ts';
import { atZero, rolling } from '../../../../test/fixtures/rollout/rolling-facts.ts';
import { decideRollingBack } from './decide-rolling-back.ts';

describe('RollingBack', () => {
  const back = { phase: 'RollingBack' } as const;
  const message = 'Rollout 5 was rolled back: the previous template is in place.';
  const rolledBack = {
    reason: message,
    status: { rollout: { phase: 'RolledBack' }, released: { ...released, number: 5 } },
    emits: { notices: [{ type: 'Normal', reason: 'RolledBack', message }] },
  };

  test('writes template, replicas, released number and unpause at once', () => {
    expect(decideRollingBack(rolling(back, atZero))).toEqual({
      kind: 'changeDeployment',
      reason: 'the previous template is restored',
      change: {
        template: released.template,
        paused: false,
        replicas: 3,
        annotations: { 'lifehook.dev/released': '5', 'lifehook.dev/wanted-replicas': null },
      },
      emits: {},
    });
  });

  test('leaves the replicas of a Deployment that was not drained', () => {
    const step = decideRollingBack(rolling(back));
    expect(step).toMatchObject({ kind: 'changeDeployment', change: { paused: false } });
    expect(step.kind === 'changeDeployment' && 'replicas' in step.change).toBe(false);
  });

  test('gives the old template the next number, gated, after the release (ROLL-C10)', () => {
    const after = { ...back, releasedAt: microAgo(20) };
    const annotations = { rollout: '5', released: '5' };
    expect(decideRollingBack(rolling(after, { annotations }))).toEqual({
      kind: 'changeDeployment',
      reason: 'the previous template is rolled out',
      change: {
        template: released.template,
        paused: true,
        annotations: { 'lifehook.dev/rollout': '6' },
      },
      emits: {},
    });
  });

  test('holds the old template at 0 if the Deployment has no replicas after the release (ROLL-E15)', () => {
    const after = { ...back, releasedAt: microAgo(20) };
    const annotations = { rollout: '5', released: '5' };
    expect(decideRollingBack(rolling(after, { annotations, spec: { replicas: 0 } }))).toMatchObject(
      {
        change: {
          annotations: { 'lifehook.dev/rollout': '6', 'lifehook.dev/wanted-replicas': '0' },
        },
      },
    );
  });

  test('enters Failed if the record of the old template was taken away', () => {
    const status = { released: undefined } as never;
    expect(decideRollingBack(rolling(back, { ...atZero, status }))).toMatchObject({
      reason: 'there is no template to go back to',
      status: { rollout: { phase: 'Failed' } },
    });
  });

  const written = { version: 't1', annotations: { rollout: '5', released: '5' } } as const;

  test('waits until the pods are available', () => {
    const began = { ...back, phaseStartedAt: microAgo(59) };
    expect(decideRollingBack(rolling(began, written))).toEqual({
      kind: 'waitFor',
      ms: 1_000,
      reason: 'the pods of the previous template are restored',
    });
  });

  test('stops waiting at the deadline for pods that never become available', () => {
    const began = { ...back, phaseStartedAt: microAgo(60) };
    expect(decideRollingBack(rolling(began, written))).toMatchObject(rolledBack);
  });

  test('enters RolledBack, and records the rollout number for the old template', () => {
    const counts = { observedGeneration: 3, updatedReplicas: 3, replicas: 3, availableReplicas: 3 };
    const facts = rolling(back, { ...written, deploymentStatus: counts });
    expect(decideRollingBack(facts)).toMatchObject(rolledBack);
  });
});
