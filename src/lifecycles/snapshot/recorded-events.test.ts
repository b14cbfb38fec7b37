import { describe, expect, it } from 'vitest';

import { ago, NOW_MS, sampleSnapshot } from '../../../test/fixtures/snapshot/app-facts.ts';
import type { Notification } from '../../model/event.ts';
import type {
  Verdict,
  ApplicationSnapshot,
  ContainerStatus,
  ExecutionHook,
  ExecutionHookStatus,
} from './kinds.ts';
import { eventsOf } from './hook/status-changes.ts';
import { recordedEvents } from './recorded-events.ts';
import type { SnapshotRestoreStatus } from './restore/kinds.ts';
import { snapshotEnvelope } from './snapshot-event.ts';

const action = { exec: { command: ['x'] }, actionTimeoutSeconds: 6 };
const resolved = { policy: 'ExecuteAll', preAction: action, postAction: action, origin: 'test' };
const frozen: ContainerStatus = {
  podName: 'db-0',
  containerName: 'db',
  podUID: 'u',
  containerID: 'c',
  restartCount: 0,
  preActionStatus: { actionTimestamp: ago(100), actionSucceed: true },
};
const failed: ContainerStatus = {
  ...frozen,
  postActionStatus: { actionTimestamp: ago(60), actionSucceed: false },
};
const unproven = { ...frozen, thawUnproven: { at: ago(1), reason: 'the pod is deleted' } };

function statusOf(...targets: readonly ContainerStatus[]): ExecutionHookStatus {
  const release = { cause: 'Human', at: ago(70) } as const;
  return { resolved, release, containerExecutionHookStatuses: targets } as ExecutionHookStatus;
}

function hookOf(...targets: readonly ContainerStatus[]): ExecutionHook {
  const metadata = { namespace: 'shop', name: 'h', uid: 'hook-uid' };
  return { metadata, spec: {}, status: statusOf(...targets) };
}

function recorded(
  hooks: readonly ExecutionHook[],
  snapshots: readonly ApplicationSnapshot[] = [],
  sinceMs = 0,
): Notification[] {
  return recordedEvents({
    hooks,
    snapshots,
    restores: [],
    schedules: [],
    sinceMs,
    nowMs: NOW_MS,
  }).flatMap(({ notification }) => notification ?? []);
}

describe('the notifications of thaws', () => {
  it.each<[string, ContainerStatus[], string[]]>([
    ['that failed so far', [frozen, failed], ['thaw.overdue', 'open']],
    ['that is done', [failed, { ...failed, thawedBy: 'post' }], ['thaw.done', 'clear']],
    ['that is not proven', [frozen, unproven], ['thaw.unproven', 'open']],
    [
      'that was not proven',
      [unproven, { ...unproven, thawedBy: 'rescue' }],
      ['thaw.done', 'clear'],
    ],
  ])('of a thaw %s are the same live and after a restart (ENG-N1)', (_, [was, is], facts) => {
    if (was === undefined || is === undefined) throw new Error('it has no change');
    const change = { namespace: 'shop', hook: 'h', uid: 'hook-uid', nowMs: NOW_MS };
    const events = eventsOf({ ...change, before: statusOf(was), after: statusOf(is) });
    const live = events.flatMap((event) => snapshotEnvelope(event, NOW_MS).notification ?? []);
    expect(live.map((each) => [each.type, each.state])).toEqual([facts]);
    expect(recorded([hookOf(is)])).toEqual(live);
  });

  it('of one thaw are about one problem, and name the object and the next step', () => {
    const [first, second] = [failed, unproven].flatMap((each) => recorded([hookOf(each)]));
    expect(first?.problem).toBe(second?.problem);
    expect(first?.id).not.toBe(second?.id);
    expect(first?.message).toBe(
      'The thaw of container db of pod shop/db-0 (ExecutionHook h) is overdue: the application may still be frozen. Run `lifehook snapshot thaw h -n shop`.',
    );
  });

  it('are none while the freeze is wanted', () => {
    expect(
      recorded([{ ...hookOf(), status: { containerExecutionHookStatuses: [frozen] } }]),
    ).toEqual([]);
  });
});

