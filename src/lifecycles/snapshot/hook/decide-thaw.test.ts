import { describe, expect, it } from 'vitest';

import {
  actions,
  ago,
  ended,
  facts,
  frozen,
  ordersOf,
  outcomesOf,
  released,
  target,
  tried,
} from '../../../../test/sim/snapshot/hook-facts.ts';
import { TAKEN_ON } from '../names.ts';
import { decide, type HookDecision } from './decide.ts';
import type { TargetFacts } from './facts.ts';

describe('decide, on thaws', () => {
  const status = { ...released('Deleted'), preActionSucceed: true };
  const thawing = (
    post: ReturnType<typeof tried>,
    known: Partial<TargetFacts> = {},
  ): HookDecision =>
    decide(
      facts([target('a/x', { ...frozen, postActionStatus: post })], { status, known: [known] }),
      actions(),
    );

  it('is settled by a success (SNAP-R20)', () => {
    const decision = thawing(tried(['open']), ended('Succeeded'));
    expect([outcomesOf(decision), decision.isSettled, decision.status.postActionSucceed]).toEqual([
      [[true, true, 'post']],
      true,
      true,
    ]);
  });

  it('retries an Unknown thaw at once, and a failed one after a pause', () => {
    expect(ordersOf(thawing(tried(['open']), ended('Unknown')))).toEqual(['post 2 a/x']);
    const failed = thawing(tried(['open']), ended('Failed'));
    expect([ordersOf(failed), failed.inMs]).toEqual([[], 500]);
  });

  it('reports a failed thaw at its timeout, and retries slowly (SNAP-G15)', () => {
    const post = tried(['Failed', 'Failed'], { actionTimestamp: ago(31) });
    const late = thawing(post);
    expect([outcomesOf(late), late.status.postActionSucceed, late.inMs]).toEqual([
      [[true, false, undefined]],
      false,
      9_000,
    ]);
    const slow = thawing({
      ...post,
      actionSucceed: false,
      slowAttempts: 1,
      attempts: tried(['Failed', 'Failed', 'Failed']).attempts ?? [],
    });
    expect(slow.inMs).toBe(19_000);
    const done = thawing(
      tried(['open'], { actionSucceed: false, slowAttempts: 1 }),
      ended('Succeeded'),
    );
    expect([outcomesOf(done), done.isSettled]).toEqual([[[true, false, 'post']], true]);
  });

  it('accepts a failed thaw that a user marked as done by hand', () => {
    const metadata = { annotations: { [TAKEN_ON]: 'anna' } };
    const post = tried(['Failed'], { actionSucceed: false });
    const decision = decide(
      facts([target('a/x', { ...frozen, postActionStatus: post })], { status, metadata }),
      actions(),
    );
    expect([outcomesOf(decision), decision.isSettled]).toEqual([[[true, false, 'released']], true]);
  });

  it('keeps five attempts, and counts the earlier ones', () => {
    const post = tried(['Unknown', 'Unknown', 'Unknown', 'Unknown', 'open']);
    const after = thawing(post, ended('Unknown')).status.containerExecutionHookStatuses?.[0]
      ?.postActionStatus;
    expect([after?.attempts?.length, after?.earlierAttempts]).toEqual([5, 1]);
  });
});
