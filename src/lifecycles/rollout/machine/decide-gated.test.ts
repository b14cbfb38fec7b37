import { describe, expect, test } from 'vitest';

import {
  rollingUpdate,
  recreate,
  RECREATE,
  gated,
  drained,
  type Case,
  facts,
  settled,
  ran,
  toPhase,
  change,
  asks,
  exited,
} from '../../../../test/fixtures/rollout/machine-cases.ts';
import {
  machineFacts,
  microAgo,
  openRollout,
  versionSet,
} from '../../../../test/fixtures/rollout/machine-facts.ts';
import { decide } from './decide.ts';

describe('a lifecycle whose changed spec has no proof of its author', () => {
  const unproven = (one: Case): ReturnType<typeof decide> =>
    decide({ ...facts(one), isAuthored: false });

  test('runs no hook of it: the rollout is held, with the way to take the spec on', () => {
    const failure = {
      stage: 'pre',
      reason: 'HookNotAuthorized',
      message:
        'the spec of its DeploymentLifecycle was changed while the right of its author to create pods could not be checked: review it, then annotate the DeploymentLifecycle with lifehook.dev/author=ask',
    };
    const step = unproven({ phase: 'Pre', lifecycle: { rollingUpdate } });
    expect(step).toMatchObject(toPhase('Held', failure));
  });

  test('ends what was begun before the change', () => {
    const begun = {
      phase: 'Pre',
      lifecycle: { rollingUpdate },
      ...ran(settled('pre', 'Succeeded')),
    } as const;
    expect(unproven(begun)).toEqual(decide(facts(begun)));
  });
});

