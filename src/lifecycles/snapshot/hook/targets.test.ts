/** The predicates over the status of a target and of a hook. */
import { describe, expect, it } from 'vitest';

import {
  actions,
  ago,
  frozen,
  NOW_MS,
  released,
  target,
  tried,
} from '../../../../test/sim/snapshot/hook-facts.ts';
import type { ContainerStatus, ExecutionHookStatus } from '../kinds.ts';
import { canBeThawed, frozenSinceMs, isBegun, isOverdue, isSettled, timeOf } from './targets.ts';

describe('a time in a status (SNAP-G7)', () => {
  it.each<[string | number | undefined, number[]]>([
    ['2026-01-01T00:00:00.000000Z', [NOW_MS]],
    [1_767_225_600, [NOW_MS]],
    ['1767225600', [NOW_MS]],
    ['2026', [2_026_000]],
    ['2026-01-01T01:00:00+01:00', [NOW_MS]],
    ['soon', []],
    ['', []],
    [undefined, []],
  ])('%j is read as %j', (text, expected) => {
    expect(timeOf(text)).toEqual(expected);
  });
});

it('the expiry counts from the first freeze (SNAP-R22, SNAP-G12)', () => {
  const at = (seconds: number) => ({ preActionStatus: { actionTimestamp: ago(seconds) } });
  expect(frozenSinceMs([target('a/x', at(3)), target('b/x', at(5)), target('c/x')])).toBe(
    NOW_MS - 5_000,
  );
  expect(frozenSinceMs([target('a/x')])).toBeNull();
});

describe('a hook', () => {
  const targets = [target('a/x')];

  it('is begun when its actions and its targets are fixed (SNAP-I10)', () => {
    const resolved = actions();
    expect(isBegun({ status: { resolved, containerExecutionHookStatuses: targets } })).toBe(true);
    expect(isBegun({ status: { resolved } })).toBe(false);
    expect(isBegun({ status: { containerExecutionHookStatuses: targets } })).toBe(false);
    expect(isBegun({})).toBe(false);
  });

  const thawed = target('a/x', { ...frozen, thawedBy: 'post' });

  it.each<[string, ExecutionHookStatus, readonly ContainerStatus[], boolean]>([
    ['settled when all is thawed', { ...released('Cut'), preActionSucceed: true }, [thawed], true],
    ['settled without targets', { ...released('Cut'), preActionSucceed: true }, [], true],
    ['not settled before its release', { preActionSucceed: true }, [thawed], false],
    ['not settled before its freezes are decided (SNAP-I7)', released('Deleted'), [thawed], false],
    [
      'not settled while one is frozen',
      { ...released('Cut'), preActionSucceed: true },
      [thawed, target('b/x', frozen)],
      false,
    ],
    [
      'not settled while a freeze runs',
      { ...released('PreFailed'), preActionSucceed: false },
      [target('b/x', { preActionStatus: tried(['open']), thawedBy: 'gone' })],
      false,
    ],
  ])('SNAP-I8: is %s', (...[, status, containerExecutionHookStatuses, expected]) => {
    const whole = {
      ...status,
      containerExecutionHookStatuses: [...containerExecutionHookStatuses],
    };
    expect(isSettled({ status: whole })).toBe(expected);
  });
});

describe('a target', () => {
  const unproven = { ...frozen, thawUnproven: { at: ago(1), reason: 'r' } };
  const failed = { postActionStatus: { actionSucceed: false } };

  it.each<[string, Partial<ContainerStatus>, boolean, boolean]>([
    ['that is frozen', frozen, true, false],
    ['whose thaw has failed', { ...frozen, ...failed }, true, true],
    ['that a later attempt thawed', { ...frozen, ...failed, thawedBy: 'post' }, false, false],
    ['that was never frozen', {}, false, false],
    ['whose thaw is not proven', { ...unproven, ...failed }, false, false],
    ['that a rescue pod may thaw', { ...unproven, rescue: {} }, true, false],
  ])(
    '%s: whether an attempt can thaw it is %s, whether it is overdue %s',
    (...[, more, canBe, overdue]) => {
      const one = target('a/x', more);
      expect([canBeThawed(one), isOverdue(one)]).toEqual([canBe, overdue]);
    },
  );
});
