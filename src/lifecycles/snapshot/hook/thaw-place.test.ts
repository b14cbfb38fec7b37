/** Where a thaw runs, and when it counts as failed (SNAP-G15, SNAP-G16, SNAP-I1). */
import { describe, expect, it } from 'vitest';

import {
  actions,
  ago,
  ended,
  facts,
  frozen,
  ordersOf,
  released,
  target,
  tried,
} from '../../../../test/sim/snapshot/hook-facts.ts';
import type { ActionStatus, ContainerStatus, ResolvedActions } from '../kinds.ts';
import { TAKEN_ON } from '../names.ts';
import { decide, type HookDecision } from './decide.ts';
import { placeOfThaw } from './decide-thaw.ts';
import type { TargetFacts } from './facts.ts';

const status = { ...released('Deleted'), preActionSucceed: true };
const unproven = { thawUnproven: { at: ago(9), reason: 'the pod a is deleted' } };
const deleted = { kind: 'gone', reason: 'the pod a is deleted' } as const;
const terminating = { kind: 'terminating', reason: 'the pod a terminates' } as const;
const same = { kind: 'same' } as const;
const kernel = actions({ lockScope: 'Kernel' });

describe('the thaw of a kernel lock', () => {
  const rescue = {};
  const tries = { postActionStatus: tried(['Failed']) };
  const running = { postActionStatus: tried(['open']) };

  it.each<[string, Partial<ContainerStatus>, Partial<TargetFacts> | undefined, string]>([
    ['in its container', { rescue }, { life: same }, 'container'],
    ['in a rescue pod where its pod is deleted', { rescue }, { life: deleted }, 'rescue'],
    ['in a rescue pod where no thaw is proven', { rescue, ...unproven }, { life: same }, 'rescue'],
    ['never in a rescue pod without a rescue', unproven, { life: deleted }, 'container'],
    ['in its container while nothing is known', { rescue, ...unproven }, undefined, 'container'],
    [
      'in its container first where its pod terminates',
      { rescue },
      { life: terminating },
      'container',
    ],
    [
      'in its container while the first thaw runs there',
      { rescue, ...running },
      { life: terminating },
      'container',
    ],
    [
      'in a rescue pod where its pod terminates and the thaw there has failed',
      { rescue, ...tries },
      { life: terminating },
      'rescue',
    ],
    [
      'in its container although the thaw has failed there, while its pod stays',
      { rescue, ...tries },
      { life: same },
      'container',
    ],
    [
      'by the session that is held, although its pod terminates',
      { rescue, ...tries },
      { life: terminating, session: { kind: 'held' } },
      'container',
    ],
    [
      'in a rescue pod where the session has ended and its pod terminates',
      { rescue, ...tries },
      { life: terminating, session: { kind: 'absent' } },
      'rescue',
    ],
  ])('runs %s', (...[, more, own, place]) => {
    const known = own === undefined ? undefined : { life: same, session: null, ...own };
    expect(placeOfThaw(target('a/x', { ...frozen, ...more }), known)).toBe(place);
  });
});

interface Thawing {
  readonly more?: Partial<ContainerStatus>;
  readonly known?: Partial<TargetFacts>;
  readonly resolved?: ResolvedActions;
}

function thawing(
  post: ActionStatus | undefined,
  { more = {}, known = {}, resolved = actions() }: Thawing = {},
): HookDecision {
  const tries = post === undefined ? {} : { postActionStatus: post };
  return decide(
    facts([target('a/x', { ...frozen, ...tries, ...more })], { status, known: [known] }),
    resolved,
  );
}
const postOf = ({ status: after }: HookDecision): ActionStatus | undefined =>
  after.containerExecutionHookStatuses?.[0]?.postActionStatus;

describe('a thaw that has failed reports', () => {
  const late = { actionTimestamp: ago(31) };

  it('the error of its last attempt', () => {
    const error = { time: ago(1), message: 'The command exited with code 3.' };
    const post = postOf(thawing(tried(['Failed'], { ...late, error })));
    expect([post?.actionSucceed, post?.error]).toEqual([false, error]);
  });

  it('that its time is over, at the moment when it is', () => {
    const post = postOf(thawing(tried(['Failed'], { actionTimestamp: ago(30) })));
    expect([post?.actionSucceed, post?.error]).toEqual([
      false,
      { time: ago(0), message: 'The time for the thaw has passed.' },
    ]);
  });

  it('that no thaw is proven, whatever it has tried before (SNAP-G14)', () => {
    const error = { time: ago(5), message: 'The command exited with code 3.' };
    const post = postOf(
      thawing(tried(['Failed'], { error }), {
        more: unproven,
        known: { life: deleted },
        resolved: kernel,
      }),
    );
    expect(post?.error).toEqual({
      time: ago(0),
      message:
        'No thaw is proven: the pod a is deleted, and the freeze does not end with its container.',
    });
  });

  it('the error of the rescue pod, where there is one', () => {
    const error = { time: ago(5), message: 'The command exited with code 3.' };
    const more = { ...unproven, rescue: {} };
    const post = tried(['Failed'], { ...late, error });
    expect(
      postOf(thawing(post, { more, known: { life: deleted }, resolved: kernel }))?.error,
    ).toEqual(error);
  });

  it('nothing new once it has failed (SNAP-I6)', () => {
    const error = { time: ago(9), message: 'The time for the thaw has passed.' };
    const failed = tried(['Failed'], { ...late, actionSucceed: false, error });
    expect(postOf(thawing(failed))?.error).toEqual(error);
    const { error: _, ...silent } = failed;
    expect(postOf(thawing(silent))?.error).toBeUndefined();
  });
});

