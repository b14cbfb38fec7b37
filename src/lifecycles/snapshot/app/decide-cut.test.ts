import { describe, expect, it } from 'vitest';

import {
  ago,
  frozen,
  sampleFacts,
  type SampleFacts,
  sampleHook,
  sampleVolume,
  thawed,
  volumeFacts,
} from '../../../../test/fixtures/snapshot/app-facts.ts';
import { stepText } from '../../../../test/fixtures/snapshot/step-text.ts';
import { RELEASE } from '../names.ts';
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
    ['case 22: is waited for until its own deadline', { status, hooks: one }, 'wait 55000 ms'],
    [
      'case 30: that does not come is given up',
      { status: late, hooks: one },
      'fail CutDeadlineExceeded',
    ],
    [
      'case 30: an error without a creationTime is no end before the deadline',
      {
        status,
        hooks: one,
        volumes: [volumeFacts(sampleVolume('data'), { error: { message: 'busy' } })],
      },
      'wait 55000 ms',
    ],
    [
      'case 28: is there with its creationTime, ready or not',
      { status, hooks: one, volumes: [cutAt(1)] },
      'recordCut',
    ],
    [
      'case 28: is there with its creationTime, whatever the error beside it says',
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
      'is believed also past the deadline, while the freeze is held',
      { status: late, hooks: one, volumes: [cutAt(1)] },
      'recordCut',
    ],
    [
      'case 32: ten minutes ago by the clock of the storage is a cut like any other',
      { status, hooks: one, volumes: [cutAt(600)] },
      'recordCut',
    ],
    [
      'case 32: in ten minutes by the clock of the storage is one too',
      { status, hooks: one, volumes: [cutAt(-600)] },
      'recordCut',
    ],
    [
      'case 21: that comes after the thaw changes nothing',
      { status, hooks: [expired('hook-0')], volumes: [cutAt(1)] },
      'fail ThawedBeforeCut',
    ],
    [
      'section 5: of one volume waits for the other',
      { status, hooks: one, volumes: [cutAt(1), volumeFacts(sampleVolume('log'), {})] },
      'wait 55000 ms',
    ],
    [
      'case 31: of a class that believes readyToUse alone is not there before',
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
      'case 31: and is there with it',
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
      'of a snapshot that somebody deletes cannot come',
      { status, volumes: [volumeFacts(sampleVolume('data'), null)] },
      'fail SnapshotDeleted',
    ],
    [
      'I12: the snapshots are made where that is not known',
      { status, volumes: [volumeFacts({ ...sampleVolume('data'), ...unknownUid }, null)] },
      'makeSnapshots',
    ],
    [
      'case 20: was seen by the process before this one',
      { status, hooks: [hookThat('hook-0', { annotations: { [RELEASE]: `Cut@${ago(1)}` } })] },
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
    hookThat(name, { annotations: { [RELEASE]: `Cut@${ago(seconds)}` } });
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
      'case 33: the thaw before waits for the last, 2 s at most',
      { status, hooks: [hookThat('hook-0'), released('hook-1', 0.5)] },
      'wait 1500 ms',
    ],
    [
      'I15: a thaw that hangs holds nobody longer',
      { status, hooks: [hookThat('hook-0'), released('hook-1', 2)] },
      'releaseHook hook-0',
    ],
    [
      'case 33: it follows at once when the last is thawed',
      { status, hooks: [hookThat('hook-0'), done('hook-1')] },
      'releaseHook hook-0',
    ],
    [
      'what a thawed hook tells is kept',
      { status, hooks: [done('hook-0')] },
      'keepEvidence hook-0',
    ],
    [
      'what a hook had to tell that was taken away is missed',
      { status, hooks: [null] },
      'keepEvidence hook-0',
    ],
    [
      'R33: then it goes, ready or not',
      { status: { ...status, hooks: [evidence('hook-0')] }, hooks: [done('hook-0')] },
      'letHookGo hook-0 deleted',
    ],
    [
      'R20: one whose postAction has failed stays',
      {
        status: { ...status, hooks: [evidence('hook-0')] },
        hooks: [hookThat('hook-0', { status: thawed({ postActionSucceed: false }) })],
      },
      'letHookGo hook-0 kept',
    ],
    [
      'the verdict waits for the volumes',
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
    ['and is given when they are ready', { status, volumes: [ready] }, 'judge'],
    [
      'not before all hooks have told',
      { status, hooks: [released('hook-0', 5)], volumes: [ready] },
      'wait',
    ],
    [
      'a snapshot that somebody deletes meanwhile is missed',
      { status, volumes: [volumeFacts(sampleVolume('data'), null)] },
      'fail SnapshotDeleted',
    ],
    [
      'nothing comes after the end',
      { status: { ...status, phase: 'Completed' }, volumes: [ready] },
      'wait',
    ],
  ])('%s', (_, sample, expected) => {
    expect(of(sample)).toBe(expected);
  });
});
