import { expect, it } from 'vitest';

import type { ContainerStatus, ExecutionHookStatus } from '../kinds.ts';
import { overdueTargets, untilOverdueMs } from './overdue.ts';

const AT = '2026-01-01T00:00:00.000000Z';
const AT_MS = Date.parse(AT);
const held: ContainerStatus = {
  podName: 'a',
  containerName: 'db',
  podUID: 'u',
  containerID: 'c',
  restartCount: 0,
  preActionStatus: { actionTimestamp: AT, actionSucceed: true },
};
const action = { exec: { command: ['x'] }, actionTimeoutSeconds: 6 };
const status: ExecutionHookStatus = {
  resolved: { policy: 'ExecuteAll', preAction: action, postAction: action, origin: 'test' },
  release: { cause: 'Human', at: AT },
  containerExecutionHookStatuses: [held, { ...held, thawedBy: 'post' }],
};

it('counts from the release, though no attempt of the thaw is recorded', () => {
  expect(untilOverdueMs(status, AT_MS + 2_000)).toBe(4_000);
  expect(overdueTargets(status, AT_MS + 5_999)).toEqual([]);
  expect(overdueTargets(status, AT_MS + 6_000)).toEqual([held]);
});

it('holds at once for a thaw that has failed', () => {
  const failed = { ...held, postActionStatus: { actionSucceed: false } };
  const targets = { ...status, containerExecutionHookStatuses: [failed] };
  expect(overdueTargets(targets, AT_MS)).toEqual([failed]);
});

it('holds for nothing before the release, and for nothing that is thawed', () => {
  const { release: _, ...before } = status;
  expect(untilOverdueMs(before, AT_MS)).toBeNull();
  expect(overdueTargets({ ...status, containerExecutionHookStatuses: [] }, AT_MS * 2)).toEqual([]);
});
