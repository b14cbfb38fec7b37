/** The reports of an attempt in a pod while it runs, and when it is stopped (SNAP-V10). */
import type { Pod, PodStatus } from 'kubernetes-types/core/v1.js';
import { expect, it } from 'vitest';

import { decideAttempt } from './decide-attempt.ts';
import type { OpenHook, RestoreFacts } from './facts.ts';
import type { RestoreHook } from './kinds.ts';
import type { RestoreStep } from './step.ts';

const NOW_MS = Date.parse('2026-01-01T12:00:00Z');
const SECOND = 1_000;
const own: RestoreHook = { name: 'check', pod: { image: 'i' }, timeoutSeconds: 60 };
const DELETED = { deletionTimestamp: '2026-01-01T11:59:00Z' };
const unschedulable: PodStatus = {
  phase: 'Pending',
  conditions: [{ type: 'PodScheduled', status: 'False', message: 'no node has room' }],
};

function podOf(status: PodStatus, metadata: object = {}, nodeName?: string): Pod {
  const placed = nodeName === undefined ? {} : { nodeName };
  return {
    metadata: { name: 'p', uid: 'u', ...metadata },
    spec: { containers: [], ...placed },
    status,
  };
}

/** `elapsed`: seconds since the start of the attempt. */
function decided(pod: Pod | null, elapsed: number, more: Partial<OpenHook> = {}): RestoreStep {
  const open: OpenHook = {
    hook: own,
    stage: 'verify',
    attempt: 1,
    startedMs: NOW_MS - elapsed * SECOND,
    pod,
    exec: { kind: 'unseen' },
    scale: null,
    ...more,
  };
  const hooks = [{ name: 'check', stage: 'verify' as const, podUID: 'u' }];
  const facts: RestoreFacts = {
    restore: { spec: { source: {} }, status: { hooks } },
    claims: [],
    open,
    made: { pods: [], claims: [] },
    restarted: null,
    nowMs: NOW_MS,
  };
  return decideAttempt(facts, open);
}

const end = (outcome: string, reason: string, more: object = {}): object => ({
  kind: 'recordEnd',
  hook: own,
  end: { outcome, reason, output: '', ...more },
});

it('says why its pod has not ended', () => {
  expect(decided(podOf(unschedulable), 10)).toEqual({
    kind: 'wait',
    ms: 50_000,
    reason: 'pod p has not ended. It waits: no node has room',
  });
  expect(decided(podOf({ phase: 'Running' }, {}, 'n'), 10)).toEqual({
    kind: 'wait',
    ms: 65_000,
    reason: 'pod p has not ended.',
  });
});

it('stops its pod at the timeout, and says for what it waited', () => {
  const pod = podOf(unschedulable);
  const reason = 'Pod p did not end within 60 s. It waits: no node has room';
  expect(decided(pod, 60)).toEqual({ kind: 'deletePod', pod, reason });
  const placed = podOf({ phase: 'Running' }, {}, 'n');
  const late = 'Pod p did not end within 60 s.';
  expect(decided(placed, 75)).toEqual({ kind: 'deletePod', pod: placed, reason: late });
});

it('looks again until a stopped pod has ended, for two minutes', () => {
  const stopping = podOf({ phase: 'Running' }, DELETED, 'n');
  const reason = 'pod p is being stopped';
  expect(decided(stopping, 179)).toEqual({ kind: 'wait', ms: 1_000, reason });
  const unseen = 'The deletion of pod p was requested, but its end was not observed.';
  expect(decided(stopping, 180)).toEqual(end('Unknown', unseen));
});

it('has timed out only if its time was over when its pod was stopped', () => {
  const stopped = podOf({ phase: 'Failed' }, DELETED, 'n');
  const late = 'Pod p did not end within 60 s.';
  expect(decided(stopped, 60)).toEqual(end('TimedOut', late));
  const byOther = 'Pod p was stopped before it ended by itself.';
  expect(decided(stopped, 59)).toEqual(end('Unknown', byOther));
  const timedOut = podOf({ phase: 'Failed', reason: 'DeadlineExceeded' }, DELETED, 'n');
  expect(decided(timedOut, 90)).toEqual(end('TimedOut', 'Pod p did not end in time.'));
});

it('has not started in a pod that no node has', () => {
  const reason = 'Pod p was never started. It waits: no node has room';
  const notStarted = { notStarted: 'Unreached' };
  const pod = podOf(unschedulable, DELETED);
  expect(decided(pod, 60)).toEqual(end('TimedOut', reason, notStarted));
  expect(decided(pod, 59)).toEqual(end('Failed', reason, notStarted));
});

it('has an unknown end if its pod or its controller was removed', () => {
  const removed = 'Its pod was deleted before its end was observed.';
  expect(decided(null, 10)).toEqual(end('Unknown', removed));
  const hook: RestoreHook = { name: 'drain', exec: { podName: 'db', command: ['c'] } };
  const ended =
    'The controller that recorded this attempt stopped before it saw the end of the command: the result is not known.';
  expect(decided(null, 10, { hook })).toEqual({ ...end('Unknown', ended), hook });
  expect(decided(null, 10, { hook, exec: { kind: 'underWay' } })).toMatchObject({
    reason: 'the command has been running since 2026-01-01T11:59:50.000Z',
  });
});
