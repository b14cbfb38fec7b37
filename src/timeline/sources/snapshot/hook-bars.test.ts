import { describe, expect, it } from 'vitest';

import type { ContainerStatus, ExecutionHook } from '../../../lifecycles/snapshot/kinds.ts';
import { BarStore } from '../../bar-store.ts';
import { ObjectBars } from '../object-bars.ts';
import { executionHookBars } from './hook-bars.ts';
import { keptFreezes, snapshotBars } from './cluster-source.ts';

const at = (second: number): string => `2026-11-22T10:00:0${second}.500000Z`;
const ms = (second: number): number => Date.parse(at(second));

const target: ContainerStatus = {
  podName: 'db-0',
  containerName: 'postgres',
  podUID: 'p1',
  containerID: 'containerd://1',
  restartCount: 0,
  preActionStatus: {
    actionTimestamp: at(1),
    actionSucceed: true,
    earlierAttempts: 2,
    attempts: [
      { startedAt: at(1), endedAt: at(2), outcome: 'Succeeded', exitCode: 0, output: 'locked' },
    ],
  },
};

const hook = (more: Partial<ContainerStatus>, status: object = {}): ExecutionHook => ({
  metadata: {
    namespace: 'shop',
    name: 'nightly-0',
    uid: 'u1',
    labels: { 'lifehook.dev/application-snapshot': 'nightly' },
  },
  spec: { executionHookTemplateName: 'flush' },
  status: { containerExecutionHookStatuses: [{ ...target, ...more }], ...status },
});

const thawed: Partial<ContainerStatus> = {
  thawedBy: 'post',
  postActionStatus: {
    actionSucceed: true,
    attempts: [{ startedAt: at(3), endedAt: at(4), outcome: 'Succeeded' }],
  },
};

const frozenOf = (one: ExecutionHook) =>
  executionHookBars(one).find(({ kind }) => kind === 'frozen');

describe('executionHookBars', () => {
  it('opens the freeze window at the first record, and shows how to thaw', () => {
    expect(executionHookBars(hook({}))).toMatchObject([
      {
        kind: 'frozen',
        lane: 'shop/db-0/postgres',
        run: 'nightly',
        name: 'flush',
        startMs: ms(1),
        endMs: null,
        outcome: 'Running',
        next: 'lifehook snapshot thaw -n shop nightly-0',
        where: 'ExecutionHook shop/nightly-0',
      },
      {
        id: 'snapshot/u1/p1/postgres/preAction/3',
        kind: 'hook',
        point: 'preAction',
        attempt: 3,
        startMs: ms(1),
        endMs: ms(2),
        outcome: 'Succeeded',
        exitCode: 0,
        stdout: 'locked',
      },
    ]);
  });

  it('closes the freeze window at the last thaw, and shows how it was thawed', () => {
    expect(frozenOf(hook(thawed))).toMatchObject({
      endMs: ms(4),
      outcome: 'Succeeded',
      evidence: { 'thawed by': 'its postAction' },
    });
    expect(frozenOf(hook(thawed))?.next).toBeUndefined();
  });

  it.each([
    ['deadman', {}, 'Failed'],
    ['broken', {}, 'Failed'],
    ['gone', {}, 'Unknown'],
    ['released', {}, 'Unknown'],
    ['session', { freezeLost: { at: at(2), reason: 'the client ended' } }, 'Failed'],
  ] as const)('does not report success when thawed by %s', (thawedBy, more, outcome) => {
    const one = hook({ thawedBy, ...more }, { release: { cause: 'Cut', at: at(5) } });
    expect(frozenOf(one)).toMatchObject({ outcome, endMs: 'freezeLost' in more ? ms(2) : ms(5) });
  });

  it.each([
    [true, 'Succeeded'],
    [false, 'Failed'],
  ] as const)(
    'closes the freeze window where nothing is to be undone: %s',
    (succeeded, outcome) => {
      const one = hook(
        {
          preActionStatus: { actionTimestamp: at(1), actionSucceed: succeeded },
          postActionStatus: { actionSucceed: true },
        },
        { release: { cause: 'PreFailed', at: at(3) } },
      );
      expect(frozenOf(one)).toMatchObject({ endMs: ms(3), outcome });
      expect(frozenOf(one)?.next).toBeUndefined();
    },
  );

  it('shows how to release a hook whose thaw has failed', () => {
    const error = { time: at(4), message: 'exit code 1' };
    const frozen = frozenOf(hook({ postActionStatus: { actionSucceed: false, error } }));
    expect(frozen?.evidence).toMatchObject({ thaw: 'overdue' });
    expect(frozen?.reason).toContain('The thaw has failed so far: exit code 1');
    expect(frozen?.next).toContain('lifehook snapshot release -n shop nightly-0 --by YOU');
    expect(frozen?.endMs).toBeNull();
  });

  it('shows an attempt without an outcome as open, and probes as instants', () => {
    const open = hook({
      preActionStatus: { actionTimestamp: at(1), attempts: [{ startedAt: at(1) }] },
      probes: [{ when: 'AfterCut', at: at(3), outcome: 'NotFrozen' }],
    });
    expect(executionHookBars(open)).toMatchObject([
      { kind: 'frozen', evidence: { 'probe AfterCut': 'NotFrozen' } },
      { point: 'preAction', endMs: null, outcome: 'Running' },
      { point: 'probe AfterCut', startMs: ms(3), endMs: ms(3), outcome: 'Failed' },
    ]);
  });

  it('returns no spans before anything is recorded', () => {
    expect(executionHookBars({ metadata: {}, spec: {} })).toEqual([]);
    expect(executionHookBars(hook({ preActionStatus: {} }))).toEqual([]);
  });

  it('uses the name of the object when the hook was created by hand', () => {
    const own = { ...hook({}), metadata: { namespace: 'shop', name: 'by-hand' } };
    expect(executionHookBars(own)[0]).toMatchObject({ run: 'by-hand', name: 'by-hand' });
  });
});

