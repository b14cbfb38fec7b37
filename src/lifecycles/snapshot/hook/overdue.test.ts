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

it('holds for nothing where no thaw is to be done, or none is expected', () => {
  const at = AT_MS + 60_000;
  const { postAction: _, ...resolved } = status.resolved ?? { preAction: action };
  expect(untilOverdueMs({ ...status, resolved } as ExecutionHookStatus, at)).toBeNull();
  const settled = { ...status, containerExecutionHookStatuses: [{ ...held, thawedBy: 'post' }] };
  expect(untilOverdueMs(settled as ExecutionHookStatus, at)).toBeNull();
  const unproven = { ...held, thawUnproven: { at: AT, reason: 'the pod is deleted' } };
  const unknown = { ...status, containerExecutionHookStatuses: [unproven] };
  expect([untilOverdueMs(unknown, at), overdueTargets(unknown, at)]).toEqual([null, []]);
});

it('holds for those that are late, and not for one that has no freeze', () => {
  const never = { ...held, podName: 'b', preActionStatus: { actionSucceed: false } };
  const both = { ...status, containerExecutionHookStatuses: [never, held] };
  expect(overdueTargets(both, AT_MS + 60_000)).toEqual([held]);
});

it('counts from now where the clock was set back to before the release', () => {
  expect(untilOverdueMs(status, AT_MS - 60_000)).toBe(6_000);
});
