import { expect, it } from 'vitest';

import type { ContainerStatus, ExecutionHook } from '../kinds.ts';
import { KeptStatuses } from './kept-statuses.ts';

const target: ContainerStatus = {
  podName: 'a',
  containerName: 'db',
  podUID: 'pod-uid',
  containerID: 'c',
  restartCount: 0,
  preActionStatus: { attempts: [{ startedAt: '2026-01-01T00:00:00.000000Z' }] },
};
const hookWith = (containerExecutionHookStatuses: ContainerStatus[]): ExecutionHook => ({
  metadata: { uid: 'u' },
  spec: {},
  status: {
    resolved: { policy: 'ExecuteAll', preAction: { actionTimeoutSeconds: 1 }, origin: 'test' },
    containerExecutionHookStatuses,
  },
});
const known = hookWith([target]);

it('puts back what was taken out of a status, and takes what was added', () => {
  const kept = new KeptStatuses();
  kept.keep('u', known.status ?? {});
  const { preActionStatus: _, ...bare } = target;
  for (const less of [[], [bare], [{ ...target, podUID: 'other' }]]) {
    expect(kept.over(hookWith(less)).status).toBe(known.status);
  }
  const more = hookWith([{ ...target, thawedBy: 'gone' }]);
  expect(kept.over(more)).toBe(more);
  kept.forget('u');
  expect(kept.over(hookWith([])).status?.containerExecutionHookStatuses).toEqual([]);
});

it('waits ever longer before a status that was refused is tried again', () => {
  const kept = new KeptStatuses();
  kept.owe('u', known.status ?? {}, 0);
  expect([kept.waitMs('u', 400), kept.owedForMs('u', 400)]).toEqual([600, 400]);
  kept.owe('u', known.status ?? {}, 1_000);
  expect([kept.waitMs('u', 1_000), kept.owedForMs('u', 1_000)]).toEqual([2_000, 1_000]);
  for (let times = 0; times < 9; times += 1) kept.owe('u', known.status ?? {}, 2_000);
  expect(kept.waitMs('u', 2_000)).toBe(30_000);
  kept.keep('u', known.status ?? {});
  expect([kept.waitMs('u', 2_000), kept.owedForMs('u', 2_000)]).toEqual([0, null]);
});

it('puts a status that is owed over what the server has, but over no record that it does not have (SNAP-I6)', () => {
  const kept = new KeptStatuses();
  const thawed = hookWith([{ ...target, thawedBy: 'post' }]);
  kept.owe('u', thawed.status ?? {}, 0);
  expect(kept.over(known).status).toBe(thawed.status);
  const postActionStatus = { actionSucceed: false };
  const failed = hookWith([{ ...target, postActionStatus }]);
  const ended = { ...known, status: { ...thawed.status, postActionSucceed: false } };
  for (const other of [failed, ended]) expect(kept.over(other)).toBe(other);
});
