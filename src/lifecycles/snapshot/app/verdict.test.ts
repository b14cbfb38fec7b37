import { describe, expect, it } from 'vitest';

import { ago, sampleSnapshot, sampleVolume } from '../../../../test/fixtures/snapshot/app-facts.ts';
import type { HookEvidence, ApplicationSnapshotStatus, SnapshotVolume } from '../kinds.ts';
import { VERDICT_EVIDENCE } from '../names.ts';
import { judge } from './verdict.ts';
import { EVIDENCE_CHARACTERS_MAX, verdictMarks } from './verdict-marks.ts';

const target = {
  podName: 'db-0',
  containerName: 'db',
  podUID: 'pod-1',
  containerID: 'c-1',
  restartCount: 0,
  identity: 'Same',
} as const;
const good: HookEvidence = {
  name: 'hook-0',
  preActionSucceed: true,
  postActionSucceed: true,
  releaseCause: 'Cut',
  firstPreAt: ago(3),
  lastThawAt: ago(1),
  targets: [target],
};
const bad = (value: 'Inconsistent' | 'Unknown', reason: string): HookEvidence => ({
  ...good,
  finding: { value, reason, message: 'it was so' },
});
const data = sampleVolume('data', { cut: true });
const log = sampleVolume('log', { cut: true });
const idle = (volume: SnapshotVolume): SnapshotVolume => ({ ...volume, inUse: false });

interface Case {
  readonly volumes?: SnapshotVolume[];
  readonly hooks?: HookEvidence[];
  /** Names of the hooks in the plan; absent: those of `hooks`. */
  readonly names?: string[];
  readonly mode?: 'Single' | 'Group';
}

function verdictOf({ volumes = [data], hooks = [], mode = 'Single', ...more }: Case) {
  const status: ApplicationSnapshotStatus = {
    volumes,
    hooks,
    executionHookNames: more.names ?? hooks.map(({ name }) => name),
    cutRequestedAt: ago(2),
    cutObservedAt: ago(1.5),
  };
  return judge({ status, mode, decidedAt: ago(0) });
}

describe('the verdict', () => {
  it.each<[string, Case, string]>([
    [
      'SNAP-I2: ApplicationConsistent if frozen at the cut',
      { hooks: [good] },
      'ApplicationConsistent FrozenAtCut',
    ],
    [
      'ApplicationConsistent for several volumes frozen at all cuts',
      { volumes: [data, log], hooks: [good] },
      'ApplicationConsistent FrozenAtCut',
    ],
    [
      'SNAP-G13: Inconsistent if thawed before the cut',
      { hooks: [bad('Inconsistent', 'ThawedBeforeCut')] },
      'Inconsistent ThawedBeforeCut',
    ],
    [
      'SNAP-CASE36: Unknown if a container was replaced',
      { hooks: [bad('Unknown', 'TargetChanged')] },
      'Unknown TargetChanged',
    ],
    [
      'the worse of two findings',
      { hooks: [bad('Unknown', 'ProbeUnknown'), bad('Inconsistent', 'NotFrozen')] },
      'Inconsistent NotFrozen',
    ],
    [
      'Unknown if evidence is missing',
      { hooks: [good], names: ['hook-0', 'hook-1'] },
      'Unknown EvidenceMissing',
    ],
    [
      'SNAP-CASE39: Inconsistent if the group lacks a volume',
      { mode: 'Group', volumes: [data, sampleVolume('log', { cut: false })], hooks: [good] },
      'Inconsistent VolumeMissing',
    ],
    [
      'SNAP-I22: Inconsistent for a copy that is not atomic, although it was frozen',
      { volumes: [{ ...data, atomic: false }], hooks: [good] },
      'Inconsistent NotAtomic',
    ],
    ['SNAP-R27: CrashConsistent for one volume without a freeze', {}, 'CrashConsistent AtomicCut'],
    [
      'SNAP-R35: CrashConsistent for a group without a freeze',
      { mode: 'Group', volumes: [data, log] },
      'CrashConsistent GroupCut',
    ],
    [
      'Inconsistent for two volumes cut separately without a freeze',
      { volumes: [data, log] },
      'Inconsistent CutAtDifferentMoments',
    ],
    [
      'SNAP-CASE23: CrashConsistent for volumes not in use',
      { volumes: [idle(data), idle(log)] },
      'CrashConsistent NotInUse',
    ],
    [
      'Inconsistent for volumes that came into use meanwhile',
      { volumes: [idle(data), log] },
      'Inconsistent CutAtDifferentMoments',
    ],
    [
      'CrashConsistent for a hook without targets',
      { hooks: [{ ...good, targets: [] }] },
      'CrashConsistent AtomicCut',
    ],
  ])('%s', (_, facts, expected) => {
    const { value, reason } = verdictOf(facts);
    expect(`${value} ${reason}`).toBe(expected);
  });

  it('names a failed postAction, and no freeze window while a target is frozen', () => {
    const { lastThawAt: _, ...frozen } = good;
    const { message, value, freezeWindowMs } = verdictOf({
      hooks: [{ ...frozen, postActionSucceed: false }],
    });
    expect(value).toBe('ApplicationConsistent');
    expect(message).toContain('postAction of hook-0 has failed');
    expect(freezeWindowMs).toBeUndefined();
  });

  it('measures the freeze window from the first preAction to the last thaw of all hooks', () => {
    const second = { ...good, firstPreAt: ago(2.5), lastThawAt: ago(0.25) };
    expect(verdictOf({ hooks: [good, second] }).freezeWindowMs).toBe(2_750);
  });
});

describe('the marks of a verdict', () => {
  const evidenceFor = (targets: number): string => {
    const hooks = [{ ...good, targets: Array.from({ length: targets }, () => target) }];
    const snapshot = sampleSnapshot({ hooks, executionHookNames: ['hook-0'] });
    const { annotations } = verdictMarks(snapshot, verdictOf({ hooks: [good] }));
    return annotations[VERDICT_EVIDENCE] ?? '';
  };

  it('list the frozen targets of each hook', () => {
    const reported: unknown = JSON.parse(evidenceFor(1));
    expect(reported).toMatchObject({
      applicationSnapshot: 'shop/nightly',
      value: 'ApplicationConsistent',
      hooks: [{ name: 'hook-0', targets: [{ pod: 'db-0', identity: 'Same' }] }],
    });
  });

  it('stay within their limit, and count the targets left out', () => {
    const text = evidenceFor(400);
    expect(text.length).toBeLessThanOrEqual(EVIDENCE_CHARACTERS_MAX);
    const { hooks } = JSON.parse(text) as {
      hooks: { targets: object[]; targetsLeftOut: number }[];
    };
    const [hook] = hooks;
    expect((hook?.targets.length ?? 0) + (hook?.targetsLeftOut ?? 0)).toBe(400);
    expect(hook?.targets.length).toBeGreaterThan(20);
  });
});
