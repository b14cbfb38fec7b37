/** Unexpected changes of a frozen container, and their meaning for the freeze (SNAP-CASE36). */
import { describe, expect, it } from 'vitest';

import {
  actions,
  ago,
  frozen,
  NOW_MS,
  target,
  tried,
} from '../../../../test/sim/snapshot/hook-facts.ts';
import type { ContainerStatus, ResolvedActions } from '../kinds.ts';
import type { SessionEnd } from '../session/session.ts';
import type { TargetFacts } from './facts.ts';
import { isHolderDead, noticeEnds, thawedByEnd } from './notice-ends.ts';

const same: TargetFacts = {
  life: { kind: 'same' },
  isTerminating: false,
  open: null,
  session: null,
  claimNames: [],
};
const restarted: Partial<TargetFacts> = {
  life: { kind: 'restarted', reason: 'the container has exited since' },
};
const deleted: Partial<TargetFacts> = { life: { kind: 'gone', reason: 'the pod a is deleted' } };
const session = { freeze: ['f'], thaw: ['t'] };
const { postAction: _, ...bare } = actions();
const held: ResolvedActions = { ...bare, preAction: { session, actionTimeoutSeconds: 30 } };
const client: ResolvedActions = {
  ...bare,
  preAction: { session: { ...session, client: ['db'] }, actionTimeoutSeconds: 30 },
};
const kernel = actions({ lockScope: 'Kernel' });
const ended = (end: SessionEnd): Partial<TargetFacts> => ({ session: { kind: 'ended', end } });
const thawed = (exitCode: number): SessionEnd => ({
  kind: 'thawed',
  by: 'deadman',
  exitCode,
  reason: 'the window is over',
});

interface Case {
  readonly own?: Partial<TargetFacts>;
  readonly resolved?: ResolvedActions;
  readonly more?: Partial<ContainerStatus>;
  readonly endIs?: 'freezeLost' | 'freezeDoubted' | null;
}

/** The fields of the target that `noticeEnds` adds or changes. */
function noted({ own = {}, resolved = actions(), more = {}, endIs = 'freezeLost' }: Case): object {
  const before = target('a/x', { ...frozen, ...more });
  const after = noticeEnds(before, { ...same, ...own }, { resolved, endIs, nowMs: NOW_MS });
  const fresh = Object.entries(after).filter(
    ([key, value]) => before[key as keyof ContainerStatus] !== value,
  );
  return Object.fromEntries(fresh);
}
const note = (reason: string) => ({ at: ago(0), reason });
const ofContainer = note('the container has exited since');
const ofPod = note('the pod a is deleted');

