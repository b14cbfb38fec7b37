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
} from '../../../../test/fixtures/rollout/machine-cases.ts';
import {
  machineFacts,
  microAgo,
  openRollout,
  versionSet,
} from '../../../../test/fixtures/rollout/machine-facts.ts';
import { decide } from './decide.ts';

describe('a phase before the release', () => {
  const failed = { stage: 'pre', reason: 'PreHookFailed', message: 'what it said' };
  const midFailed = { ...failed, stage: 'mid', reason: 'MidHookFailed' };
  const full = { lifecycle: { recreate }, spec: { ...RECREATE } };
  const zero = { ...full, spec: { ...RECREATE, replicas: 0 }, annotations: drained };
  const over = { rollout: { phaseStartedAt: microAgo(61) } };

  test.each<[string, Case, object]>([
    ['Pre opens its HookRun', { phase: 'Pre', lifecycle: { rollingUpdate } }, asks('openRun')],
    ['Pre without a hook is passed', { phase: 'Pre' }, toPhase('Releasing')],
    [
      'Pre that succeeded',
      { phase: 'Pre', lifecycle: { rollingUpdate }, ...ran(settled('pre', 'Succeeded')) },
      toPhase('Releasing'),
    ],
    [
      'Pre whose failure does not matter',
      { phase: 'Pre', lifecycle: { rollingUpdate }, ...ran(settled('pre', 'Ignored')) },
      toPhase('Releasing'),
    ],
    [
      'Pre that failed',
      { phase: 'Pre', lifecycle: { rollingUpdate }, ...ran(settled('pre', 'Failed')) },
      toPhase('Held', failed),
    ],
    [
      'Pre, then the drain for mid',
      { phase: 'Pre', ...full, ...ran(settled('pre', 'Succeeded')) },
      toPhase('Draining'),
    ],
    [
      'the hook as it was when the stage began, whatever became of it',
      { phase: 'Pre', lifecycle: {}, ...ran(settled('pre', 'Failed')) },
      toPhase('Held', failed),
    ],
    [
      'a mid hook is none for RollingUpdate (DH-3)',
      { phase: 'Pre', lifecycle: { recreate } },
      toPhase('Releasing'),
    ],
    [
      'Draining is one write, which remembers the count',
      { phase: 'Draining', ...full },
      change({ replicas: 0, annotations: { 'lifehook.dev/wanted-replicas': '3' } }),
    ],
    [
      'Draining waits for pods that live, and names them',
      { phase: 'Draining', ...zero, more: { livePods: ['web-b', 'web-a'] } },
      { kind: 'record', status: { rollout: { phase: 'Draining', waitingFor: 'web-a, web-b' } } },
    ],
    [
      'Draining waits on',
      {
        phase: 'Draining',
        ...zero,
        rollout: { waitingFor: 'web-a' },
        more: { livePods: ['web-a'] },
      },
      { kind: 'waitFor', ms: 5_000 },
    ],
    [
      'Draining that nobody has looked at is no zero',
      { phase: 'Draining', ...zero, more: { livePods: null } },
      { kind: 'waitFor' },
    ],
    ['a true zero', { phase: 'Draining', ...zero, more: { livePods: [] } }, toPhase('Mid')],
    [
      'a drain that is too long is an abort, never mid anyway (C12)',
      { phase: 'Draining', ...zero, ...over, more: { livePods: ['web-a'] } },
      toPhase('Restoring', { reason: 'DrainDeadlineExceeded' }),
    ],
    [
      'somebody scales what is drained (C15)',
      { phase: 'Mid', ...zero, spec: { ...RECREATE, replicas: 7 } },
      change({ replicas: 0, annotations: { 'lifehook.dev/wanted-replicas': '7' } }),
    ],
    ['Mid opens its HookRun', { phase: 'Mid', ...zero }, asks('openRun')],
    [
      'Mid that succeeded',
      { phase: 'Mid', ...zero, ...ran(settled('mid', 'Succeeded')) },
      toPhase('Releasing'),
    ],
    [
      'Mid that failed restores',
      { phase: 'Mid', ...zero, ...ran(settled('mid', 'Failed')) },
      toPhase('Restoring', midFailed),
    ],
    [
      'Mid after the strategy has changed is passed',
      { phase: 'Mid', ...zero, spec: { replicas: 0 } },
      toPhase('Releasing'),
    ],
    [
      'Releasing is one write',
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
      'Releasing of what was not drained leaves the replicas',
      { phase: 'Releasing' },
      { change: expect.not.objectContaining({ replicas: 3 }) as unknown },
    ],
    [
      'a person aborts Pre',
      { phase: 'Pre', lifecycle: { rollingUpdate }, annotations: { ...gated, abort: '5' } },
      toPhase('Held', { reason: 'AbortedByUser' }),
    ],
    [
      'a person aborts another number',
      { phase: 'Pre', lifecycle: { rollingUpdate }, annotations: { ...gated, abort: '4' } },
      asks('openRun'),
    ],
    [
      'a person aborts the drain',
      { phase: 'Draining', ...zero, annotations: { ...drained, abort: '5' } },
      toPhase('Restoring', { reason: 'AbortedByUser' }),
    ],
    ['Held waits', { phase: 'Held' }, { kind: 'wait' }],
    [
      'Held is tried again as a new number',
      { phase: 'Held', annotations: { ...gated, retry: '5' } },
      change({ paused: true, annotations: { 'lifehook.dev/rollout': '6' } }),
    ],
    [
      'a retry of what is drained keeps what is wanted (C17)',
      { phase: 'Mid', ...zero, annotations: { ...drained, retry: '5' } },
      change({
        paused: true,
        annotations: { 'lifehook.dev/rollout': '6', 'lifehook.dev/wanted-replicas': '3' },
      }),
    ],
    [
      'Held at 0 gives who wants replicas those of the template before it',
      { phase: 'Held', spec: { replicas: 0 }, annotations: drained },
      toPhase('Restoring'),
    ],
    [
      'Held at 0, where none are wanted, stays',
      { phase: 'Held', spec: { replicas: 0 }, annotations: { ...drained, 'wanted-replicas': '0' } },
      { kind: 'wait' },
    ],
    [
      'unpaused by somebody: paused again, and told',
      { phase: 'Pre', spec: { paused: false } },
      { change: { paused: true }, telling: { notices: [{ reason: 'GateBypassed' }] } },
    ],
    [
      'pods of what was not released: told',
      { phase: 'Pre', sets: [versionSet('t2', { replicas: 1 })] },
      { kind: 'record', bypass: 'ReplicaSet web-t2 runs a template that was not released' },
    ],
  ])('%s', (_, sample, step) => {
    expect(decide(facts(sample))).toMatchObject(step);
  });

  test('the first rollout holds no replicas, and waits for pods of a Deployment before it', () => {
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
