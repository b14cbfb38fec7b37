import { describe, expect, test } from 'vitest';

import {
  digestOfVersion,
  microAgo,
  type SampleFacts,
  versionSet,
} from '../../../../test/fixtures/rollout/machine-facts.ts';
import { atZero, ROLLBACK, rolling } from '../../../../test/fixtures/rollout/rolling-facts.ts';
import type { RolloutStatus } from '../kinds.ts';
import { abort, fail } from './decide-abort.ts';

const cause = { stage: 'mid', reason: 'MidHookFailed', message: 'exit 1' } as const;

describe('an abort before the release', () => {
  test.each<[string, SampleFacts, string]>([
    ['enters Held under Hold', {}, 'Held'],
    ['restores drained pods first under Hold', atZero, 'Restoring'],
    ['restores a Deployment without pods under Hold', { sets: [] }, 'Restoring'],
    [
      'enters Held under Hold without restoring when no replicas are wanted',
      { sets: [], spec: { replicas: 0 } },
      'Held',
    ],
    [
      'restores a Deployment under Hold of which no ReplicaSet has pods',
      { sets: [versionSet('t1', { replicas: 0 })] },
      'Restoring',
    ],
    [
      'enters Held under Hold while another ReplicaSet has pods',
      { sets: [versionSet('t0', { replicas: 1 })] },
      'Held',
    ],
    ['enters RollingBack under Rollback', { ...atZero, ...ROLLBACK }, 'RollingBack'],
    [
      'enters Held for the first rollout, which has no released template',
      {
        ...ROLLBACK,
        annotations: { rollout: '5', released: '0' },
        status: { released: undefined } as never,
      },
      'Held',
    ],
  ])('%s', (_, sample, phase) => {
    expect(abort(rolling({}, sample), cause)).toMatchObject({
      kind: 'record',
      status: {
        rollout: { phase, failure: { stage: 'mid', reason: 'MidHookFailed' } },
        abortedDigests: [digestOfVersion('t2')],
      },
      emits: {
        notices: expect.arrayContaining([
          expect.objectContaining({ type: 'Warning', reason: 'Failed' }),
        ]) as unknown,
      },
    });
  });

  test('reports the cause, and that the template is held (ROLL-DH14, ROLL-DH17)', () => {
    const failed = 'Rollout 5 has failed (MidHookFailed): exit 1';
    const held = 'Rollout 5 is held: its template is in the spec, but does not run.';
    expect(abort(rolling({}), cause)).toMatchObject({
      reason: 'MidHookFailed: exit 1',
      status: { rollout: { failure: { ...cause, at: microAgo(0) } } },
      emits: {
        notices: [
          { type: 'Warning', reason: 'Failed', message: failed },
          { type: 'Normal', reason: 'Held', message: held },
        ],
      },
    });
  });

  test('puts the digest of its template last, once', () => {
    const abortedDigests = [digestOfVersion('t2'), 'other'];
    const step = abort(rolling({}, { status: { abortedDigests } }), cause);
    const { abortedDigests: after } = step.kind === 'record' ? step.status : {};
    expect(after).toEqual(['other', digestOfVersion('t2')]);
  });

  test('keeps the last ten digests of aborted templates', () => {
    const abortedDigests = Array.from({ length: 10 }, (_, index) => String(index));
    const step = abort(rolling({}, { status: { abortedDigests } }), cause);
    const { abortedDigests: after = [] } = step.kind === 'record' ? step.status : {};
    expect(after).toHaveLength(10);
    expect(after[0]).toBe('1');
  });
});

describe('a failure after the release', () => {
  const after = { phase: 'Post', releasedAt: microAgo(20) } as const;
  const recreate = {
    spec: { strategy: { type: 'Recreate' } },
    annotations: { rollout: '5', released: '5' },
  } as const;
  const post = { ...cause, stage: 'post', reason: 'PostHookFailed' } as const;

  test.each<[string, SampleFacts, Partial<RolloutStatus>, string]>([
    ['enters Failed under Hold', recreate, {}, 'Failed'],
    [
      'enters RollingBack under Rollback with the strategy Recreate',
      { ...recreate, ...ROLLBACK },
      {},
      'RollingBack',
    ],
    [
      'enters Failed for a rolling update (ROLL-C9)',
      { ...ROLLBACK, annotations: recreate.annotations },
      {},
      'Failed',
    ],
    [
      'enters Failed under Rollback if nothing was released before',
      { ...recreate, ...ROLLBACK, status: { released: undefined } as never },
      {},
      'Failed',
    ],
    [
      'enters Failed for a rollback, which is not rolled back again',
      { ...recreate, ...ROLLBACK },
      { direction: 'Rollback' },
      'Failed',
    ],
  ])('%s', (...row) => {
    const [, sample, more, phase] = row;
    expect(fail(rolling({ ...after, ...more }, sample), post)).toMatchObject({
      status: { rollout: { phase, failure: { reason: 'PostHookFailed' } } },
    });
  });

  test('rolls back a rolling update that a user aborts (ROLL-C9)', () => {
    const byUser = { reason: 'AbortedByUser', message: 'a user requested the abort of rollout 5' };
    const { annotations } = recreate;
    expect(fail(rolling(after, { ...ROLLBACK, annotations }), byUser)).toMatchObject({
      status: { rollout: { phase: 'RollingBack' } },
    });
  });

  test('does not roll back what the Deployment itself gave up (ROLL-C31)', () => {
    const givenUp = { reason: 'ProgressDeadlineExceeded', message: 'it has timed out' };
    expect(fail(rolling(after, { ...recreate, ...ROLLBACK }), givenUp)).toMatchObject({
      status: { rollout: { phase: 'Failed' } },
    });
  });

  test('ends the rollout with a warning that names the cause (ROLL-DH17)', () => {
    const message = 'Rollout 5 has failed (PostHookFailed): exit 1';
    expect(fail(rolling(after, recreate), post)).toMatchObject({
      kind: 'record',
      reason: 'PostHookFailed: exit 1',
      status: { rollout: { finishedAt: microAgo(0), failure: { ...post, at: microAgo(0) } } },
      emits: { notices: [{ type: 'Warning', reason: 'Failed', message }] },
    });
  });

  test('remembers the template that is rolled back, so that no writer repeats it', () => {
    const step = fail(rolling(after, { ...recreate, ...ROLLBACK }), post);
    const { abortedDigests } = step.kind === 'record' ? step.status : {};
    expect(abortedDigests).toEqual([digestOfVersion('t2')]);
  });
});
