/** How the end of an attempt is stored in the status (SNAP-R14, SNAP-R15, SNAP-R16, SNAP-G25). */
import { describe, expect, it } from 'vitest';

import { ago, frozen, NOW_MS, target, tried } from '../../../../test/sim/snapshot/hook-facts.ts';
import type { ContainerStatus } from '../kinds.ts';
import type { AttemptReport } from './attempts.ts';
import type { TargetFacts } from './facts.ts';
import { settleAttempts, withIntent } from './settle-attempts.ts';

const opened = { preActionStatus: tried(['open']) };
const thawing = { ...frozen, postActionStatus: tried(['open']) };
const at = opened.preActionStatus.actionTimestamp;

function settled(
  more: Partial<ContainerStatus>,
  own: Partial<TargetFacts>,
  outlives = false,
): ContainerStatus {
  const facts: TargetFacts = {
    life: { kind: 'same' },
    isTerminating: false,
    open: null,
    session: null,
    claimNames: [],
    ...own,
  };
  return settleAttempts(target('a/x', more), facts, { nowMs: NOW_MS, outlives });
}
const ended = (
  outcome: AttemptReport['outcome'],
  more: Partial<AttemptReport> = {},
): Partial<TargetFacts> => {
  const reported = { exitCode: null, reason: 'It ended.', output: '', probes: [] };
  return { open: { kind: 'ended', report: { endedAtMs: NOW_MS, outcome, ...reported, ...more } } };
};
const deleted = { kind: 'gone', reason: 'the pod a is deleted' } as const;
const attempt = { startedAt: at, endedAt: ago(0), reason: 'It ended.' };

