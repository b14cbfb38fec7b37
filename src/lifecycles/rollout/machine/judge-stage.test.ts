import { describe, expect, test } from 'vitest';

import {
  gated,
  hook,
  RECREATE,
  recreate,
  rollingUpdate,
  settled,
} from '../../../../test/fixtures/rollout/machine-cases.ts';
import { type SampleFacts, versionSet } from '../../../../test/fixtures/rollout/machine-facts.ts';
import { rolling } from '../../../../test/fixtures/rollout/rolling-facts.ts';
import type { HookRun, HookRunPhase, RolloutStatus, Stage } from '../kinds.ts';
import { judgeStage, type StageVerdict } from './judge-stage.ts';

const withHooks = { lifecycle: { rollingUpdate } } as const;
const aborted = { ...withHooks, annotations: { ...gated, abort: '5' } };
const byUser = { reason: 'AbortedByUser', message: 'a user requested the abort of rollout 5' };

function judge(
  stage: Stage,
  sample: SampleFacts = {},
  rollout: Partial<RolloutStatus> = {},
): StageVerdict {
  return judgeStage(rolling(rollout, sample), stage);
}

function runWith(spec: Partial<HookRun['spec']>): HookRun {
  const run = settled('pre', 'Failed');
  return { ...run, spec: { ...run.spec, ...spec } };
}

const opens = { kind: 'busy', step: { kind: 'stage', step: { kind: 'openRun' } } };

describe('a stage without a hook', () => {
  test.each(['pre', 'mid', 'post'] as const)('%s is passed', (stage) => {
    expect(judge(stage)).toEqual({ kind: 'passed', reason: `there is no ${stage} hook` });
  });

  test('fails when a user aborts the rollout', () => {
    expect(judge('pre', { annotations: aborted.annotations })).toEqual({
      kind: 'failed',
      cause: { stage: 'pre', ...byUser },
    });
  });
});

describe('a stage with a hook', () => {
  test('opens its HookRun for the rollout as it was recorded', () => {
    const sets = [versionSet('t2', { replicas: 0 })];
    const sample = { ...withHooks, sets, spec: { progressDeadlineSeconds: 90 } };
    const facts = rolling({ direction: 'Rollback', fromRevision: '1', toRevision: '2' }, sample);
    const { deployment, lifecycle, rollout } = facts;
    const { digest, template } = rollout;
    expect(judgeStage(facts, 'pre')).toStrictEqual({
      kind: 'busy',
      step: {
        kind: 'stage',
        reason: 'the pre hook runs',
        step: {
          kind: 'openRun',
          request: {
            deployment,
            lifecycle,
            number: 5,
            stage: 'pre',
            direction: 'Rollback',
            digest,
            template,
            fromRevision: '1',
            toRevision: '2',
            hook,
            deadlineSeconds: 90,
            replicaSet: sets[0],
          },
        },
      },
    });
  });

  test('opens its HookRun without revisions that are not known', () => {
    const verdict = judge('pre', withHooks);
    const step = verdict.kind === 'busy' && verdict.step.kind === 'stage' && verdict.step.step;
    const request = step !== false && step.kind === 'openRun' ? step.request : {};
    expect(request).toMatchObject({ number: 5, replicaSet: null });
    expect(Object.keys(request)).not.toContain('fromRevision');
    expect(Object.keys(request)).not.toContain('toRevision');
  });

  test('is not begun when a user aborts the rollout', () => {
    expect(judge('pre', aborted)).toEqual({ kind: 'failed', cause: { stage: 'pre', ...byUser } });
  });

  test('is stopped, not failed at once, when a user aborts the rollout while it runs', () => {
    const { status: _, ...run } = settled('pre', 'Failed');
    expect(judge('pre', { ...aborted, more: { hookRuns: [run] } })).toMatchObject({
      kind: 'busy',
      step: { step: { kind: 'settleRun', settlement: { phase: 'Aborted', ...byUserSentence } } },
    });
  });

  const byUserSentence = {
    reason: 'AbortedByUser',
    message: 'A user requested the abort of rollout 5; the hook was not started.',
  };

  test.each([
    ['rollout', runWith({ rollout: 4 })],
    ['stage', runWith({ stage: 'post' })],
    ['Deployment of the same name', runWith({ deploymentUID: 'another' })],
  ])('does not take the outcome of another %s for its own', (_, run) => {
    expect(judge('pre', { ...withHooks, more: { hookRuns: [run] } })).toMatchObject(opens);
  });

  test('runs its own hook next to a HookRun of another stage', () => {
    const hookRuns = [runWith({ stage: 'mid' }), settled('pre', 'Succeeded')];
    const sample = { lifecycle: { recreate }, spec: { ...RECREATE }, more: { hookRuns } };
    expect(judge('pre', sample)).toMatchObject({ kind: 'passed' });
  });
});

describe('a stage whose HookRun is settled', () => {
  const judgeSettled = (stage: Stage, phase: HookRunPhase, reason = 'HookFailed'): StageVerdict => {
    const run = settled(stage, 'Failed');
    const status = { ...run.status, phase, reason } as HookRun['status'] & object;
    return judge(stage, { ...withHooks, more: { hookRuns: [{ ...run, status }] } });
  };
  const message = 'what it said';

  test.each(['Succeeded', 'Ignored'] as const)('as %s is passed (ROLL-DH15)', (phase) => {
    expect(judgeSettled('pre', phase)).toEqual({ kind: 'passed', reason: message });
  });

  test.each<[Stage, HookRunPhase, string, string]>([
    ['pre', 'Failed', 'HookFailed', 'PreHookFailed'],
    ['mid', 'Failed', 'PodRefused', 'MidHookFailed'],
    ['post', 'Unknown', 'PodLost', 'PostHookFailed'],
    ['pre', 'Failed', 'DeadlineExceeded', 'DeadlineExceeded'],
    ['pre', 'Aborted', 'AbortedByUser', 'AbortedByUser'],
    ['pre', 'Aborted', 'NewRollout', 'PreHookFailed'],
  ])('%s as %s of %s fails with %s (ROLL-DH14, ROLL-C6)', (...[stage, phase, why, reason]) => {
    expect(judgeSettled(stage, phase, why)).toEqual({
      kind: 'failed',
      cause: { stage, reason, message },
    });
  });
});