describe('a thaw has not failed', () => {
  it('while an attempt of it runs, although its time is over', () => {
    const running = tried(['open'], { actionTimestamp: ago(31) });
    expect(postOf(thawing(running, { known: { open: { kind: 'underWay' } } }))?.actionSucceed).toBe(
      undefined,
    );
  });

  it('before it has begun', () => {
    expect(ordersOf(thawing(undefined))).toEqual(['post 1 a/x']);
  });

  it('while its next attempt fits into its time', () => {
    const early = tried(['Failed'], { actionTimestamp: ago(29) });
    expect(postOf(thawing(early))?.actionSucceed).toBeUndefined();
    const last = { startedAt: ago(0.2), endedAt: ago(0), outcome: 'Failed' as const };
    const post = { actionTimestamp: ago(29.5), attempts: [last] };
    expect(postOf(thawing(post))?.actionSucceed).toBe(false);
  });

  it('where the server denied it permanently, it has, at once', () => {
    const denied = tried(['Failed']);
    const attempts = (denied.attempts ?? []).map((one) => ({
      ...one,
      notStarted: 'Denied' as const,
    }));
    expect(postOf(thawing({ ...denied, attempts }))?.actionSucceed).toBe(false);
  });
});

describe('a thaw waits', () => {
  it('half a second after a failure, and two at most while its pod terminates', () => {
    const seven = tried(['Failed', 'Failed', 'Failed', 'Failed', 'Failed', 'Failed', 'Failed']);
    expect(thawing(seven).inMs).toBe(9_000);
    const known = { life: terminating };
    expect(thawing(seven, { known }).inMs).toBe(1_000);
    expect(thawing(seven, { more: { rescue: {} }, known, resolved: kernel }).inMs).toBe(9_000);
  });

  it('for the shortest of several pauses', () => {
    const post = (count: number) => ({
      ...frozen,
      postActionStatus: tried(Array.from({ length: count }, () => 'Failed')),
    });
    const targets = [target('a/x', post(4)), target('b/x', post(3))];
    expect(decide(facts(targets, { status }), actions()).inMs).toBe(1_000);
  });

  it('for a freeze that runs', () => {
    const running = { preActionStatus: tried(['open']) };
    expect(
      ordersOf(thawing(undefined, { more: running, known: { open: { kind: 'underWay' } } })),
    ).toEqual([]);
  });

  it('for a thaw that runs', () => {
    expect(ordersOf(thawing(tried(['open']), { known: { open: { kind: 'underWay' } } }))).toEqual(
      [],
    );
  });
});

describe('a thaw that a user marks as done by hand (SNAP-G15)', () => {
  const metadata = { annotations: { [TAKEN_ON]: 'anna' } };
  const takenOn = (
    post: ActionStatus | undefined,
    known: Partial<TargetFacts>,
    resolved = actions(),
  ) => {
    const tries = post === undefined ? {} : { postActionStatus: post };
    const held = facts([target('a/x', { ...frozen, ...tries })], {
      status,
      metadata,
      known: [known],
    });
    const [first] = decide(held, resolved).status.containerExecutionHookStatuses ?? [];
    return first;
  };

  it('names the user, and is not a success', () => {
    const error = { time: ago(0), message: 'The thaw was marked as done by hand by anna.' };
    expect(takenOn(undefined, {})).toMatchObject({
      thawedBy: 'released',
      postActionStatus: { actionSucceed: false, error },
    });
  });

  it('is not done while an attempt runs, which would thaw the freeze of a later hook (SNAP-I9)', () => {
    const open = { kind: 'underWay' } as const;
    expect(takenOn(tried(['Failed', 'open']), { open })?.thawedBy).toBeUndefined();
    expect(takenOn(tried(['Failed', 'open']), ended('Failed'))?.thawedBy).toBe('released');
  });

  const session = { freeze: ['f'], thaw: ['t'], windowSeconds: 15 };
  const { postAction: _, ...given } = actions({ preAction: { session, actionTimeoutSeconds: 10 } });

  it('is done once one attempt has failed, though others have no known end', () => {
    const absent = { session: { kind: 'absent' } as const };
    expect(takenOn(tried(['Unknown', 'Failed']), absent, given)?.thawedBy).toBe('released');
    expect(takenOn(tried(['Unknown']), absent, given)?.thawedBy).toBeUndefined();
    expect(takenOn(undefined, absent, given)?.thawedBy).toBeUndefined();
  });
});

it('a hook thaws nothing where nothing is to be undone (SNAP-R19)', () => {
  const { postAction: _, ...bare } = actions();
  const decision = decide(facts([target('a/x', frozen)], { status }), bare);
  expect([ordersOf(decision), decision.isSettled, decision.status.postActionSucceed]).toEqual([
    [],
    true,
    true,
  ]);
});

it('an attempt that ends is followed at once by what it decides', () => {
  const post = tried(['open'], { actionTimestamp: ago(31) });
  expect(postOf(thawing(post, { known: ended('Failed') }))?.actionSucceed).toBe(false);
});
