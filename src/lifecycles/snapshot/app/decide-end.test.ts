import { describe, expect, it } from 'vitest';

import {
  ago,
  frozen,
  sampleFacts,
  type SampleFacts,
  sampleHook,
  sampleTarget,
  sampleVolume,
  thawed,
  volumeFacts,
} from '../../../../test/fixtures/snapshot/app-facts.ts';
import { stepText } from '../../../../test/fixtures/snapshot/step-text.ts';
import { EVIDENCE_FINALIZER, VERDICT, VERDICT_REASON } from '../names.ts';
import { decide } from './decide.ts';
import { marksDue } from './late-cuts.ts';

const of = (sample: SampleFacts): string => stepText(decide(sampleFacts(sample)));

const failure = { reason: 'CutDeadlineExceeded', message: '', at: ago(0.5) };
const failed = { phase: 'Failed' as const, failure, cutRequestedAt: ago(60) };
const deleted = [volumeFacts(sampleVolume('data'), null)];
const refused = frozen({
  preActionSucceed: false,
  containerExecutionHookStatuses: [
    sampleTarget({ preActionStatus: { actionTimestamp: ago(1), actionSucceed: false } }),
  ],
});
const kept = { name: 'hook-0', targets: [] };
const verdict = {
  value: 'ApplicationConsistent',
  reason: 'FrozenAtCut',
  message: 'm',
  decidedAt: ago(1),
} as const;

/** A content that already has the mark. */
function marked(reason: string, isCut: boolean): NonNullable<SampleFacts['volumes']> {
  const facts = volumeFacts(sampleVolume('data'), null);
  const labels = { [VERDICT]: 'Inconsistent', [VERDICT_REASON]: reason };
  const { content } = volumeFacts(sampleVolume('data'), {});
  if (content === null) return [facts];
  const status = isCut ? { creationTime: 1 } : {};
  return [{ ...facts, content: { ...content, metadata: { ...content.metadata, labels }, status } }];
}

describe('a snapshot that has failed', () => {
  it.each<[string, SampleFacts, string]>([
    [
      'SNAP-G10: thaws before anything else',
      { status: failed, hooks: [sampleHook()] },
      'deleteHook hook-0',
    ],
    [
      'SNAP-G18: thaws the last hook first',
      { status: failed, hooks: [sampleHook(), sampleHook({ name: 'hook-1' })] },
      'deleteHook hook-1',
    ],
    [
      'SNAP-I15, SNAP-S5: thaws before it stores the evidence of another hook',
      { status: failed, hooks: [sampleHook(), sampleHook({ name: 'hook-1', status: thawed() })] },
      'deleteHook hook-0',
    ],
    [
      'SNAP-CASE33: waits for the thaw of a hook that thaws by itself before it thaws the one before',
      { status: failed, hooks: [sampleHook(), sampleHook({ name: 'hook-1', status: refused })] },
      'wait 1500 ms',
    ],
    ['marks the remaining VolumeSnapshots', { status: failed }, 'mark NotCut'],
    [
      'SNAP-R32, SNAP-S5: deletes its VolumeSnapshots after the marks',
      {
        status: failed,
        volumes: [...marked('NotCut', false), volumeFacts(sampleVolume('log'), {})].map(
          withoutContent,
        ),
      },
      'deleteSnapshots',
    ],
    [
      'SNAP-I15: marks the VolumeSnapshots although a thaw hangs',
      { status: failed, hooks: [sampleHook({ terminating: ago(3) })] },
      'mark NotCut',
    ],
    [
      'stores the evidence of its hooks',
      { status: failed, volumes: deleted, hooks: [sampleHook({ status: thawed() })] },
      'keepEvidence hook-0',
    ],
    [
      'waits for the last thaw',
      { status: failed, volumes: deleted, hooks: [sampleHook({ terminating: ago(3) })] },
      'wait',
    ],
    [
      'ends when the evidence of all hooks is stored',
      { status: { ...failed, hooks: [kept] }, volumes: deleted, hooks: [null] },
      'finishFailure',
    ],
    [
      'SNAP-CASE30: marks a late cut after its end',
      { status: { ...failed, completedAt: ago(0) }, volumes: marked('NotCut', true) },
      'mark LateCut',
    ],
    [
      'does not mark a late cut twice',
      {
        status: { ...failed, completedAt: ago(0) },
        finalizers: [],
        volumes: marked('LateCut', true),
      },
      'wait',
    ],
  ])('%s', (_, sample, expected) => {
    expect(of(sample)).toBe(expected);
  });

  it('does not mark a cut of another failure as late', () => {
    const { content, ...facts } = volumeFacts(sampleVolume('data'), {});
    const cut = content === null ? null : { ...content, status: { creationTime: 1 } };
    const marks = marksDue({ ...sampleFacts(), volumes: [{ ...facts, content: cut }] }, 'HookGone');
    expect(marks).toMatchObject([{ reason: 'HookGone', isLate: false }]);
  });
});

