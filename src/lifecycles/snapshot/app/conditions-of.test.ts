/** The conditions of a snapshot, as a user reads them. */
import { describe, expect, it } from 'vitest';

import {
  ago,
  NOW_MS,
  sampleSnapshot,
  sampleVolume,
} from '../../../../test/fixtures/snapshot/app-facts.ts';
import { sampleEntry } from '../../../../test/fixtures/snapshot/guard-samples.ts';
import type { ApplicationSnapshotStatus } from '../kinds.ts';
import { withConditions } from './conditions-of.ts';

function conditionOf(type: string, status: ApplicationSnapshotStatus): string {
  const { conditions = [] } = withConditions(sampleSnapshot(), status, NOW_MS);
  const found = conditions.find((condition) => condition.type === type);
  return found === undefined ? 'absent' : `${found.status} ${found.reason}: ${found.message}`;
}

const volumes = [sampleVolume('data'), sampleVolume('log', { inUse: false })];
const executionHookNames = ['hook-0', 'hook-1'];
const planned = { volumes, executionHookNames };
const requested = { ...planned, cutRequestedAt: ago(2) };
const observed = { ...requested, cutObservedAt: ago(1) };
const failure = { reason: 'HookGone', message: 'hook hook-0 was deleted', at: ago(1) };
const kept = (postActionSucceed: boolean) =>
  executionHookNames.map((name) => ({ name, postActionSucceed, targets: [] }));

describe('the condition', () => {
  it.each<[string, string, ApplicationSnapshotStatus, string]>([
    ['Frozen', 'is absent before the plan', {}, 'absent'],
    [
      'Cut',
      'SNAP-W2: of a window that admits',
      { ...requested, admitted: [sampleEntry('a'), sampleEntry('b')] },
      'False Admitting: 2 snapshots of other clients are admitted.',
    ],
    [
      'Cut',
      'SNAP-W3: of a window that is closed',
      {
        ...observed,
        admitted: [
          sampleEntry('a', { outcome: 'Cut' }),
          sampleEntry('b', { outcome: 'NotCreated' }),
          sampleEntry('c', { outcome: 'NotCreated' }),
        ],
      },
      `True Observed: The cut of 1 of 3 snapshots was seen at ${ago(1)}.`,
    ],
    ['Frozen', 'while hooks freeze', planned, 'False Freezing: 2 hooks must freeze.'],
    [
      'Frozen',
      'SNAP-R29: when all hooks have frozen',
      requested,
      'True AllFrozen: 2 hooks have frozen their containers.',
    ],
    [
      'Frozen',
      'SNAP-R33: when the cut was observed',
      observed,
      'False Released: The volumes are cut: the thaw was requested.',
    ],
    [
      'Frozen',
      'SNAP-G10: when it has failed',
      { ...requested, failure },
      'False Released: The snapshot has failed: the thaw was requested.',
    ],
    [
      'Frozen',
      'SNAP-R27: without hooks',
      { volumes },
      'False NotNeeded: The snapshot has no hooks.',
    ],
    [
      'Frozen',
      'SNAP-R28: for volumes that are not in use',
      { volumes: [sampleVolume('log', { inUse: false })] },
      'False NotNeeded: No pod uses the volumes.',
    ],
    ['Cut', 'is absent before the request', planned, 'absent'],
    [
      'Cut',
      'after the request',
      requested,
      `False Requested: The snapshots of 2 volumes were requested at ${ago(2)}.`,
    ],
    [
      'Cut',
      'when observed',
      observed,
      `True Observed: The cut of 2 volumes was seen at ${ago(1)}.`,
    ],
    ['Thawed', 'is absent while the freeze is held', requested, 'absent'],
    ['Thawed', 'is absent without hooks', { volumes, cutObservedAt: ago(1) }, 'absent'],
    ['Thawed', 'while hooks thaw', observed, 'False Thawing: The hooks thaw.'],
    [
      'Thawed',
      'while one of two hooks thaws after a failure',
      { ...planned, failure, hooks: kept(true).slice(1) },
      'False Thawing: The hooks thaw.',
    ],
    [
      'Thawed',
      'when all hooks are thawed',
      { ...observed, hooks: kept(true) },
      'True AllThawed: Nothing is frozen any more.',
    ],
    [
      'Thawed',
      'SNAP-R20: when postActions have failed',
      { ...observed, hooks: kept(false) },
      'False PostActionFailed: The postAction of hook-0, hook-1 has failed: something may still be frozen; see these hooks.',
    ],
    [
      'Ready',
      'before the cut (CTRL-K4)',
      { ...requested, phase: 'Cutting' },
      'False Cutting: The snapshot is in phase Cutting.',
    ],
    ['Ready', 'before the plan (CTRL-K4)', {}, 'False Pending: The snapshot is in phase Pending.'],
    [
      'Reconciling',
      'before the cut (CTRL-K4)',
      { ...requested, phase: 'Cutting' },
      'True Cutting: The snapshot is in phase Cutting.',
    ],
    [
      'Reconciling',
      'while VolumeSnapshots are not ready (CTRL-K4)',
      observed,
      'True NotReadyYet: 0 of 2 snapshots are ready to use.',
    ],
    [
      'Reconciling',
      'until it has thawed after a failure (CTRL-K4)',
      { ...planned, phase: 'Thawing', failure },
      'True HookGone: hook hook-0 was deleted',
    ],
    [
      'Stalled',
      'when it has failed (CTRL-K4)',
      { ...planned, phase: 'Failed', failure },
      'True HookGone: hook hook-0 was deleted',
    ],
    [
      'Stalled',
      'is False when it is completed (CTRL-K4)',
      { ...observed, phase: 'Completed' },
      'False ReadyToUse: Volumes can be created from the snapshots.',
    ],
    [
      'Ready',
      'while VolumeSnapshots are not ready',
      {
        ...observed,
        volumes: [sampleVolume('data', { readyToUse: true }), ...volumes],
      },
      'False NotReadyYet: 1 of 3 snapshots are ready to use.',
    ],
    [
      'Ready',
      'when it is completed',
      { ...observed, phase: 'Completed' },
      'True ReadyToUse: Volumes can be created from the snapshots.',
    ],
    ['Failed', 'is absent without a failure', observed, 'absent'],
    [
      'Failed',
      'after a failure',
      { ...planned, failure },
      'True HookGone: hook hook-0 was deleted',
    ],
  ])('%s %s', (...[type, , status, expected]) => {
    expect(conditionOf(type, status)).toBe(expected);
  });

  it('carries the generation that was observed, and keeps its time while it does not change', () => {
    const first = withConditions(sampleSnapshot(), planned, NOW_MS - 5_000);
    const { conditions = [], observedGeneration } = withConditions(sampleSnapshot(), first, NOW_MS);
    expect(observedGeneration).toBe(1);
    expect(conditions).toEqual(first.conditions);
    expect(conditions.map((condition) => condition.observedGeneration)).toEqual([1, 1, 1, 1]);
  });
});
