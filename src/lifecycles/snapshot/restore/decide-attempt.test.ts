import type { ContainerStatus, Pod, PodStatus } from 'kubernetes-types/core/v1.js';
import { describe, expect, it } from 'vitest';

import type { AttemptReport } from '../hook/attempts.ts';
import { decideAttempt } from './decide-attempt.ts';
import type { OpenHook, RestoreFacts } from './facts.ts';
import type { RestoreHook } from './kinds.ts';

const NOW_MS = 1_000_000;
const own: RestoreHook = { name: 'check', pod: { image: 'i' }, timeoutSeconds: 60 };
const exec: RestoreHook = {
  name: 'drain',
  exec: { podName: 'db', command: ['drain'] },
  timeoutSeconds: 60,
};

function openOf(hook: RestoreHook, more: Partial<OpenHook> = {}): OpenHook {
  const nothing = { pod: null, exec: { kind: 'unseen' }, scale: null } as const;
  return { hook, stage: 'verify', attempt: 1, startedMs: NOW_MS - 10_000, ...nothing, ...more };
}

function decided(open: OpenHook, podUID?: string): Record<string, unknown> {
  const hooks = [
    { name: open.hook.name, stage: 'verify' as const, ...(podUID === undefined ? {} : { podUID }) },
  ];
  const restore = { spec: { source: {} }, status: { hooks } };
  const facts: RestoreFacts = {
    restore,
    claims: [],
    open,
    made: { pods: [], claims: [] },
    restarted: null,
    nowMs: NOW_MS,
  };
  return { ...decideAttempt(facts, open) };
}

function podOf(status: PodStatus = {}, metadata: object = {}, nodeName: string | null = 'n'): Pod {
  const placed = nodeName === null ? {} : { nodeName };
  return {
    metadata: { name: 'p', uid: 'u', ...metadata },
    spec: { containers: [], ...placed },
    status,
  };
}

const terminated = (exitCode: number, more: object = {}): ContainerStatus[] => [
  {
    name: 'hook',
    state: { terminated: { exitCode, ...more } },
    image: '',
    imageID: '',
    ready: false,
    restartCount: 0,
  },
];
const deleted = { deletionTimestamp: '2026-01-01T00:00:00Z' };
const LATE = { startedMs: NOW_MS - 300_000 };

describe('an attempt in a pod of its own (SNAP-V10)', () => {
  it('creates the pod once its intent is durable, and records which one it is', () => {
    expect(decided(openOf(own))).toMatchObject({ kind: 'createPod', attempt: 1 });
    expect(decided(openOf(own, { pod: podOf() }))).toMatchObject({ kind: 'recordPod' });
  });

  it.each<[string, Pod | null, Partial<OpenHook>, object]>([
    [
      'ends well with code 0',
      podOf({ phase: 'Succeeded', containerStatuses: terminated(0) }),
      {},
      { outcome: 'Succeeded', exitCode: 0 },
    ],
    [
      'fails with another code',
      podOf({ phase: 'Failed', containerStatuses: terminated(3, { message: 'torn page' }) }),
      {},
      { outcome: 'Failed', exitCode: 3, output: 'torn page' },
    ],
    [
      'times out at its node',
      podOf({ phase: 'Failed', reason: 'DeadlineExceeded' }),
      {},
      { outcome: 'TimedOut' },
    ],
    ['is unknown if its pod was removed', null, {}, { outcome: 'Unknown' }],
    [
      'is unknown if its pod was replaced',
      podOf({ phase: 'Succeeded' }, { uid: 'other' }),
      {},
      { outcome: 'Unknown' },
    ],
    [
      'is unknown if another stopped its pod',
      podOf({ phase: 'Succeeded', containerStatuses: terminated(0) }, deleted),
      {},
      { outcome: 'Unknown' },
    ],
    [
      'is unknown if the node did not see its end',
      podOf({
        phase: 'Failed',
        containerStatuses: terminated(137, { reason: 'ContainerStatusUnknown' }),
      }),
      {},
      { outcome: 'Unknown' },
    ],
    [
      'times out if we stopped its pod',
      podOf({ phase: 'Failed', containerStatuses: terminated(137) }, deleted),
      LATE,
      { outcome: 'TimedOut' },
    ],
    [
      'times out without a start',
      podOf({ phase: 'Pending' }, deleted, null),
      LATE,
      { outcome: 'TimedOut', notStarted: 'Unreached' },
    ],
    [
      'is unknown on a lost node',
      podOf({ phase: 'Running' }, deleted),
      LATE,
      { outcome: 'Unknown' },
    ],
  ])('%s', (...[, pod, more, end]) => {
    expect(decided(openOf(own, { pod, ...more }), 'u')).toMatchObject({ kind: 'recordEnd', end });
  });

  it('has judged nothing as a check that lacked memory, whatever its exit code (SNAP-V11)', () => {
    const reason = 'OOMKilled';
    const pod = podOf({ phase: 'Succeeded', containerStatuses: terminated(0, { reason }) });
    const check = decided(openOf(own, { pod }), 'u');
    expect(check).toMatchObject({ kind: 'recordEnd', end: { outcome: 'Failed' } });
    expect(check['end']).not.toHaveProperty('exitCode');
    expect(check['end']).toMatchObject({
      reason:
        'Pod p ended with exit code 0 (OOMKilled: raise the memory limit in resources of the hook).',
    });
    const hook = decided(openOf(own, { pod, stage: 'postRestore' }), 'u');
    expect(hook).toMatchObject({ kind: 'recordEnd', end: { outcome: 'Succeeded' } });
  });

  it('is waited for until its timeout, and its node gets some seconds more', () => {
    const running = podOf({ phase: 'Running' });
    expect(decided(openOf(own, { pod: running }), 'u')).toMatchObject({ kind: 'wait', ms: 65_000 });
    const unplaced = podOf({ phase: 'Pending' }, {}, null);
    expect(decided(openOf(own, { pod: unplaced }), 'u')).toMatchObject({
      kind: 'wait',
      ms: 50_000,
    });
    expect(decided(openOf(own, { pod: running, ...LATE }), 'u')).toMatchObject({
      kind: 'deletePod',
    });
    const stopping = podOf({ phase: 'Running' }, deleted);
    const soon = { startedMs: NOW_MS - 100_000 };
    expect(decided(openOf(own, { pod: stopping, ...soon }), 'u')).toMatchObject({
      kind: 'wait',
      ms: 1_000,
    });
  });
});

describe('an attempt by a command in a pod (SNAP-V10)', () => {
  const report = { outcome: 'Succeeded', reason: 'r', output: '' } as AttemptReport;
  it.each<[string, OpenHook['exec'], object]>([
    ['begins once its intent is durable', { kind: 'intended' }, { kind: 'beginExec' }],
    ['is waited for', { kind: 'underWay' }, { kind: 'wait', ms: 60_000 }],
    [
      'is recorded',
      { kind: 'ended', report },
      { kind: 'recordEnd', end: { outcome: 'Succeeded' } },
    ],
    [
      'is unknown after a restart',
      { kind: 'unseen' },
      { kind: 'recordEnd', end: { outcome: 'Unknown' } },
    ],
  ])('%s', (_, state, step) => {
    expect(decided(openOf(exec, { exec: state }))).toMatchObject(step);
  });
});
