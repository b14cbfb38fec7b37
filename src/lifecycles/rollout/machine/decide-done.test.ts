import { describe, expect, test } from 'vitest';

import {
  type Case,
  facts,
  free,
  ran,
  rollingUpdate,
  settled,
  toPhase,
} from '../../../../test/fixtures/rollout/machine-cases.ts';
import {
  digestOfVersion,
  microAgo,
  openRollout,
  versionSet,
  versionTemplate,
} from '../../../../test/fixtures/rollout/machine-facts.ts';
import { decide } from './decide.ts';

const counts = { observedGeneration: 3, updatedReplicas: 3, replicas: 3, availableReplicas: 3 };
const terminating = { annotations: free, spec: { paused: false }, lifecycle: { rollingUpdate } };
const exceeded = { type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded' };
const sets = [versionSet('t2', { replicas: 3, revision: 6 })];

describe('after the release,', () => {
  const at = microAgo(0);
  const done = 'Rollout 5 is complete.';
  const reverted = 'Rollout 5 is done: its template is the one that runs.';

  test.each<[string, Case, string, object]>([
    [
      'a complete rollout without a post hook, with its revision',
      { phase: 'Progressing', ...terminating, lifecycle: {}, sets, deploymentStatus: counts },
      done,
      { reason: 'Completed', toRevision: '6' },
    ],
    [
      'a complete rollout of a ReplicaSet without a revision',
      {
        phase: 'Progressing',
        ...terminating,
        lifecycle: {},
        sets: [versionSet('t2', { replicas: 3, revision: 0 })],
        deploymentStatus: counts,
      },
      done,
      { reason: 'Completed' },
    ],
    [
      'a rollout whose post succeeded',
      { phase: 'Post', ...terminating, ...ran(settled('post', 'Succeeded')) },
      done,
      { reason: 'Completed' },
    ],
    [
      'a rollout without hooks, whose reason stays',
      {
        phase: 'Progressing',
        ...terminating,
        lifecycle: {},
        rollout: { reason: 'NoHooks' },
        deploymentStatus: counts,
      },
      done,
      { reason: 'NoHooks' },
    ],
    [
      'a template that runs already',
      { phase: 'Releasing', ...terminating, rollout: { reason: 'Reverted' } },
      reverted,
      { reason: 'Reverted', releasedAt: at },
    ],
  ])('Done is recorded and reported for %s', (...[, sample, message, more]) => {
    const { toRevision: revision } = more as { toRevision?: string };
    const template = versionTemplate('t2');
    const digest = digestOfVersion('t2');
    const released = {
      number: 5,
      digest,
      template,
      ...(revision === undefined ? {} : { revision }),
    };
    expect(decide(facts(sample))).toStrictEqual({
      kind: 'record',
      reason: message,
      status: {
        released,
        rollout: {
          ...openRollout('t2', { number: 5, phase: 'Done' }),
          phaseStartedAt: at,
          finishedAt: at,
          ...more,
        },
      },
      emits: {
        notices: [{ type: 'Normal', reason: 'Completed', message }],
        observed: [{ type: 'PhaseEntered', number: 5, phase: 'Done', afterMs: 10_000 }],
      },
    });
  });

  test('Progressing is entered with the time of the release', () => {
    expect(decide(facts({ phase: 'Releasing', ...terminating }))).toMatchObject({
      reason: 'it is released',
      status: { rollout: { phase: 'Progressing', releasedAt: at } },
    });
  });

  test('Progressing gives the reason why it waits, and why it enters Post', () => {
    const sample = { phase: 'Progressing', ...terminating } as const;
    expect(decide(facts(sample)).reason).toBe('the Deployment controller rolls it out');
    const step = decide(facts({ ...sample, deploymentStatus: counts }));
    expect(step).toMatchObject({
      reason: 'all of its pods are available',
      status: { rollout: { phase: 'Post' } },
    });
    expect(step.kind === 'record' && step.status.rollout).not.toHaveProperty('toRevision');
  });

  test.each([
    ['the words of the Deployment', { message: 'ReplicaSet "web-2" has timed out.' }],
    ['our own words where it has none', {}],
  ])('a failed progress is reported with %s (ROLL-C31)', (_, more: { message?: string }) => {
    const conditions = [{ ...exceeded, lastUpdateTime: 'now', ...more }];
    const { message = 'the Deployment has stopped progressing' } = more;
    const sample = {
      phase: 'Progressing',
      ...terminating,
      deploymentStatus: { conditions },
    } as const;
    expect(decide(facts(sample))).toMatchObject(
      toPhase('Failed', { reason: 'ProgressDeadlineExceeded', message, at }),
    );
  });

  test('a progress deadline without a time counts as exceeded after the release', () => {
    const deploymentStatus = { conditions: [exceeded] };
    const sample = { phase: 'Progressing', ...terminating, deploymentStatus } as const;
    expect(decide(facts(sample))).toMatchObject(toPhase('Failed'));
  });
});
