import { describe, expect, test } from 'vitest';

import type { Condition } from '../../../controller/conditions.ts';
import {
  machineFacts,
  microAgo,
  openRollout,
} from '../../../../test/fixtures/rollout/machine-facts.ts';
import { NOW_MS } from '../../../../test/fixtures/rollout/sample-objects.ts';
import type { DeploymentLifecycleStatus, Phase, RolloutStatus } from '../kinds.ts';
import { asRival, withConditions } from './conditions-of.ts';

const armed = { armed: true, reason: 'Armed', message: 'a dry run was returned paused' };

interface Judged {
  readonly rollout?: RolloutStatus;
  readonly gate?: typeof armed | null;
  readonly bypass?: string | null;
  /** The status before the reconcile. */
  readonly before?: DeploymentLifecycleStatus;
}

function judged({ rollout, gate = null, bypass = null, before = {} }: Judged): Condition[] {
  const { lifecycle } = machineFacts({ status: before });
  const status = { ...before, ...(rollout === undefined ? {} : { rollout }) };
  const written = withConditions(lifecycle, { status, gate, bypass, nowMs: NOW_MS });
  expect(written.observedGeneration).toBe(1);
  return written.conditions ?? [];
}

function find(conditions: readonly Condition[], type: string): object | null {
  const found = conditions.find((each) => each.type === type);
  if (found === undefined) return null;
  const { status, reason, message } = found;
  return { status, reason, message };
}

const inPhase = (phase: Phase, more: Partial<RolloutStatus> = {}): RolloutStatus =>
  openRollout('t2', { number: 5, phase, ...more });

describe('the condition Armed', () => {
  test('says what the last proof of the gate has shown', () => {
    const { reason, message } = armed;
    expect(find(judged({ gate: armed }), 'Armed')).toEqual({ status: 'True', reason, message });
    expect(find(judged({ gate: { ...armed, armed: false } }), 'Armed')).toEqual({
      status: 'False',
      reason,
      message,
    });
  });

  test('is not written before the gate is proven', () => {
    expect(judged({})).toEqual([]);
  });
});

describe('the condition Progressing', () => {
  test.each<[string, RolloutStatus, object]>([
    [
      'names the phase',
      inPhase('Pre'),
      { status: 'True', reason: 'Pre', message: 'Rollout 5 is in phase Pre.' },
    ],
    [
      'names the pods that are waited for',
      inPhase('Draining', { waitingFor: 'web-a, web-b' }),
      {
        status: 'True',
        reason: 'Draining',
        message: 'Rollout 5 is in phase Draining. It waits for web-a, web-b.',
      },
    ],
    [
      'says how a rollout ended',
      inPhase('Held', { reason: 'NoHooks' }),
      { status: 'False', reason: 'Held', message: 'Rollout 5 has ended: Held.' },
    ],
    [
      'says why a rollout is done',
      inPhase('Done', { reason: 'Reverted' }),
      { status: 'False', reason: 'Reverted', message: 'Rollout 5 has ended: Done.' },
    ],
    [
      'says that a rollout is done without a reason',
      inPhase('Done'),
      { status: 'False', reason: 'Done', message: 'Rollout 5 has ended: Done.' },
    ],
  ])('%s', (...[, rollout, expected]) => {
    expect(find(judged({ rollout }), 'Progressing')).toEqual(expected);
  });
});

describe('the condition Failed (ROLL-DH14)', () => {
  test('has the reason and the message of the failure', () => {
    const failure = { reason: 'PreHookFailed', message: 'it exited with 7', at: microAgo(1) };
    expect(find(judged({ rollout: inPhase('Held', { failure }) }), 'Failed')).toEqual({
      status: 'True',
      reason: 'PreHookFailed',
      message: 'it exited with 7',
    });
  });

  test('is False while the rollout has not failed', () => {
    expect(find(judged({ rollout: inPhase('Pre') }), 'Failed')).toEqual({
      status: 'False',
      reason: 'NotFailed',
      message: 'Rollout 5 has not failed.',
    });
  });
});

