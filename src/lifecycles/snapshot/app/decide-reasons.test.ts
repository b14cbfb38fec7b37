/** The reasons that a user reads: why a snapshot waits, and why it has failed. */
import { describe, expect, it } from 'vitest';

import {
  ago,
  cutMarkAgo,
  frozen,
  sampleFacts,
  sampleHook,
  sampleTarget,
  sampleVolume,
  thawed,
  type SampleFacts,
  volumeFacts,
} from '../../../../test/fixtures/snapshot/app-facts.ts';
import { CUT_RELEASE, CUT_SEEN, RELEASE } from '../names.ts';
import { decide } from './decide.ts';

const after = { cutRequestedAt: ago(5), cutObservedAt: ago(1), phase: 'Thawing' } as const;
const failed = {
  phase: 'Failed',
  failure: { reason: 'CutDeadlineExceeded', message: '', at: ago(0.5) },
} as const;
const asked = { cutRequestedAt: ago(5) };
const deleted = [volumeFacts(sampleVolume('data'), null)];
const kept = { name: 'hook-0', targets: [] };
const uncut = (message: string) => volumeFacts(sampleVolume('data'), { error: { message } });
const cutOf = (name: string, readyToUse: boolean) =>
  volumeFacts(sampleVolume(name, { cut: true, creationTime: ago(1), readyToUse }), {
    creationTime: ago(1),
    readyToUse,
  });
const probing = (seconds: number) =>
  sampleHook({
    annotations: { [CUT_SEEN]: cutMarkAgo(seconds) },
    status: frozen({
      resolved: {
        policy: 'ExecuteAll',
        preAction: { exec: { command: ['freeze'] }, actionTimeoutSeconds: 30 },
        probe: { command: ['probe'], timeoutSeconds: 5 },
        origin: 'template db',
      },
    }),
  });

describe('a snapshot that waits reports', () => {
  const freezing = sampleHook({ status: frozen({ containerExecutionHookStatuses: [] }) });
  delete freezing.status?.preActionSucceed;

  it.each<[string, SampleFacts, object]>([
    [
      'SNAP-R29: which hook freezes, and waits for it as long as one attempt and two minutes',
      { hooks: [freezing] },
      { kind: 'waitFor', ms: 130_000, reason: 'hook hook-0 freezes' },
    ],
    [
      'SNAP-R33: which VolumeSnapshot is not cut, with the error of the snapshotter',
      { status: asked, volumes: [uncut('the array is busy')] },
      {
        kind: 'waitFor',
        ms: 55_000,
        reason:
          'VolumeSnapshot nightly-data has no creationTime in its content yet (the snapshotter says: the array is busy)',
      },
    ],
    [
      'how many hooks run their probes',
      {
        status: asked,
        hooks: [probing(1), sampleHook({ name: 'hook-1' })],
        volumes: [cutOf('data', false)],
      },
      { kind: 'waitFor', ms: 5_000, reason: '1 hook must answer before the thaw' },
    ],
    [
      'SNAP-CASE33: which hook thaws, and waits two seconds for it',
      {
        status: after,
        hooks: [
          sampleHook(),
          sampleHook({ name: 'hook-1', annotations: { [CUT_RELEASE]: cutMarkAgo(0.5) } }),
        ],
      },
      { kind: 'waitFor', ms: 1_500, reason: 'hook hook-1 thaws' },
    ],
    [
      'that the hooks thaw',
      {
        status: after,
        hooks: [sampleHook({ annotations: { [CUT_RELEASE]: cutMarkAgo(5) } })],
        volumes: [cutOf('data', false)],
      },
      { kind: 'wait', reason: 'the hooks thaw' },
    ],
    [
      'how many VolumeSnapshots are not ready',
      { status: after, volumes: [cutOf('data', true), cutOf('log', false)] },
      { kind: 'wait', reason: '1 of 2 snapshots are not ready' },
    ],
    [
      'that it is completed',
      { status: { ...after, phase: 'Completed' }, finalizers: [] },
      { kind: 'wait', reason: 'it is completed' },
    ],
    [
      'how many hooks of a failed snapshot thaw',
      { status: failed, volumes: deleted, hooks: [sampleHook({ terminating: ago(3) })] },
      { kind: 'wait', reason: '1 hook must still thaw' },
    ],
    [
      'that it has failed',
      {
        status: { ...failed, completedAt: ago(0), hooks: [kept] },
        finalizers: [],
        volumes: deleted,
        hooks: [sampleHook({ status: thawed() })],
      },
      { kind: 'wait', reason: 'it has failed' },
    ],
    [
      'which hook of a deleted snapshot thaws',
      {
        status: asked,
        terminating: true,
        volumes: deleted,
        hooks: [sampleHook({ terminating: ago(9) })],
      },
      { kind: 'wait', reason: 'hook hook-0 thaws' },
    ],
    [
      'that it waits two seconds for a hook of a deleted snapshot',
      { status: asked, terminating: true, hooks: [sampleHook({ terminating: ago(1.5) })] },
      { kind: 'waitFor', ms: 500, reason: 'hook hook-0 thaws' },
    ],
  ])('%s', (_, sample, step) => {
    expect(decide(sampleFacts(sample))).toEqual(step);
  });
});

