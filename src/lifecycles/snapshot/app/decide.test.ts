import { describe, expect, it } from 'vitest';

import {
  ago,
  frozen,
  NOW_MS,
  sampleFacts,
  type SampleFacts,
  sampleHook,
  sampleSnapshot,
  sampleTarget,
} from '../../../../test/fixtures/snapshot/app-facts.ts';
import { stepText } from '../../../../test/fixtures/snapshot/step-text.ts';
import { BEGUN_UID, RELEASE } from '../names.ts';
import { decide } from './decide.ts';
import type { SnapshotFacts } from './facts.ts';

const reported = (facts: SnapshotFacts): string => stepText(decide(facts));
const of = (sample: SampleFacts): string => reported(sampleFacts(sample));

const undecided = frozen({ containerExecutionHookStatuses: [] });
delete undecided.preActionSucceed;
const hookThat = (name: string, more: Parameters<typeof sampleHook>[0] = {}) =>
  sampleHook({ name, ...more });
const freezing = (name: string) => hookThat(name, { status: undecided });
const refused = (name: string) =>
  hookThat(name, {
    status: {
      preActionSucceed: false,
      containerExecutionHookStatuses: [
        sampleTarget({ preActionStatus: { actionTimestamp: ago(3), actionSucceed: false } }),
      ],
    },
  });
const expired = (name: string) =>
  hookThat(name, { status: frozen({ release: { cause: 'Expired', at: ago(1) } }) });

function withBegun(uid: string | undefined): SnapshotFacts['snapshot'] {
  const { metadata = {}, ...snapshot } = sampleSnapshot();
  const { annotations: _, ...rest } = metadata;
  const begun = uid === undefined ? {} : { annotations: { [BEGUN_UID]: uid } };
  return { ...snapshot, metadata: { ...rest, ...begun } };
}

describe('a new snapshot', () => {
  const fresh = (snapshot: SnapshotFacts['snapshot']): SnapshotFacts => ({
    ...sampleFacts(),
    snapshot,
  });

  it.each<[string, SnapshotFacts['snapshot'], string]>([
    ['first gets our finalizer (SNAP-S1)', { ...sampleSnapshot(), metadata: {} }, 'addFinalizer'],
    ['is marked as begun together with it', withBegun(undefined), 'addFinalizer'],
    ['is planned next, before anything is created (SNAP-S1)', sampleSnapshot(), 'plan'],
    [
      'never runs if it is a copy of one that has begun (SNAP-S6)',
      withBegun('other'),
      'fail BegunBefore',
    ],
    [
      'SNAP-CASE38: fails first if its selector has matchExpressions',
      sampleSnapshot(undefined, {
        mode: 'Group',
        source: { selector: { matchExpressions: [] } },
      }),
      'fail Invalid',
    ],
    [
      'SNAP-CASE40: fails with a deadline of 1e12 s',
      sampleSnapshot(undefined, { cutDeadlineSeconds: 1e12 }),
      'fail Invalid',
    ],
    [
      'fails if its spec was changed since its author was judged',
      { ...sampleSnapshot(), metadata: { ...sampleSnapshot().metadata, generation: 2 } },
      'fail SpecChanged',
    ],
  ])('%s', (_, snapshot, expected) => {
    expect(reported(fresh(snapshot))).toBe(expected);
  });
});

describe('without the kinds of volume snapshots', () => {
  const missingKinds = ['VolumeSnapshot (snapshot.storage.k8s.io/v1)'];

  it('a new snapshot waits for them, before it gets a finalizer', () => {
    const snapshot = { ...sampleSnapshot(), metadata: {} };
    expect(decide({ ...sampleFacts(), snapshot, missingKinds })).toEqual({
      kind: 'waitForKinds',
      missing: missingKinds,
    });
  });

  it.each<[string, SampleFacts]>([
    ['while hooks freeze', { hooks: [hookThat('hook-0'), null] }],
    [
      'while the cut is awaited',
      { status: { cutRequestedAt: ago(5) }, hooks: [hookThat('hook-0')] },
    ],
  ])('a snapshot fails, and so thaws, %s', (_, sample) => {
    expect(of({ ...sample, missingKinds })).toBe('fail KindNotServed');
  });
});

