import { expect, it } from 'vitest';

import { frozenTargets } from './frozen-targets.ts';
import type { ContainerStatus } from './kinds.ts';

const target: ContainerStatus = {
  podName: 'db-0',
  containerName: 'db',
  podUID: 'u',
  containerID: 'c',
  restartCount: 0,
};
const began = { actionTimestamp: '2026-01-01T00:00:00.000000Z' };

it('frozenTargets lists targets whose freeze was started and not thawed', () => {
  const hook = {
    metadata: { namespace: 'shop', name: 'h' },
    spec: {},
    status: {
      containerExecutionHookStatuses: [
        target,
        { ...target, podName: 'db-1', preActionStatus: began },
        { ...target, podName: 'db-2', preActionStatus: began, thawedBy: 'post' as const },
        {
          ...target,
          podName: 'db-3',
          preActionStatus: { ...began, actionSucceed: true },
          postActionStatus: { actionSucceed: false },
        },
        {
          ...target,
          podName: 'failed-with-nothing-to-undo',
          preActionStatus: { ...began, actionSucceed: false },
          postActionStatus: { actionSucceed: true },
        },
      ],
    },
  };
  expect(frozenTargets(hook).map(({ pod, overdue }) => [pod, overdue])).toEqual([
    ['db-1', false],
    ['db-3', true],
  ]);
});