describe('the conditions that kstatus reads (CTRL-K4)', () => {
  const failure = { reason: 'PreHookFailed', message: 'it exited with 7', at: microAgo(1) };

  test.each<[string, Parameters<typeof judged>[0], string | null]>([
    ['none of them', {}, null],
    ['Ready when the gate is armed', { gate: armed }, 'Ready'],
    ['Reconciling while it is not', { gate: { ...armed, armed: false } }, 'Reconciling'],
    ['Reconciling during a rollout', { gate: armed, rollout: inPhase('Pre') }, 'Reconciling'],
    ['Stalled after a failure', { gate: armed, rollout: inPhase('Held', { failure }) }, 'Stalled'],
    ['Ready after a rollout', { gate: armed, rollout: inPhase('Done') }, 'Ready'],
  ])('have %s', (_, before, expected) => {
    const isTrue = (type: string): boolean =>
      judged(before).some((one) => one.type === type && one.status === 'True');
    const types = ['Ready', 'Reconciling', 'Stalled'].filter(isTrue);
    expect(types).toEqual(expected === null ? [] : [expected]);
  });
});

describe('the condition GateBypassed', () => {
  const message = 'ReplicaSet web-t2 runs a template that was not released';
  const bypassed = { status: 'True', reason: 'GateBypassed', message };

  test('says what runs although it was not released', () => {
    expect(find(judged({ bypass: message, rollout: inPhase('Pre') }), 'GateBypassed')).toEqual(
      bypassed,
    );
  });

  test('stays until the next number, and is False from then on', () => {
    const rollout = inPhase('Pre');
    const conditions = judged({ bypass: message, rollout });
    const before = { rollout, conditions };
    expect(find(judged({ before }), 'GateBypassed')).toEqual(bypassed);
    expect(find(judged({ before, rollout: { ...rollout, number: 6 } }), 'GateBypassed')).toEqual({
      status: 'False',
      reason: 'NotBypassed',
      message: 'Only released templates run.',
    });
  });

  test('is False at the first rollout of a lifecycle that has no status yet', () => {
    const { status: _, ...fresh } = machineFacts().lifecycle;
    const status = { rollout: inPhase('Pre') };
    const written = withConditions(fresh, { status, gate: null, bypass: null, nowMs: NOW_MS });
    expect(find(written.conditions ?? [], 'GateBypassed')).toMatchObject({ status: 'False' });
  });

  test('is not written without a rollout', () => {
    expect(find(judged({ gate: armed }), 'GateBypassed')).toBeNull();
  });
});

describe('the conditions together', () => {
  test('keep the rest of the status', () => {
    const { lifecycle } = machineFacts();
    const status = { deploymentUID: 'uid-web', abortedDigests: ['d'] };
    const written = withConditions(lifecycle, { status, gate: armed, bypass: null, nowMs: NOW_MS });
    expect(written).toMatchObject({ ...status, observedGeneration: 1 });
    expect(written.conditions).toMatchObject([
      { type: 'Armed', observedGeneration: 1 },
      { type: 'Ready', status: 'True', observedGeneration: 1 },
      { type: 'Reconciling', status: 'False', observedGeneration: 1 },
      { type: 'Stalled', status: 'False', observedGeneration: 1 },
    ]);
  });

  test('of a lifecycle whose Deployment has an older one say that it does nothing', () => {
    const { lifecycle } = machineFacts({ status: { deploymentUID: 'uid-web' } });
    expect(asRival(lifecycle, NOW_MS)).toMatchObject({ deploymentUID: 'uid-web' });
    const { status: _, ...fresh } = lifecycle;
    const message =
      'An older DeploymentLifecycle names the same Deployment: this one does nothing. Delete one of them.';
    expect(asRival(fresh, NOW_MS).conditions).toMatchObject([
      { type: 'Armed', status: 'False', reason: 'NotTheOldest', message },
      { type: 'Ready', status: 'False', reason: 'NotTheOldest', message },
      { type: 'Reconciling', status: 'False', reason: 'NotTheOldest', message },
      { type: 'Stalled', status: 'True', reason: 'NotTheOldest', message },
    ]);
  });
});