describe('snapshotBars', () => {
  const snapshot = (status: object) => ({
    metadata: { namespace: 'shop', name: 'nightly', uid: 's1' },
    spec: { source: {} },
    status: { startedAt: at(0), ...status },
  });
  const kept = {
    cutRequestedAt: at(2),
    cutObservedAt: at(3),
    completedAt: at(5),
    executionHookNames: ['other-0', 'nightly-0'],
    executionHookInfos: [{}, { executionHookTemplateName: 'flush' }],
    hooks: [
      {
        name: 'nightly-0',
        lastThawAt: at(4),
        targets: [{ ...target, ...thawed, identity: 'Same' as const }],
      },
    ],
  };

  it('shows the verdict, the snapshot cut, and the cut on the track of every frozen container', () => {
    const verdict = {
      value: 'Inconsistent',
      reason: 'ThawedBeforeCut',
      message: 'It was early.',
      decidedAt: at(5),
      freezeWindowMs: 41,
    } as const;
    expect(snapshotBars(snapshot({ ...kept, phase: 'Completed', verdict }))).toMatchObject([
      {
        kind: 'phase',
        lane: 'shop/nightly',
        startMs: ms(0),
        endMs: ms(5),
        outcome: 'Failed',
        reason: 'It was early.',
        evidence: { verdict: 'Inconsistent: ThawedBeforeCut', 'freeze window': '41 ms' },
        next: 'lifehook snapshot status -n shop nightly',
      },
      { name: 'cutting', startMs: ms(2), endMs: ms(3), outcome: 'Succeeded' },
      { kind: 'cut', lane: 'shop/nightly', startMs: ms(3), endMs: ms(3) },
      { kind: 'cut', lane: 'shop/db-0/postgres', run: 'nightly' },
    ]);
  });

  it('shows the outcome that the required level gives a verdict', () => {
    const verdict = {
      value: 'CrashConsistent',
      reason: 'NotInUse',
      message: 'Nobody had it in use.',
      decidedAt: at(5),
    } as const;
    const done = snapshot({ phase: 'Completed', completedAt: at(5), verdict });
    const requiring = (level: string): Parameters<typeof snapshotBars>[0] => ({
      ...done,
      metadata: { ...done.metadata, annotations: { 'lifehook.dev/required-verdict': level } },
    });
    const outcomes = ['ApplicationConsistent', 'CrashConsistent', 'Any'].map((level) => {
      const [whole] = snapshotBars(requiring(level));
      return [whole?.evidence?.['required'], whole?.outcome];
    });
    expect(outcomes).toEqual([
      ['ApplicationConsistent', 'Failed'],
      ['CrashConsistent', 'Succeeded'],
      ['Any', 'Succeeded'],
    ]);
    expect(snapshotBars(done)[0]?.outcome).toBe('Succeeded');
  });

  it('shows an open span while the snapshot is in progress, and closes it on failure', () => {
    expect(snapshotBars(snapshot({ phase: 'Freezing' }))).toMatchObject([
      { outcome: 'Running', endMs: null },
    ]);
    const failure = { reason: 'CutDeadlineExceeded', message: 'too slow', at: at(4) };
    const failed = snapshot({ phase: 'Failed', failure, cutRequestedAt: at(2) });
    expect(snapshotBars(failed)).toMatchObject([
      { outcome: 'Failed', endMs: ms(4), reason: 'too slow' },
      { name: 'cutting', outcome: 'Failed', endMs: ms(4) },
    ]);
  });

  it('keeps the freeze windows of deleted hooks, under the same id', () => {
    const [freeze] = keptFreezes(snapshot({ ...kept, phase: 'Completed' }));
    expect(freeze).toMatchObject({ kind: 'frozen', outcome: 'Succeeded', run: 'nightly' });
    const known = frozenOf(hook(thawed));
    expect([freeze?.id, freeze?.name]).toEqual([known?.id, 'flush']);
  });

  it('shows the thaw of a hook that was deleted between two lists, as soon as the snapshot reports it', () => {
    const clock = { nowMs: () => ms(9) };
    const store = new BarStore({ clock });
    const hooks = new ObjectBars({ store, clock, barsOf: executionHookBars });
    const [barsOf, keptBarsOf] = [snapshotBars, keptFreezes];
    const snapshots = new ObjectBars({ store, clock, barsOf, keptBarsOf });
    hooks.apply({ type: 'Upsert', object: hook({}) });
    hooks.apply({ type: 'Relisting' });
    hooks.apply({ type: 'Synced', resourceVersion: '7' });
    const id = frozenOf(hook({}))?.id ?? '';
    expect(store.get(id)).toMatchObject({ outcome: 'Unknown', endMs: ms(9) });
    snapshots.apply({ type: 'Upsert', object: snapshot({ ...kept, phase: 'Completed' }) });
    expect(store.get(id)).toMatchObject({ outcome: 'Succeeded', endMs: ms(4) });
  });
});
