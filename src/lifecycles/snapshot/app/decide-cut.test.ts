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
import { stepText } from '../../../../test/fixtures/snapshot/step-text.ts';
import type { ResolvedActions } from '../kinds.ts';
import { CUT_RELEASE, CUT_SEEN } from '../names.ts';
import { decide } from './decide.ts';

const of = (sample: SampleFacts): string => stepText(decide(sampleFacts(sample)));

const hookThat = (name: string, more: Parameters<typeof sampleHook>[0] = {}) =>
  sampleHook({ name, ...more });
const expired = (name: string) =>
  hookThat(name, { status: frozen({ release: { cause: 'Expired', at: ago(1) } }) });
const cutAt = (seconds: number) =>
  volumeFacts(sampleVolume('data'), { creationTime: ago(seconds) });
const evidence = (name: string) => ({
  name,
  preActionSucceed: true,
  postActionSucceed: true,
  targets: [],
});

describe('the cut', () => {
  const status = { cutRequestedAt: ago(5) };
  const late = { cutRequestedAt: ago(61) };
  const one = [hookThat('hook-0')];

  it.each<[string, SampleFacts, string]>([
    ['SNAP-CASE22: is awaited until its own deadline', { status, hooks: one }, 'wait 55000 ms'],
    [
      'SNAP-CASE30: fails the snapshot at its deadline',
      { status: late, hooks: one },
      'fail CutDeadlineExceeded',
    ],
    [
      'SNAP-CASE30: is awaited after an error without a creationTime',
      {
        status,
        hooks: one,
        volumes: [volumeFacts(sampleVolume('data'), { error: { message: 'busy' } })],
      },
      'wait 55000 ms',
    ],
    [
      'SNAP-CASE28: is recorded once creationTime is set, before readyToUse',
      { status, hooks: one, volumes: [cutAt(1)] },
      'recordCut',
    ],
    [
      'SNAP-CASE28: is recorded once creationTime is set, also next to an error',
      {
        status,
        hooks: one,
        volumes: [
          volumeFacts(sampleVolume('data'), { creationTime: ago(1), error: { message: 'x' } }),
        ],
      },
      'recordCut',
    ],
    [
      'is recorded past the deadline while the freeze is held',
      { status: late, hooks: one, volumes: [cutAt(1)] },
      'recordCut',
    ],
    [
      'SNAP-CASE32: is recorded if the storage clock is ten minutes behind',
      { status, hooks: one, volumes: [cutAt(600)] },
      'recordCut',
    ],
    [
      'SNAP-CASE32: is recorded if the storage clock is ten minutes ahead',
      { status, hooks: one, volumes: [cutAt(-600)] },
      'recordCut',
    ],
    [
      'SNAP-CASE21: fails the snapshot if it comes after the thaw',
      { status, hooks: [expired('hook-0')], volumes: [cutAt(1)] },
      'fail ThawedBeforeCut',
    ],
    [
      'SNAP-R33: is awaited until all volumes are cut',
      { status, hooks: one, volumes: [cutAt(1), volumeFacts(sampleVolume('log'), {})] },
      'wait 55000 ms',
    ],
    [
      'SNAP-CASE31: is awaited while readyToUse is unset, if the class requires it',
      {
        status,
        hooks: one,
        volumes: [
          volumeFacts(sampleVolume('data', { cutSignal: 'readyToUse' }), { creationTime: ago(1) }),
        ],
      },
      'wait 55000 ms',
    ],
    [
      'SNAP-CASE31: is recorded once readyToUse is set, if the class requires it',
      {
        status,
        hooks: one,
        volumes: [
          volumeFacts(sampleVolume('data', { cutSignal: 'readyToUse' }), { readyToUse: true }),
        ],
      },
      'recordCut',
    ],
    [
      'fails the snapshot if the VolumeSnapshot is deleted',
      { status, volumes: [volumeFacts(sampleVolume('data'), null)] },
      'fail SnapshotDeleted',
    ],
    [
      'SNAP-I12, SNAP-S3: creates the VolumeSnapshots if their UIDs are not recorded',
      { status, volumes: [volumeFacts({ ...sampleVolume('data'), ...unknownUid }, null)] },
      'makeSnapshots',
    ],
    [
      'SNAP-CASE20: is recorded if an earlier process released a hook with cause Cut',
      { status, hooks: [hookThat('hook-0', { annotations: { [CUT_RELEASE]: cutMarkAgo(1) } })] },
      'recordCut',
    ],
  ])('%s', (_, sample, expected) => {
    expect(of(sample)).toBe(expected);
  });
});

const unknownUid = { volumeSnapshotUID: undefined } as unknown as { volumeSnapshotUID: string };