const verdict = (value: Verdict['value'], seconds: number): { verdict: Verdict } => ({
  verdict: { value, reason: 'Why', message: 'because', decidedAt: ago(seconds) },
});

describe('the notifications of snapshots', () => {
  it('compare the verdict with the required level', () => {
    const good = sampleSnapshot(verdict('CrashConsistent', 10));
    const bad = sampleSnapshot(verdict('Inconsistent', 20));
    const [first, second] = recorded([], [good, bad]);
    expect(first).toEqual({
      id: 'aaaaaaaa-0000/verdict',
      type: 'verdict.missed',
      state: 'open',
      problem: second?.problem,
      message:
        'Snapshot shop/nightly has the verdict Inconsistent (Why), below the required CrashConsistent: because',
    });
    expect([second?.type, second?.state]).toEqual(['verdict.reached', 'clear']);
  });

  it('of a snapshot without a cut are a failed run', () => {
    const failure = { reason: 'NoClaim', message: 'there is no claim', at: ago(5) };
    expect(recorded([], [sampleSnapshot({ phase: 'Failed', failure })])).toMatchObject([
      {
        id: 'aaaaaaaa-0000/failed',
        type: 'run.failed',
        message: 'Snapshot shop/nightly failed before the cut (NoClaim): there is no claim',
      },
    ]);
  });

  it('are about one problem for the same volumes only', () => {
    const problemOf = (source: ApplicationSnapshot['spec']['source']): string | undefined =>
      recorded([], [sampleSnapshot(verdict('Unknown', 1), { source })])[0]?.problem;
    const claims = (...names: string[]): { persistentVolumeClaimNames: string[] } => ({
      persistentVolumeClaimNames: names,
    });
    expect(problemOf(claims('a', 'b'))).toBe(problemOf(claims('b', 'a')));
    expect(problemOf(claims('a'))).not.toBe(problemOf(claims('b')));
    const labels = { selector: { matchLabels: { app: 'a' } } };
    expect(problemOf(labels)).not.toBe(problemOf({ selector: { matchLabels: { app: 'b' } } }));
  });

  it('are none of a snapshot that runs, or that ended too long ago', () => {
    const old = sampleSnapshot(verdict('Unknown', 100));
    expect(recorded([], [old, sampleSnapshot({ phase: 'Cutting' })], NOW_MS - 99_000)).toEqual([]);
    expect(recorded([], [old], NOW_MS - 100_000).length).toBe(1);
  });
});

describe('the notifications of restores', () => {
  const notified = (status: SnapshotRestoreStatus, owner?: string): Notification[] => {
    const owned = { apiVersion: 'v1', kind: 'K', uid: 'k', controller: true };
    const ownerReferences = owner === undefined ? [] : [{ ...owned, name: owner }];
    const metadata = { namespace: 'shop', name: 'r', uid: 'r-uid', ownerReferences };
    const restores = [{ metadata, spec: { source: {} }, status }];
    const events = recordedEvents({
      hooks: [],
      snapshots: [],
      restores,
      schedules: [],
      sinceMs: 0,
      nowMs: 0,
    });
    return events.flatMap(({ notification }) => notification ?? []);
  };
  const at = { startedAt: ago(9), completedAt: ago(5) };

  it('name the reason of a failure', () => {
    const failure = { reason: 'VerifyFailed', message: 'exit code 1', at: ago(6) };
    expect(notified({ phase: 'Failed', ...at, failure })).toEqual([
      {
        id: 'r-uid/failed',
        type: 'run.failed',
        state: 'open',
        problem: 'restore/shop/r',
        message: 'Restore shop/r failed (VerifyFailed): exit code 1',
      },
    ]);
  });

  it('are cleared by the next of the same owner, and are none while a restore runs', () => {
    expect(notified({ phase: 'Completed', ...at }, 'nightly')).toMatchObject([
      { type: 'run.recovered', state: 'clear', problem: 'restore/shop/nightly' },
    ]);
    expect(notified({ phase: 'Pending' })).toEqual([]);
  });
});