describe('the end of what holds a freeze', () => {
  it.each<[string, Case, object]>([
    ['notes nothing while the container runs', {}, {}],
    [
      'SNAP-CASE36: notes a lost freeze after a restart',
      { own: restarted },
      { freezeLost: ofContainer },
    ],
    [
      'notes a doubted freeze when the cut was durable first',
      { own: restarted, endIs: 'freezeDoubted' },
      { freezeDoubted: ofContainer },
    ],
    ['notes nothing after the release', { own: restarted, endIs: null }, {}],
    [
      'notes a lost freeze once (SNAP-I6)',
      { own: restarted, more: { freezeLost: { at: ago(9), reason: 'before' } } },
      {},
    ],
    [
      'SNAP-I4: notes nothing where no freeze was issued',
      { own: deleted, more: { preActionStatus: { actionSucceed: true } } },
      {},
    ],
    ['notes nothing of a thawed container', { own: deleted, more: { thawedBy: 'post' } }, {}],
    [
      'notes nothing where no attempt was started',
      {
        own: deleted,
        more: {
          preActionStatus: tried(['Failed'], { actionSucceed: false, unstartedAttempts: 1 }),
        },
      },
      {},
    ],
    [
      'is no loss where the freeze has failed',
      { own: restarted, more: { preActionStatus: tried(['Failed'], { actionSucceed: false }) } },
      {},
    ],
    [
      'is no loss and no thaw while the freeze is not decided',
      { own: deleted, more: { preActionStatus: tried(['open']) } },
      {},
    ],
    [
      'is a thaw where the pod is deleted: its lock ended with it',
      { own: deleted },
      { freezeLost: ofPod, thawedBy: 'gone' },
    ],
    [
      'is no thaw where a restarted server may keep the lock',
      { own: restarted, resolved: held },
      { freezeLost: ofContainer },
    ],
    [
      'is a thaw where the client of a session has restarted',
      { own: restarted, resolved: client },
      { freezeLost: ofContainer, thawedBy: 'gone' },
    ],
    [
      'of a session is a loss that names its reason',
      { own: ended({ kind: 'lost', reason: 'reset' }), resolved: client },
      { freezeLost: note('the session has ended: reset') },
    ],
    [
      'of a session that thawed is a thaw',
      { own: ended(thawed(0)), resolved: held },
      { freezeLost: note('the session has ended: the window is over'), thawedBy: 'deadman' },
    ],
    [
      'of a session is told by the thaw that is under way',
      {
        own: ended(thawed(0)),
        resolved: held,
        endIs: null,
        more: { postActionStatus: tried(['open']) },
      },
      {},
    ],
    [
      'of a session counts for nothing where the freeze is no session',
      { own: ended(thawed(0)), endIs: null },
      {},
    ],
    [
      'is noted as unproven where the kernel keeps the lock (SNAP-G14)',
      { own: deleted, resolved: kernel },
      { freezeLost: ofPod, thawUnproven: ofPod },
    ],
    [
      'is noted as unproven once',
      {
        own: deleted,
        resolved: kernel,
        endIs: null,
        more: { thawUnproven: { at: ago(9), reason: 'x' } },
      },
      {},
    ],
    [
      'is not unproven while the pod is there',
      { own: restarted, resolved: kernel },
      { freezeLost: ofContainer },
    ],
    [
      'is not unproven where there is nothing to undo (SNAP-R19)',
      { own: deleted, resolved: { ...bare, lockScope: 'Kernel' } },
      { freezeLost: ofPod },
    ],
    [
      'is not unproven while the session may report its thaw',
      {
        own: { ...deleted, session: { kind: 'held' } },
        resolved: { ...held, lockScope: 'Kernel' },
      },
      { freezeLost: ofPod },
    ],
    [
      'is not unproven while a thaw may report its end',
      { own: deleted, resolved: kernel, more: { postActionStatus: tried(['open']) }, endIs: null },
      {},
    ],
    [
      'is not unproven while the freeze may report its end',
      { own: deleted, resolved: kernel, more: { preActionStatus: tried(['open']) }, endIs: null },
      {},
    ],
    [
      'is unproven after a freeze that has failed (SNAP-G9)',
      {
        own: deleted,
        resolved: kernel,
        more: { preActionStatus: tried(['Failed'], { actionSucceed: false }) },
      },
      { thawUnproven: ofPod },
    ],
  ])('%s', (_title, facts, expected) => {
    expect(noted(facts)).toEqual(expected);
  });
});

describe('the session helper', () => {
  const isDead = (own: Partial<TargetFacts>): boolean => isHolderDead({ ...same, ...own });

  it('is dead with its container or pod, and when it broke or could not thaw', () => {
    const dead = [restarted, deleted, ended({ kind: 'broken', reason: 'r' }), ended(thawed(1))];
    expect(dead.map(isDead)).toEqual([true, true, true, true]);
  });

  it('may still thaw while its connection is lost, and has nothing to do when it has thawed', () => {
    const alive: Partial<TargetFacts>[] = [
      {},
      { session: { kind: 'held' } },
      { session: { kind: 'absent' } },
      { life: { kind: 'terminating', reason: 'r' } },
      ended({ kind: 'lost', reason: 'r' }),
      ended(thawed(0)),
    ];
    expect(alive.map(isDead)).toEqual([false, false, false, false, false, false]);
  });

  it('has thawed with its own command, and a client with its connection (SNAP-R36)', () => {
    const broken: SessionEnd = { kind: 'broken', reason: 'r' };
    const lost: SessionEnd = { kind: 'lost', reason: 'r' };
    expect([thawed(0), thawed(1), broken, lost].map((end) => thawedByEnd(end, false))).toEqual([
      'deadman',
      null,
      null,
      null,
    ]);
    expect([thawed(0), thawed(1), broken, lost].map((end) => thawedByEnd(end, true))).toEqual([
      'deadman',
      'deadman',
      'broken',
      null,
    ]);
  });
});
