import { describe, expect, it } from 'vitest';

import {
  actions,
  ago,
  ended,
  facts,
  frozen,
  NOW_MS,
  ordersOf,
  outcomesOf,
  released,
  target,
  tried,
} from '../../../../test/sim/snapshot/hook-facts.ts';
import type { ContainerStatus } from '../kinds.ts';
import { TAKEN_ON } from '../names.ts';
import { waitForTurnMs } from './decide-thaw.ts';
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

/** Containers a, b, c of one pod, frozen in this order, and one of another pod. */
const targets = (
  b: Partial<ContainerStatus> = {},
  c: Partial<ContainerStatus> = {},
): ContainerStatus[] => [
  target('p/a', frozen),
  target('p/b', { ...frozen, ...b }),
  target('p/c', { ...frozen, ...c }),
  target('q/a', frozen),
];

const waits = (all: ContainerStatus[], releasedSecondsAgo: number): (number | null)[] =>
  all.map((_, index) =>
    waitForTurnMs({
      targets: all,
      index,
      releasedAtMs: NOW_MS - releasedSecondsAgo * 1_000,
      nowMs: NOW_MS,
    }),
  );

describe('waitForTurnMs', () => {
  it('thaws the last container of each pod first', () => {
    expect(waits(targets(), 0)).toEqual([4_000, 2_000, null, null]);
  });

  it('thaws the next one when those after it are thawed or have failed', () => {
    expect(waits(targets({}, { thawedBy: 'post' }), 0.1)).toEqual([3_900, null, null, null]);
    const failed = { postActionStatus: tried(['Failed'], { actionSucceed: false }) };
    expect(waits(targets(failed, failed), 0.1)[0]).toBeNull();
  });

  it('thaws the next one 2 s after a thaw began to hang (SNAP-I15)', () => {
    const hangs = (seconds: number): Partial<ContainerStatus> => ({
      postActionStatus: { actionTimestamp: ago(seconds), attempts: [{ startedAt: ago(seconds) }] },
    });
    expect(waits(targets({}, hangs(0.5)), 0.5)).toEqual([3_500, 1_500, null, null]);
    expect(waits(targets({}, hangs(2)), 2)).toEqual([2_000, null, null, null]);
    expect(waits(targets(hangs(2), hangs(4)), 4)[0]).toBeNull();
  });

  it('thaws the next one after 2 s while a later freeze hangs', () => {
    const freezing = { preActionStatus: tried(['open']) };
    expect(waits(targets({}, freezing), 1)[1]).toBe(1_000);
    expect(waits(targets({}, freezing), 2)[1]).toBeNull();
    expect(waits(targets({}, freezing), 600)[1]).toBeNull();
  });

  it('does not wait for a container that was never frozen', () => {
    const never = [target('p/a', frozen), target('p/b')];
    expect(waits(never, 0)).toEqual([null, null]);
  });

  it('does not wait if the clock was set back', () => {
    expect(waits(targets(), -3_600)).toEqual([null, null, null, null]);
  });

  it('does not wait for a thaw that began in the future of our clock', () => {
    const ahead = { postActionStatus: { actionTimestamp: ago(-5) } };
    expect(waits(targets({}, ahead), 0.5)[1]).toBeNull();
  });

  it('waits at most two seconds for each thaw before it, whenever that began', () => {
    const begun = (seconds: number) => ({ postActionStatus: { actionTimestamp: ago(seconds) } });
    expect(waits(targets({}, begun(0)), 1)[1]).toBe(1_000);
    expect(waits(targets(begun(1), begun(1.5)), 3)[0]).toBe(1_000);
    expect(waits(targets(begun(0.5), {}), 3)[0]).toBe(1_000);
    expect(waits(targets({}, begun(0)), 0)[1]).toBe(2_000);
  });

  it('does not wait for the rest of two seconds that are over', () => {
    const begun = { postActionStatus: { actionTimestamp: ago(2) } };
    expect(waits(targets({}, begun), 1.5)[1]).toBeNull();
  });

  it('waits for the two seconds of a thaw that runs, and not for its whole turn', () => {
    const begun = { postActionStatus: { actionTimestamp: ago(1) } };
    expect(waits(targets(begun, { thawedBy: 'post' }), 1)[0]).toBe(1_000);
  });
});
