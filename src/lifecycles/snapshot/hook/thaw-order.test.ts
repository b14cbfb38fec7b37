import { describe, expect, it } from 'vitest';

import { ago, frozen, NOW_MS, target, tried } from '../../../../test/sim/snapshot/hook-facts.ts';
import type { ContainerStatus } from '../kinds.ts';
import { waitForTurnMs } from './thaw-order.ts';

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