describe('the freeze', () => {
  it.each<[string, SampleFacts, string]>([
    ['SNAP-CASE23: is skipped without hooks, and the cut is requested at once', {}, 'requestCut'],
    ['SNAP-R29: creates the first hook', { hooks: [null, null] }, 'createHook 0'],
    [
      'SNAP-I11, SNAP-S2: creates no second hook while the first is freezing',
      { hooks: [freezing('hook-0'), null] },
      'wait 130000 ms',
    ],
    [
      'SNAP-CASE33, SNAP-S2: creates the second hook when the first is frozen',
      { hooks: [hookThat('hook-0'), null] },
      'createHook 1',
    ],
    [
      'SNAP-I12, SNAP-S3: requests the cut when all hooks are frozen',
      { hooks: [hookThat('hook-0'), hookThat('hook-1')] },
      'requestCut',
    ],
    [
      'SNAP-R31: fails if a hook fails',
      { hooks: [hookThat('hook-0'), refused('hook-1'), null] },
      'fail PreActionFailed',
    ],
    [
      'SNAP-CASE21: fails if a hook has expired',
      { hooks: [expired('hook-0'), freezing('hook-1')] },
      'fail ThawedBeforeCut',
    ],
    [
      'fails if a user deletes a frozen hook',
      { hooks: [hookThat('hook-0', { terminating: ago(1) })] },
      'fail ThawedBeforeCut',
    ],
    [
      'fails if a user deletes a hook before it is frozen',
      { hooks: [hookThat('hook-0', { terminating: ago(1), status: undecided })] },
      'fail HookReleased',
    ],
    [
      'fails if a user releases a hook',
      { hooks: [hookThat('hook-0', { annotations: { [RELEASE]: `Human@${ago(1)}` } })] },
      'fail ThawedBeforeCut',
    ],
    [
      'fails if a hook was removed by force',
      { hooks: [null, hookThat('hook-1')] },
      'fail HookGone',
    ],
    [
      'fails if a claim is deleted',
      { lostClaims: ['data'], hooks: [freezing('hook-0')] },
      'fail ClaimGone',
    ],
    [
      'SNAP-CASE36: fails if a container lost its freeze',
      {
        hooks: [
          hookThat('hook-0', {
            status: frozen({
              containerExecutionHookStatuses: [
                sampleTarget({ freezeLost: { at: ago(1), reason: 'the container was restarted' } }),
              ],
            }),
          }),
          null,
        ],
      },
      'fail ThawedBeforeCut',
    ],
  ])('%s', (_, sample, expected) => {
    expect(of(sample)).toBe(expected);
  });

  const blocked = (reason: string) =>
    hookThat('hook-0', {
      status: {
        ...undecided,
        conditions: [
          {
            type: 'Frozen',
            status: 'False',
            reason,
            message: 'The volume may still be frozen.',
            lastTransitionTime: ago(1),
          },
        ],
      },
    });

  it('fails at once where only a user can end what a hook waits for, with that cause', () => {
    const step = decide(sampleFacts({ hooks: [blocked('ThawUnproven')] }));
    const message = 'ExecutionHook hook-0: ThawUnproven: The volume may still be frozen.';
    expect(step).toMatchObject({ kind: 'fail', reason: 'ThawUnproven', message });
  });

  it('names what a hook waits for when it waits too long', () => {
    const facts = sampleFacts({ hooks: [blocked('WaitsForHold')] });
    expect(reported(facts)).toMatch(/^wait /u);
    expect(decide({ ...facts, nowMs: NOW_MS + 131_000 })).toMatchObject({
      reason: 'HookOverdue',
      message: 'ExecutionHook hook-0: WaitsForHold: The volume may still be frozen.',
    });
  });

  it('fails with HookOverdue after 130 s without progress of a hook', () => {
    const facts = sampleFacts({ hooks: [freezing('hook-0')] });
    expect(reported({ ...facts, nowMs: NOW_MS + 131_000 })).toBe('fail HookOverdue');
  });
});
