/** The conditions of a snapshot, as a user reads them. */
import { describe, expect, it } from 'vitest';

import {
  ago,
  NOW_MS,
  sampleSnapshot,
  sampleVolume,
} from '../../../../test/fixtures/snapshot/app-facts.ts';
import { sampleEntry } from '../../../../test/fixtures/snapshot/guard-samples.ts';
import { WINDOW } from '../../../../test/fixtures/snapshot/window-facts.ts';
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
      'False Admitting: Admitted: 2 snapshots of other clients.',
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
      'True AllFrozen: 2 hooks froze the containers.',
    ],
    [
      'Frozen',
      'SNAP-R33: when the cut was observed',
      observed,
      'False Released: The volumes are cut: the thaw was requested.',
    ],
    [
      'Frozen',
      'SNAP-W4: of a window that is closed, though nothing was cut',
      { ...observed, admitted: [sampleEntry('a', { outcome: 'NotCut' })] },
      'False Released: The window is closed: the thaw was requested.',
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
      'True NotReadyYet: Ready to use: 0 of 2 snapshots.',
    ],
    [
      'Reconciling',
      'SNAP-W3: of a window that is closed, which waits for no snapshot to be ready',
      { ...observed, phase: 'Thawing', admitted: [sampleEntry('a', { outcome: 'Cut' })] },
      'True Thawing: The volumes are cut, and no snapshot can join this freeze any more. The verdicts follow after the thaw.',
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
      'False NotReadyYet: Ready to use: 1 of 3 snapshots.',
    ],
    [
      'Ready',
      'when it is completed',
      { ...observed, phase: 'Completed' },
      'True ReadyToUse: Volumes can be created from the snapshots.',
    ],
    [
      'Ready',
      'SNAP-W3: of a completed window, whatever was cut',
      { ...observed, phase: 'Completed', admitted: [sampleEntry('a', { outcome: 'NotCut' })] },
      'True Judged: Each admitted snapshot has its verdict.',
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

it('counts one hook and one snapshot in the singular', () => {
  const one = { ...requested, volumes: [sampleVolume('data')], executionHookNames: ['hook-0'] };
  const messages = withConditions(sampleSnapshot(), one, NOW_MS).conditions;
  expect(messages?.map(({ message }) => message)).toContain('1 hook froze the containers.');
  const cut = withConditions(sampleSnapshot(), { ...one, cutObservedAt: ago(1) }, NOW_MS);
  expect(cut.conditions?.map(({ message }) => message)).toContain('Ready to use: 0 of 1 snapshot.');
});

it('speaks of no snapshot that a window would request, also before it admits one (SNAP-W3)', () => {
  const spec = { window: WINDOW };
  const reported = (status: ApplicationSnapshotStatus): readonly string[] =>
    (withConditions(sampleSnapshot(undefined, spec), status, NOW_MS).conditions ?? []).map(
      ({ type, message }) => `${type}: ${message}`,
    );
  expect(reported({ ...requested, phase: 'Cutting' })).toContain(
    'Cut: Admitted: 0 snapshots of other clients.',
  );
  const end = { reason: 'NothingAdmitted', message: 'no request was admitted', at: ago(1) };
  expect(reported({ ...requested, failure: end }).join()).not.toContain('were requested');
});