describe('after the cut', () => {
  const status = { cutRequestedAt: ago(5), cutObservedAt: ago(1), phase: 'Thawing' as const };
  const released = (name: string, seconds: number) =>
    hookThat(name, { annotations: { [CUT_RELEASE]: cutMarkAgo(seconds) } });
  const done = (name: string) => hookThat(name, { status: thawed() });
  const ready = volumeFacts(
    sampleVolume('data', { cut: true, creationTime: ago(1), readyToUse: true }),
    {
      creationTime: ago(1),
      readyToUse: true,
    },
  );

  it.each<[string, SampleFacts, string]>([
    [
      'SNAP-CASE33: waits up to 2 s for the last hook before it thaws the one before',
      { status, hooks: [hookThat('hook-0'), released('hook-1', 0.5)] },
      'wait 1500 ms',
    ],
    [
      'SNAP-I15: thaws the hook before after 2 s, although the last one hangs',
      { status, hooks: [hookThat('hook-0'), released('hook-1', 2)] },
      'releaseHook hook-0',
    ],
    [
      'SNAP-CASE33: thaws the hook before at once when the last is thawed',
      { status, hooks: [hookThat('hook-0'), done('hook-1')] },
      'releaseHook hook-0',
    ],
    [
      'stores the evidence of a thawed hook',
      { status, hooks: [done('hook-0')] },
      'keepEvidence hook-0',
    ],
    [
      'stores that the evidence of a deleted hook is missing',
      { status, hooks: [null] },
      'keepEvidence hook-0',
    ],
    [
      'SNAP-R33: deletes a hook once its evidence is stored, before readyToUse',
      { status: { ...status, hooks: [evidence('hook-0')] }, hooks: [done('hook-0')] },
      'finishHook hook-0 deleted',
    ],
    [
      'SNAP-R20: keeps a hook whose postAction has failed',
      {
        status: { ...status, hooks: [evidence('hook-0')] },
        hooks: [hookThat('hook-0', { status: thawed({ postActionSucceed: false }) })],
      },
      'finishHook hook-0 kept',
    ],
    [
      'SNAP-R20: keeps a hook whose preAction has failed',
      {
        status: { ...status, hooks: [evidence('hook-0')] },
        hooks: [hookThat('hook-0', { status: thawed({ preActionSucceed: false }) })],
      },
      'finishHook hook-0 kept',
    ],
    [
      'waits with the verdict until the volumes are ready',
      {
        status,
        volumes: [
          volumeFacts(sampleVolume('data', { cut: true, creationTime: ago(1) }), {
            creationTime: ago(1),
          }),
        ],
      },
      'wait',
    ],
    ['gives the verdict when the volumes are ready', { status, volumes: [ready] }, 'judge'],
    [
      'waits with the verdict for the evidence of all hooks',
      { status, hooks: [released('hook-0', 5)], volumes: [ready] },
      'wait',
    ],
    [
      'fails if the VolumeSnapshot is deleted before the verdict',
      { status, volumes: [volumeFacts(sampleVolume('data'), null)] },
      'fail SnapshotDeleted',
    ],
    [
      'fails if a client has deleted the VolumeSnapshot and created another one of its name',
      { status, volumes: [{ ...ready, plan: { ...ready.plan, volumeSnapshotUID: 'first' } }] },
      'fail SnapshotDeleted',
    ],
    [
      'does nothing in a terminal state',
      { status: { ...status, phase: 'Completed' }, finalizers: [], volumes: [ready] },
      'wait',
    ],
  ])('%s', (_, sample, expected) => {
    expect(of(sample)).toBe(expected);
  });
});

describe('several hooks, when the volumes are cut', () => {
  const status = { cutRequestedAt: ago(5) };
  const resolved: ResolvedActions = {
    policy: 'ExecuteAll',
    preAction: { exec: { command: ['freeze'] }, actionTimeoutSeconds: 30 },
    probe: { command: ['probe'], timeoutSeconds: 5 },
    origin: 'template db',
  };
  const probed = (name: string, seenAgo?: number) =>
    hookThat(name, {
      status: frozen({ resolved }),
      ...(seenAgo === undefined ? {} : { annotations: { [CUT_SEEN]: cutMarkAgo(seenAgo) } }),
    });
  const answer = { when: 'AfterCut', at: ago(0.1), outcome: 'Frozen' } as const;
  const answered = hookThat('b', {
    annotations: { [CUT_SEEN]: cutMarkAgo(1) },
    status: frozen({
      resolved,
      containerExecutionHookStatuses: [sampleTarget({ probes: [answer] })],
    }),
  });
  const volumes = [cutAt(1)];

  it.each<[string, ReturnType<typeof sampleHook>[], string]>([
    ['ask their probes before the first is released', [probed('a'), probed('b')], 'askHooks a b'],
    ['are asked where only one has a probe', [probed('a'), hookThat('b')], 'askHooks a'],
    ['are asked once each', [probed('a', 1), probed('b')], 'askHooks b'],
    ['are waited for until they have answered', [probed('a', 1), answered], 'wait 5000 ms'],
    ['are released when all have answered', [answered, answered], 'recordCut'],
    ['are released when one does not answer in time', [probed('a', 6), answered], 'recordCut'],
    ['are not waited for by a clock that was set back', [probed('a', -9), answered], 'recordCut'],
    ['are released at once where none has a probe', [hookThat('a'), hookThat('b')], 'recordCut'],
  ])('%s', (_, hooks, step) => {
    expect(of({ status, hooks, volumes })).toBe(step);
  });

  // All hooks froze ten seconds ago.
  const expiring = (expirationSeconds: number, probes: (typeof answer)[] = []) =>
    hookThat('a', {
      annotations: { [CUT_SEEN]: cutMarkAgo(1) },
      status: frozen({
        resolved: { ...resolved, expirationSeconds },
        containerExecutionHookStatuses: [sampleTarget({ probes })],
      }),
    });

  it.each<[string, ReturnType<typeof sampleHook>[], string]>([
    ['one second before the first of them expires', [expiring(13), answered], 'wait 2000 ms'],
    ['in the last second at once', [expiring(10.9), probed('b', 1)], 'recordCut'],
    [
      'also before one expires that has answered',
      [expiring(13, [answer]), probed('b', 1)],
      'wait 2000 ms',
    ],
  ])('are released %s', (_, hooks, step) => {
    expect(of({ status, hooks, volumes })).toBe(step);
  });

  it('a single hook is released at once, since it asks by itself', () => {
    expect(of({ status, hooks: [probed('a')], volumes })).toBe('recordCut');
  });
});