describe('a phase before the release', () => {
  const failed = { stage: 'pre', reason: 'PreHookFailed', message: 'what it said' };
  const midFailed = { ...failed, stage: 'mid', reason: 'MidHookFailed' };
  const full = { lifecycle: { recreate }, spec: { ...RECREATE } };
  const zero = { ...full, spec: { ...RECREATE, replicas: 0 }, annotations: drained };
  const over = { rollout: { phaseStartedAt: microAgo(61) } };

  test.each<[string, Case, object]>([
    ['Pre opens its HookRun', { phase: 'Pre', lifecycle: { rollingUpdate } }, asks('openRun')],
    ['Pre without a hook enters Releasing', { phase: 'Pre' }, toPhase('Releasing')],
    [
      'Pre that succeeded enters Releasing',
      { phase: 'Pre', lifecycle: { rollingUpdate }, ...ran(settled('pre', 'Succeeded')) },
      toPhase('Releasing'),
    ],
    [
      'Pre with an ignored failure enters Releasing',
      { phase: 'Pre', lifecycle: { rollingUpdate }, ...ran(settled('pre', 'Ignored')) },
      toPhase('Releasing'),
    ],
    [
      'Pre that failed enters Held',
      { phase: 'Pre', lifecycle: { rollingUpdate }, ...ran(settled('pre', 'Failed')) },
      toPhase('Held', failed),
    ],
    [
      'Pre that succeeded enters Draining if there is a mid hook',
      { phase: 'Pre', ...full, ...ran(settled('pre', 'Succeeded')) },
      toPhase('Draining'),
    ],
    [
      'Pre that failed enters Held although its hook was removed since',
      { phase: 'Pre', lifecycle: {}, ...ran(settled('pre', 'Failed')) },
      toPhase('Held', failed),
    ],
    [
      'Pre ignores a mid hook for RollingUpdate (ROLL-DH3)',
      { phase: 'Pre', lifecycle: { recreate } },
      toPhase('Releasing'),
    ],
    [
      'Draining stores the wanted count before it scales to zero (ROLL-M3)',
      { phase: 'Draining', ...full },
      { change: { annotations: { 'lifehook.dev/wanted-replicas': '3' } } },
    ],
    [
      'Draining scales to zero when the wanted count is stored',
      { phase: 'Draining', ...full, annotations: drained },
      { change: { replicas: 0 } },
    ],
    [
      'Draining waits for running pods and names them',
      { phase: 'Draining', ...zero, more: { livePods: ['web-b', 'web-a'] } },
      { kind: 'record', status: { rollout: { phase: 'Draining', waitingFor: 'web-a, web-b' } } },
    ],
    [
      'Draining keeps waiting for the same pods',
      {
        phase: 'Draining',
        ...zero,
        rollout: { waitingFor: 'web-a' },
        more: { livePods: ['web-a'] },
      },
      { kind: 'waitFor', ms: 5_000 },
    ],
    [
      'Draining removes the finalizer of a hook pod while it waits',
      {
        phase: 'Draining',
        ...zero,
        more: {
          livePods: null,
          hookRuns: [settled('pre', 'Succeeded')],
          hookPods: [exited('pre')],
        },
      },
      asks('removeFinalizer'),
    ],
    [
      'Draining waits while the pods are unknown',
      { phase: 'Draining', ...zero, more: { livePods: null } },
      { kind: 'waitFor' },
    ],
    [
      'Draining without pods enters Mid',
      { phase: 'Draining', ...zero, more: { livePods: [] } },
      toPhase('Mid'),
    ],
    [
      'Draining past its deadline enters Restoring, never Mid (ROLL-C12)',
      { phase: 'Draining', ...zero, ...over, more: { livePods: ['web-a'] } },
      toPhase('Restoring', { reason: 'DrainDeadlineExceeded' }),
    ],
    [
      'Mid stores the count when a user scales up, and scales to zero then (ROLL-C15)',
      { phase: 'Mid', ...zero, spec: { ...RECREATE, replicas: 7 } },
      { change: { annotations: { 'lifehook.dev/wanted-replicas': '7' } } },
    ],
    ['Mid opens its HookRun', { phase: 'Mid', ...zero }, asks('openRun')],
    [
      'Mid that succeeded enters Releasing before the finalizer of its pod is removed',
      {
        phase: 'Mid',
        ...zero,
        more: { hookRuns: [settled('mid', 'Succeeded')], hookPods: [exited('mid')] },
      },
      toPhase('Releasing'),
    ],
    [
      'Mid that succeeded enters Releasing',
      { phase: 'Mid', ...zero, ...ran(settled('mid', 'Succeeded')) },
      toPhase('Releasing'),
    ],
    [
      'Mid that failed enters Restoring',
      { phase: 'Mid', ...zero, ...ran(settled('mid', 'Failed')) },
      toPhase('Restoring', midFailed),
    ],
    [
      'Mid enters Releasing after the strategy has changed',
      { phase: 'Mid', ...zero, spec: { replicas: 0 } },
      toPhase('Releasing'),
    ],
    [
      'Releasing writes unpause, replicas and released number at once',
      { phase: 'Releasing', ...zero },
      change({
        paused: false,
        replicas: 3,
        annotations: {
          'lifehook.dev/released': '5',
          'lifehook.dev/wanted-replicas': null,
          'lifehook.dev/retry': null,
        },
      }),
    ],
    [
      'Releasing keeps the replicas if nothing was drained',
      { phase: 'Releasing' },
      { change: expect.not.objectContaining({ replicas: 3 }) as unknown },
    ],
    [
      'Pre enters Held when a user aborts it',
      { phase: 'Pre', lifecycle: { rollingUpdate }, annotations: { ...gated, abort: '5' } },
      toPhase('Held', { reason: 'AbortedByUser' }),
    ],
    [
      'Pre ignores the abort of another number',
      { phase: 'Pre', lifecycle: { rollingUpdate }, annotations: { ...gated, abort: '4' } },
      asks('openRun'),
    ],
    [
      'Draining enters Restoring when a user aborts it',
      { phase: 'Draining', ...zero, annotations: { ...drained, abort: '5' } },
      toPhase('Restoring', { reason: 'AbortedByUser' }),
    ],
    ['Held waits', { phase: 'Held' }, { kind: 'wait' }],
    [
      'Held opens a new number on retry',
      { phase: 'Held', annotations: { ...gated, retry: '5' } },
      change({ paused: true, annotations: { 'lifehook.dev/rollout': '6' } }),
    ],
    [
      'Mid keeps the wanted replicas for the new number on retry (ROLL-C17)',
      { phase: 'Mid', ...zero, annotations: { ...drained, retry: '5' } },
      change({
        paused: true,
        annotations: { 'lifehook.dev/rollout': '6', 'lifehook.dev/wanted-replicas': '3' },
      }),
    ],
    [
      'Held at 0 enters Restoring when replicas are wanted',
      { phase: 'Held', spec: { replicas: 0 }, annotations: drained },
      toPhase('Restoring'),
    ],
    [
      'Held at 0 waits when no replicas are wanted',
      { phase: 'Held', spec: { replicas: 0 }, annotations: { ...drained, 'wanted-replicas': '0' } },
      { kind: 'wait' },
    ],
    [
      'Pre pauses again and warns when a user unpauses',
      { phase: 'Pre', spec: { paused: false } },
      { change: { paused: true }, emits: { notices: [{ reason: 'GateBypassed' }] } },
    ],
    [
      'Pre warns of pods of a template that was not released',
      { phase: 'Pre', sets: [versionSet('t2', { replicas: 1 })] },
      { kind: 'record', bypass: 'ReplicaSet web-t2 runs a template that was not released' },
    ],
  ])('%s', (_, sample, step) => {
    expect(decide(facts(sample))).toMatchObject(step);
  });

  test('the first rollout drains pods of an earlier Deployment before mid', () => {
    const run = settled('pre', 'Succeeded');
    const first = { ...run, spec: { ...run.spec, rollout: 1 } };
    const stepIn = (phase: 'Pre' | 'Draining', livePods: readonly string[]): object =>
      decide(
        machineFacts({
          version: 't2',
          annotations: { rollout: '1', released: '0' },
          status: { rollout: openRollout('t2', { number: 1, phase }) },
          ...full,
          more: { hookRuns: [first], livePods },
        }),
      );
    expect(stepIn('Pre', [])).toMatchObject(toPhase('Draining'));
    expect(stepIn('Draining', ['web-old'])).toMatchObject({ reason: 'it waits for web-old' });
    expect(stepIn('Draining', [])).toMatchObject(toPhase('Mid'));
  });
});