describe('a snapshot that fails reports', () => {
  const lost = frozen({
    containerExecutionHookStatuses: [
      sampleTarget({ freezeLost: { at: ago(1), reason: 'the pod db-0 is deleted' } }),
    ],
  });

  it.each<[string, SampleFacts, string, string]>([
    [
      'SNAP-CASE30: its deadline at the moment it is over, and what was not cut',
      { status: { cutRequestedAt: ago(60) }, volumes: [volumeFacts(sampleVolume('data'), {})] },
      'CutDeadlineExceeded',
      'the volumes were not cut within 60 s: VolumeSnapshot nightly-data has no creationTime in its content yet',
    ],
    [
      'which VolumeSnapshot was deleted before it was cut',
      { status: asked, volumes: deleted },
      'SnapshotDeleted',
      'VolumeSnapshot nightly-data was deleted before it was cut',
    ],
    [
      'which VolumeSnapshot was deleted after it was cut',
      { status: after, volumes: deleted },
      'SnapshotDeleted',
      'VolumeSnapshot nightly-data was deleted',
    ],
    [
      'which claim was deleted',
      { lostClaims: ['data', 'log'] },
      'ClaimGone',
      'claim data was deleted or replaced before its volume was cut',
    ],
    [
      'which hook was deleted before the cut',
      { hooks: [null, sampleHook({ name: 'hook-1' })] },
      'HookGone',
      'hook hook-0 was deleted',
    ],
    [
      'SNAP-I12: which hook was deleted after the cut was requested',
      { status: asked, hooks: [sampleHook(), null] },
      'HookGone',
      'hook hook-1 was deleted',
    ],
    [
      'SNAP-I12: which hook was replaced after the cut was requested',
      { status: asked, hooks: [sampleHook({ status: {} })] },
      'HookGone',
      'hook hook-0 no longer reports that it has frozen: it was replaced, or its status was removed',
    ],
    [
      'who released a hook',
      { hooks: [sampleHook({ annotations: { [RELEASE]: 'Human' } })] },
      'ThawedBeforeCut',
      'hook hook-0 was released: Human',
    ],
    [
      'SNAP-CASE36: which container lost its freeze, and why',
      { hooks: [sampleHook({ status: lost })] },
      'ThawedBeforeCut',
      'container db-0/db of hook hook-0 did not stay frozen: the pod db-0 is deleted',
    ],
    [
      'which container was thawed',
      {
        hooks: [
          sampleHook({
            status: frozen({
              containerExecutionHookStatuses: [
                sampleTarget({ podName: 'db-1' }),
                sampleTarget({ thawedBy: 'deadman' }),
              ],
            }),
          }),
        ],
      },
      'ThawedBeforeCut',
      'container db-0/db of hook hook-0 was thawed (thawedBy: deadman)',
    ],
  ])('%s', (...[, sample, reason, message]) => {
    expect(decide(sampleFacts(sample))).toEqual({ kind: 'fail', reason, message });
  });
});
