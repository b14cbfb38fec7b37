import { expect, it } from 'vitest';

import type { ExecutionHook, ExecutionHookStatus } from '../../lifecycles/snapshot/kinds.ts';
import {
  snapshotEnvelope,
  type SnapshotLifecycleEvent,
} from '../../lifecycles/snapshot/snapshot-event.ts';
import { FrozenCounter } from './controller-parts.ts';

const AT = '2026-01-01T00:00:00.000000Z';
const AT_MS = Date.parse(AT);
const action = { exec: { command: ['x'] }, actionTimeoutSeconds: 6 };
const frozen: ExecutionHookStatus = {
  resolved: { policy: 'ExecuteAll', preAction: action, postAction: action, origin: 'test' },
  containerExecutionHookStatuses: [
    {
      podName: 'a',
      containerName: 'db',
      podUID: 'p',
      containerID: 'c',
      restartCount: 0,
      preActionStatus: { actionTimestamp: AT, actionSucceed: true },
    },
  ],
};
const hook: ExecutionHook = { metadata: { uid: 'u' }, spec: {}, status: frozen };
let nowMs = AT_MS;
const clock = { nowMs: (): number => nowMs };
const kept = (status: ExecutionHookStatus | null): SnapshotLifecycleEvent =>
  snapshotEnvelope({ type: 'StatusKept', namespace: 'n', hook: 'h', uid: 'u', status }, AT_MS);

const countAt = (counter: FrozenCounter, atMs: number): object => {
  nowMs = atMs;
  return counter.count([hook]);
};

it('counts a thaw as overdue from its release, also when the server has not taken it', () => {
  const counter = new FrozenCounter(clock);
  expect(countAt(counter, AT_MS + 60_000)).toEqual({ frozen: 1, overdue: 0, unproven: 0 });
  counter.observe(kept({ ...frozen, release: { cause: 'Expired', at: AT } }));
  expect(countAt(counter, AT_MS + 5_000)).toEqual({ frozen: 1, overdue: 0, unproven: 0 });
  expect(countAt(counter, AT_MS + 6_000)).toEqual({ frozen: 1, overdue: 1, unproven: 0 });
});

it('counts by the server again when it has the status, and when another process leads', () => {
  const counter = new FrozenCounter(clock);
  counter.observe(kept({ ...frozen, containerExecutionHookStatuses: [] }));
  expect(countAt(counter, AT_MS)).toEqual({ frozen: 0, overdue: 0, unproven: 0 });
  counter.observe(kept(null));
  expect(countAt(counter, AT_MS)).toEqual({ frozen: 1, overdue: 0, unproven: 0 });
  counter.observe(kept({ ...frozen, containerExecutionHookStatuses: [] }));
  counter.observeController({ type: 'LeadershipLost', reason: 'test' } as never);
  expect(countAt(counter, AT_MS)).toEqual({ frozen: 1, overdue: 0, unproven: 0 });
});