function withoutContent(facts: ReturnType<typeof volumeFacts>): ReturnType<typeof volumeFacts> {
  return { ...facts, content: null };
}

describe('a snapshot that is deleted', () => {
  const status = { cutRequestedAt: ago(5) };

  it.each<[string, SampleFacts, string]>([
    ['thaws first', { status, terminating: true, hooks: [sampleHook()] }, 'deleteHook hook-0'],
    [
      'waits for the thaw, 2 s at most',
      { status, terminating: true, hooks: [sampleHook({ terminating: ago(1.5) })] },
      'wait 500 ms',
    ],
    [
      'then marks the VolumeSnapshots',
      { status, terminating: true, hooks: [sampleHook({ terminating: ago(2) })] },
      'mark NotCut',
    ],
    [
      'then deletes its VolumeSnapshots',
      {
        status,
        terminating: true,
        volumes: [withoutContent(volumeFacts(sampleVolume('data'), {}))],
      },
      'deleteSnapshots',
    ],
    [
      'keeps its finalizer until its hooks are thawed',
      { status, terminating: true, volumes: deleted, hooks: [sampleHook({ terminating: ago(9) })] },
      'wait',
    ],
    [
      'releases a thawed hook',
      { status, terminating: true, volumes: deleted, hooks: [sampleHook({ status: thawed() })] },
      'finishHook hook-0 kept',
    ],
    [
      'SNAP-CASE18: releases a hook that has frozen nothing',
      {
        status,
        terminating: true,
        volumes: deleted,
        hooks: [sampleHook({ terminating: ago(9), status: {}, finalizers: [EVIDENCE_FINALIZER] })],
      },
      'finishHook hook-0 kept',
    ],
    [
      'then removes its finalizer',
      { status, terminating: true, volumes: deleted, hooks: [null] },
      'removeFinalizer',
    ],
    [
      'removes its finalizer at once if it was completed',
      { status: { ...status, completedAt: ago(9) }, terminating: true },
      'removeFinalizer',
    ],
  ])('%s', (_, sample, expected) => {
    expect(of(sample)).toBe(expected);
  });
});

describe('a snapshot that is over (SNAP-S10)', () => {
  const thawedHooks = { hooks: [sampleHook({ status: thawed(), finalizers: [] })] };
  const completed = { phase: 'Completed', cutObservedAt: ago(2), completedAt: ago(1) } as const;
  const ended = { ...failed, completedAt: ago(0), hooks: [kept] };

  it.each<[string, SampleFacts, string]>([
    ['loses its finalizer if it has completed', { status: completed }, 'removeFinalizer'],
    [
      'keeps it until the verdict is on its objects',
      { status: { ...completed, verdict }, volumes: [volumeFacts(sampleVolume('data'), {})] },
      'markVerdicts snapshot:FrozenAtCut content:FrozenAtCut',
    ],
    [
      'loses it if it has failed',
      { status: ended, volumes: deleted, ...thawedHooks },
      'removeFinalizer',
    ],
    [
      'keeps it until the failure is on its objects',
      { status: ended, ...thawedHooks },
      'mark NotCut',
    ],
    [
      'keeps it until its hooks are thawed',
      {
        status: { ...failed, hooks: [] },
        volumes: deleted,
        hooks: [sampleHook({ terminating: ago(3) })],
      },
      'wait',
    ],
    [
      'waits without a finalizer',
      { status: ended, finalizers: [], volumes: deleted, ...thawedHooks },
      'wait',
    ],
  ])('%s', (_, sample, expected) => {
    expect(of(sample)).toBe(expected);
  });

  it('loses its finalizer also if the verdict cannot be written on its objects', () => {
    const volumes = [volumeFacts(sampleVolume('data'), {})];
    const step = decide(sampleFacts({ status: { ...completed, verdict }, volumes }));
    expect(step).toMatchObject({ kind: 'markVerdicts', otherwise: { kind: 'removeFinalizer' } });
  });
});
