/** The verdict as a user reads it, in full. */
import { describe, expect, it } from 'vitest';

import { ago, sampleVolume } from '../../../../test/fixtures/snapshot/app-facts.ts';
import type { HookEvidence, ApplicationSnapshotStatus, SnapshotVolume } from '../kinds.ts';
import { freezeWindowOf, judge } from './verdict.ts';

const target = {
  podName: 'db-0',
  containerName: 'db',
  podUID: 'pod-1',
  containerID: 'c-1',
  restartCount: 0,
  identity: 'Same',
} as const;
const hook = (name: string, more: Partial<HookEvidence> = {}): HookEvidence => ({
  name,
  preActionSucceed: true,
  postActionSucceed: true,
  releaseCause: 'Cut',
  firstPreAt: ago(3),
  lastThawAt: ago(1),
  targets: [target],
  ...more,
});
const data = sampleVolume('data', { cut: true });
const log = sampleVolume('log', { cut: true });

interface Case {
  readonly volumes?: SnapshotVolume[];
  readonly hooks?: HookEvidence[];
  readonly mode?: 'Single' | 'Group';
  readonly isObserved?: boolean;
}

function verdictOf({ volumes = [data], hooks = [], mode = 'Single', ...more }: Case) {
  const executionHookNames = hooks.map(({ name }) => name);
  const cut = more.isObserved === false ? {} : { cutObservedAt: ago(1.5) };
  const status: ApplicationSnapshotStatus = { volumes, hooks, executionHookNames, ...cut };
  return judge({ status, mode, decidedAt: ago(0) });
}

describe('the verdict reports', () => {
  it.each<[string, Case, string]>([
    [
      'SNAP-CASE39: which volumes the cut lacks',
      {
        volumes: [data, sampleVolume('log', { cut: false }), sampleVolume('wal', { cut: false })],
      },
      'Inconsistent VolumeMissing: the snapshot lacks the volumes of log, wal',
    ],
    [
      'which copies are not atomic',
      {
        volumes: [
          { ...data, atomic: false },
          { ...log, atomic: false, atomicReason: 'the directory was copied' },
        ],
      },
      'Inconsistent NotAtomic: the snapshots of data, log may mix data of different moments: the directory was copied',
    ],
    [
      'a copy without a reason',
      { volumes: [data, { ...log, atomic: false }] },
      'Inconsistent NotAtomic: the snapshots of log may mix data of different moments',
    ],
    [
      'SNAP-I2: that the evidence is missing where the cut was not observed',
      { hooks: [hook('hook-0')], isObserved: false },
      'Unknown EvidenceMissing: the evidence of some hooks is missing',
    ],
    [
      'which hook has a finding',
      {
        hooks: [
          hook('hook-0', {
            finding: { value: 'Unknown', reason: 'TargetGone', message: 'db-0/db was gone' },
          }),
        ],
      },
      'Unknown TargetGone: hook hook-0: db-0/db was gone',
    ],
    [
      'how many containers were frozen',
      { hooks: [hook('hook-0', { targets: [target, target] }), hook('hook-1')] },
      'ApplicationConsistent FrozenAtCut: 3 containers frozen before the cut and thawed after it was seen',
    ],
    [
      'which of two hooks found nothing to freeze',
      { hooks: [hook('hook-0'), hook('hook-1', { targets: [] })] },
      'CrashConsistent AtomicCut: the volume was cut at one moment, and nothing was frozen by hook-1',
    ],
    [
      'which of three hooks found nothing to freeze',
      {
        hooks: [hook('hook-0', { targets: [] }), hook('hook-1'), hook('hook-2', { targets: [] })],
      },
      'CrashConsistent AtomicCut: the volume was cut at one moment, and nothing was frozen by hook-0, hook-2',
    ],
    [
      'that nobody used the volumes',
      { volumes: [{ ...data, inUse: false }] },
      'CrashConsistent NotInUse: no pod used the volumes: they are as the last pod left them',
    ],
    [
      'that a group was cut at one moment, though only one volume was in use',
      { mode: 'Group', volumes: [{ ...data, inUse: false }, log] },
      'CrashConsistent GroupCut: all volumes were cut at one moment, and nothing was frozen',
    ],
    [
      'how many volumes were cut one after the other',
      { volumes: [data, log] },
      'Inconsistent CutAtDifferentMoments: 2 volumes were cut one after the other while they were in use, and nothing was frozen',
    ],
    [
      'SNAP-R20: which postActions have failed',
      {
        hooks: [
          hook('hook-0', { postActionSucceed: false }),
          hook('hook-1'),
          hook('hook-2', { postActionSucceed: false }),
        ],
      },
      'ApplicationConsistent FrozenAtCut: 3 containers frozen before the cut and thawed after it was seen; the postAction of hook-0, hook-2 has failed: see these hooks',
    ],
  ])('%s', (_, facts, expected) => {
    const { value, reason, message } = verdictOf(facts);
    expect(`${value} ${reason}: ${message}`).toBe(expected);
  });

  it('when it was decided, and no freeze window where nothing was frozen', () => {
    expect(verdictOf({})).toEqual({
      value: 'CrashConsistent',
      reason: 'AtomicCut',
      message: 'the volume was cut at one moment, and nothing was frozen',
      decidedAt: ago(0),
    });
  });
});

describe('the freeze window', () => {
  it('is not known while one hook is not thawed, nor where nothing was frozen', () => {
    const { lastThawAt: _last, ...frozen } = hook('hook-0');
    expect(freezeWindowOf([frozen, hook('hook-1')])).toBeNull();
    const { firstPreAt: _first, ...idle } = hook('hook-0');
    expect(freezeWindowOf([idle])).toBeNull();
  });

  it('is never negative, whatever the clocks say', () => {
    expect(freezeWindowOf([hook('hook-0', { lastThawAt: ago(4) })])).toBe(0);
  });
});
