import { describe, expect, it } from 'vitest';

import {
  actions,
  facts,
  frozen,
  released,
  target,
  tried,
} from '../../../../test/sim/snapshot/hook-facts.ts';
import { CUT_RELEASE, TAKEN_ON } from '../names.ts';
import { decide, type HookDecision } from './decide.ts';
import type { TargetFacts } from './facts.ts';

describe('decide, on sessions', () => {
  const session = { freeze: ['f'], thaw: ['t'], windowSeconds: 15 };
  const { postAction: _, ...given } = actions({ preAction: { session, actionTimeoutSeconds: 10 } });
  const client = {
    ...given,
    preAction: { session: { ...session, client: ['db'] }, actionTimeoutSeconds: 10 },
  };
  const ends = (
    end: Extract<NonNullable<TargetFacts['session']>, { kind: 'ended' }>['end'],
  ): Partial<TargetFacts> => ({
    session: { kind: 'ended', end },
  });
  const look = (known: Partial<TargetFacts>, how = given): HookDecision =>
    decide(facts([target('a/x', frozen)], { known: [known] }), how);

  it('keeps the freeze while the session is held', () => {
    expect(look({ session: { kind: 'held' } }).status.release).toBeUndefined();
  });

  const lost = (known: Partial<TargetFacts>, how = given): unknown[] => {
    const { status, orders } = look(known, how);
    const [first] = status.containerExecutionHookStatuses ?? [];
    return [status.release?.cause, first?.thawedBy, orders.length];
  };

  it('releases with cause Broken when a session has ended, and thaws unless that was the thaw', () => {
    const thawed = (exitCode: number): Partial<TargetFacts> =>
      ends({ kind: 'thawed', by: 'deadman', exitCode, reason: 'r' });
    expect(lost(thawed(0))).toEqual(['Broken', 'deadman', 0]);
    expect(lost(thawed(1))).toEqual(['Broken', undefined, 1]);
    const broken = ends({ kind: 'broken', reason: 'r' });
    expect(lost(broken)).toEqual(['Broken', undefined, 1]);
    expect(lost(broken, client)).toEqual(['Broken', 'broken', 0]);
    expect(lost(ends({ kind: 'lost', reason: 'r' }), client)).toEqual(['Broken', undefined, 1]);
  });

  it('marks a session that ended after a recorded cut as doubted, not lost', () => {
    const metadata = { annotations: { [CUT_RELEASE]: 'ab12@2026-01-01T00:00:00.000000Z' } };
    const broken = ends({ kind: 'broken', reason: 'r' });
    const absent: Partial<TargetFacts> = { session: { kind: 'absent' } };
    const seen = [broken, absent, { session: { kind: 'held' } } as const].map((known) => {
      const held = facts([target('a/x', frozen)], { known: [known], metadata });
      const { status } = decide(held, given);
      const [first] = status.containerExecutionHookStatuses ?? [];
      return [status.release?.cause, first?.freezeLost, first?.freezeDoubted?.reason];
    });
    expect(seen).toEqual([
      ['Cut', undefined, 'the session has ended: r'],
      ['Cut', undefined, 'the controller that held the session no longer runs'],
      ['Cut', undefined, undefined],
    ]);
  });

  it('calls off a session that is still opened when its pod terminates, and no command', () => {
    const opening = target('a/x', { preActionStatus: tried(['open']) });
    const life = { kind: 'terminating', reason: 'r' } as const;
    const calledOff = (how: typeof given, known: Partial<TargetFacts>): number =>
      decide(facts([opening], { known: [{ open: { kind: 'underWay' }, ...known }] }), how).calledOff
        .length;
    expect([
      calledOff(given, { life }),
      calledOff(given, {}),
      calledOff(actions(), { life }),
    ]).toEqual([1, 0, 0]);
  });

  it('releases with cause Broken when another process held the session', () => {
    expect(lost({ session: { kind: 'absent' } })).toEqual(['Broken', undefined, 1]);
  });

  it('runs the thaw command itself only if the session helper is dead', () => {
    const dead = (known: Partial<TargetFacts>): boolean | undefined =>
      look(known).orders[0]?.holderIsDead;
    expect([
      dead(ends({ kind: 'broken', reason: 'r' })),
      dead({ session: { kind: 'absent' } }),
    ]).toEqual([true, false]);
  });

  it('accepts a thaw done by hand only if no session helper still thaws (SNAP-I9)', () => {
    const takenOn = (
      post: ReturnType<typeof tried> | undefined,
      known: Partial<TargetFacts> = { session: { kind: 'absent' } },
    ): unknown => {
      const more = post === undefined ? {} : { postActionStatus: post };
      const metadata = { annotations: { [TAKEN_ON]: 'anna' } };
      const status = { ...released('Human'), preActionSucceed: true };
      const held = facts([target('a/x', { ...frozen, ...more })], {
        status,
        metadata,
        known: [known],
      });
      return decide(held, given).status.containerExecutionHookStatuses?.[0]?.thawedBy;
    };
    expect([
      takenOn(undefined),
      takenOn(tried(['Unknown', 'open']), { open: { kind: 'underWay' } }),
      takenOn(tried(['Failed'])),
      takenOn(undefined, ends({ kind: 'broken', reason: 'r' })),
    ]).toEqual([undefined, undefined, 'released', 'released']);
  });

  it('waits for the window of the session helper, although the action timeout is shorter', () => {
    expect(look({ session: { kind: 'absent' } }).orders[0]?.timeoutMs).toBe(20_000);
  });
});