describe('an attempt that has ended', () => {
  it('keeps its start, its end, its exit code and its output', () => {
    const reported = { exitCode: 3, output: 'the disk is full' };
    expect(settled(opened, ended('Failed', reported)).preActionStatus).toEqual({
      actionTimestamp: at,
      attempts: [{ ...attempt, outcome: 'Failed', ...reported }],
      error: { time: ago(0), message: 'It ended.' },
    });
  });

  it('SNAP-R16: leaves no error where it succeeded, and no output and no exit code where there was none', () => {
    const { preActionStatus } = settled(opened, ended('Succeeded'));
    expect(preActionStatus).toEqual({
      actionTimestamp: at,
      attempts: [{ ...attempt, outcome: 'Succeeded' }],
    });
    const [kept = {}] = preActionStatus?.attempts ?? [];
    expect(Object.keys(kept).toSorted()).toEqual(['endedAt', 'outcome', 'reason', 'startedAt']);
  });

  it('keeps the last error when a later attempt succeeds', () => {
    const error = { time: ago(5), message: 'The command exited with code 3.' };
    const again = { preActionStatus: tried(['Failed', 'open'], { error }) };
    expect(settled(again, ended('Succeeded')).preActionStatus?.error).toEqual(error);
  });

  it('is the last of its action', () => {
    const again = { preActionStatus: tried(['Failed', 'open']) };
    const { attempts = [] } = settled(again, ended('Failed')).preActionStatus ?? {};
    const before = again.preActionStatus.attempts ?? [];
    expect(attempts.map(({ startedAt }) => startedAt)).toEqual(
      before.map(({ startedAt }) => startedAt),
    );
    expect(attempts.map(({ endedAt }) => endedAt)).toEqual([ago(2), ago(0)]);
  });

  it('counts those that were certainly not started', () => {
    const once = settled(opened, ended('Failed', { notStarted: 'Unreached' })).preActionStatus;
    expect([once?.unstartedAttempts, once?.attempts?.[0]?.notStarted]).toEqual([1, 'Unreached']);
    expect(once?.error?.message).toBe('It ended.');
    const again = { preActionStatus: tried(['open'], { unstartedAttempts: 2 }) };
    expect(
      settled(again, ended('Failed', { notStarted: 'Denied' })).preActionStatus?.unstartedAttempts,
    ).toBe(3);
    expect(settled(again, ended('Failed')).preActionStatus?.unstartedAttempts).toBe(2);
  });

  it('keeps the error of one that was started, which says more than that of one that was not', () => {
    const error = { time: ago(5), message: 'The command exited with code 3.' };
    const again = { preActionStatus: tried(['Failed', 'open'], { error }) };
    const unreached = ended('Failed', { notStarted: 'Unreached' });
    expect(settled(again, unreached).preActionStatus?.error).toEqual(error);
    expect(settled(again, ended('Failed')).preActionStatus?.error?.message).toBe('It ended.');
    const never = { preActionStatus: tried(['open'], { error, unstartedAttempts: 0 }) };
    expect(settled(never, unreached).preActionStatus?.error?.message).toBe('It ended.');
  });

  it('brings the answers of its probe, after those before', () => {
    const probe = (outcome: 'Frozen' | 'NotFrozen') => ({
      when: 'AfterFreeze' as const,
      at: ago(1),
      outcome,
    });
    const asked = { ...opened, probes: [probe('NotFrozen')] };
    const { probes } = settled(asked, ended('Succeeded', { probes: [probe('Frozen')] }));
    expect(probes?.map(({ outcome }) => outcome)).toEqual(['NotFrozen', 'Frozen']);
    expect(Object.keys(settled(opened, ended('Succeeded')))).not.toContain('probes');
  });

  it('brings the session helper of a freeze (SNAP-R36)', () => {
    const holder = { timing: 'read', windowSeconds: 4 } as const;
    expect(settled(opened, ended('Succeeded', { holder })).holder).toEqual(holder);
    expect(Object.keys(settled(opened, ended('Succeeded')))).not.toContain('holder');
  });

  it('is a thaw where the thaw was open, and names what thawed', () => {
    const done = settled(thawing, ended('Succeeded'));
    expect([done.thawedBy, done.postActionStatus?.actionSucceed]).toEqual(['post', true]);
    expect(settled(thawing, ended('Succeeded', { thawedBy: 'session' })).thawedBy).toBe('session');
    const failed = settled(thawing, ended('Failed'));
    expect([failed.thawedBy, failed.postActionStatus?.actionSucceed]).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('SNAP-I6: leaves a failed thaw failed when a later attempt succeeds', () => {
    const late = { ...frozen, postActionStatus: tried(['open'], { actionSucceed: false }) };
    const done = settled(late, ended('Succeeded'));
    expect([done.thawedBy, done.postActionStatus?.actionSucceed]).toEqual(['post', false]);
  });

  it('changes nothing where no attempt is open', () => {
    const twice = { ...frozen, postActionStatus: tried(['Failed']) };
    expect(settled(twice, ended('Succeeded'))).toEqual(target('a/x', twice));
    expect(settled({}, ended('Succeeded'))).toEqual(target('a/x'));
  });
});

describe('an attempt whose end was not seen (SNAP-G25)', () => {
  it('is Unknown where the controller that began it has exited', () => {
    const { preActionStatus } = settled(opened, { open: { kind: 'unseen' } });
    const reason = 'Its outcome was not observed: the controller that started it has stopped.';
    expect(preActionStatus).toEqual({
      actionTimestamp: at,
      attempts: [{ startedAt: at, endedAt: ago(0), outcome: 'Unknown', reason }],
      error: { time: ago(0), message: reason },
    });
  });

  it.each(['underWay', 'intended', 'unseen'] as const)(
    'is Unknown where the pod is deleted, also one that is %s',
    (kind) => {
      const { preActionStatus } = settled(opened, { life: deleted, open: { kind } });
      expect(preActionStatus?.attempts?.[0]).toMatchObject({
        outcome: 'Unknown',
        reason: 'Its outcome was not observed: the pod a is deleted.',
      });
    },
  );

  it('is awaited while it runs in a pod that is there', () => {
    for (const kind of ['underWay', 'intended'] as const) {
      expect(settled(opened, { open: { kind } })).toEqual(target('a/x', opened));
    }
  });

  it('is awaited in a deleted pod where the lock outlives the container, to prove its thaw', () => {
    const running = { life: deleted, open: { kind: 'underWay' as const } };
    expect(settled(thawing, running, true)).toEqual(target('a/x', thawing));
    const unseen = settled(thawing, { life: deleted, open: { kind: 'unseen' } }, true);
    expect(unseen.postActionStatus?.attempts?.[0]?.outcome).toBe('Unknown');
  });
});

describe('the intent of an attempt (SNAP-I3, SNAP-R14)', () => {
  it('is its start, which the first keeps as the start of the action', () => {
    expect(withIntent(undefined, NOW_MS)).toEqual({
      actionTimestamp: ago(0),
      attempts: [{ startedAt: ago(0) }],
    });
    const again = withIntent(tried(['Failed']), NOW_MS);
    expect([again.actionTimestamp, again.attempts?.length]).toEqual([ago(1.5), 2]);
  });
});
