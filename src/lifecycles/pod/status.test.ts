/** Tests the status of a pod: its phase, its conditions and its reason. */
import type { PodStatus } from 'kubernetes-types/core/v1.js';
import { describe, expect, test } from 'vitest';

import {
  ABSENT,
  containerFacts as container,
  ended,
  podFacts,
  RUNNING,
  STARTING,
  STOPPING,
  UNSTARTABLE,
} from '../../../test/fixtures/pod-facts.ts';
import type { ContainerFacts, Termination, PodFacts } from './facts.ts';
import { podStatus, type StatusFacts } from './status.ts';

function statusOf(facts: PodFacts, more: Partial<StatusFacts> = {}): PodStatus {
  return podStatus({
    facts,
    decision: { over: false, termination: null },
    containers: facts.containers.map((one) => ({
      facts: one,
      current: null,
      last: null,
      restarts: false,
      runtime: 'sim',
      imageId: '',
    })),
    resize: null,
    podIp: '127.10.0.1',
    hostIp: '127.0.0.1',
    before: {},
    ...more,
  });
}

const went = (reason: Termination['reason']): Pick<StatusFacts, 'decision'> => ({
  decision: { over: true, termination: { reason, message: 'why' } },
});
const phaseOf = (containers: readonly ContainerFacts[], more?: Partial<StatusFacts>): unknown =>
  statusOf(podFacts(containers), more).phase;

describe('the phase of a pod that is to run', () => {
  test.each([
    ['Pending', 'has begun nothing', [container('web', ABSENT)]],
    ['Pending', 'runs an init container', [container('init:a', RUNNING), container('web', ABSENT)]],
    ['Pending', 'starts its container, postStart hook included', [container('web', STARTING)]],
    ['Pending', 'lacks an image', [container('web', UNSTARTABLE)]],
    ['Running', 'runs', [container('web', RUNNING)]],
    ['Running', 'has one of two running', [container('web', RUNNING), container('api', ABSENT)]],
    ['Running', 'waits for a restart', [container('web', ended(1))]],
    ['Running', 'starts its next run', [container('web', STARTING, { restartCount: 1 })]],
    ['Running', 'is being stopped', [container('web', STOPPING)]],
    [
      'Pending',
      'is stopped before there was a process',
      [container('web', { kind: 'stopping', startedAtMs: null })],
    ],
  ] as const)('is %s if it %s', (phase, _, containers) => {
    expect(phaseOf(containers)).toBe(phase);
  });

  test('stays Running after it was Running', () => {
    expect(phaseOf([container('web', ABSENT)], { before: { phase: 'Running' } })).toBe('Running');
  });
});

describe('the phase of a pod that is over', () => {
  test.each([
    ['Succeeded', 'Completed', [container('web', ended(0)), container('api', ended(0))]],
    ['Failed', 'Completed', [container('web', ended(0)), container('api', ended(1))]],
    ['Succeeded', 'Completed', [container('sidecar:log', ended(137)), container('web', ended(0))]],
    ['Succeeded', 'Deleted', [container('web', ended(0))]],
    ['Failed', 'Deleted', [container('web', ended(null))]],
    ['Failed', 'Deleted', [container('web', ABSENT)]],
    ['Failed', 'DeadlineExceeded', [container('web', ended(0))]],
    ['Failed', 'InitFailed', [container('init:a', ended(1)), container('web', ended(0))]],
  ] as const)('is %s after %s', (phase, reason, containers) => {
    expect(phaseOf(containers, went(reason))).toBe(phase);
  });

  test('is still Running while one of its containers is being stopped', () => {
    const termination = { reason: 'DeadlineExceeded', message: 'why' } as const;
    const decision = { over: false, termination };
    expect(phaseOf([container('web', STOPPING)], { decision })).toBe('Running');
  });
});

describe('the status of a pod', () => {
  test('has its addresses, its start time and the generation that was seen', () => {
    const facts = podFacts([container('web', RUNNING)], { metadata: { generation: 3 } });
    const status = statusOf(facts);
    expect(status).toMatchObject({
      observedGeneration: 3,
      hostIP: '127.0.0.1',
      podIP: '127.10.0.1',
      podIPs: [{ ip: '127.10.0.1' }],
      startTime: '2026-01-01T00:08:20Z',
    });
    expect(status).not.toHaveProperty('initContainerStatuses');
    expect(status).not.toHaveProperty('qosClass');
    expect(status).not.toHaveProperty('reason');
  });

  test('keeps its first start time and its QoS class', () => {
    const before = { startTime: '2026-01-01T00:00:00Z', qosClass: 'Burstable' };
    expect(statusOf(podFacts([container('web', RUNNING)]), { before })).toMatchObject(before);
  });

  test('has no address before the pod has one, and no generation without one', () => {
    const status = statusOf(podFacts([container('web', ABSENT)]), { podIp: null });
    for (const field of ['podIP', 'podIPs', 'observedGeneration']) {
      expect(status).not.toHaveProperty(field);
    }
  });

  test('gives the reason and the message of a missed deadline, and of nothing else', () => {
    const facts = podFacts([container('web', ended(0))]);
    const missed = { reason: 'DeadlineExceeded', message: 'why' };
    expect(statusOf(facts, went('DeadlineExceeded'))).toMatchObject(missed);
    expect(statusOf(facts, went('Completed'))).not.toHaveProperty('reason');
    expect(statusOf(facts, went('Completed'))).not.toHaveProperty('message');
  });

  test('lists init containers and sidecars apart, in the order of their start, and mains by name', () => {
    const containers = ['init:setup', 'sidecar:log', 'web', 'api'].map((name) =>
      container(name, RUNNING),
    );
    const { initContainerStatuses = [], containerStatuses = [] } = statusOf(podFacts(containers));
    expect(initContainerStatuses.map(({ name }) => name)).toEqual(['setup', 'log']);
    expect(containerStatuses.map(({ name }) => name)).toEqual(['api', 'web']);
  });
});

describe('a main container that never ran in a pod that is over', () => {
  const lost = {
    terminated: {
      exitCode: 137,
      reason: 'ContainerStatusUnknown',
      message: 'The container could not be located when the pod was terminated',
    },
  };
  const stateOf = ({ containerStatuses = [] }: PodStatus): unknown =>
    containerStatuses.find(({ name }) => name === 'web')?.state;

  test('is reported as lost if its turn had come', () => {
    const facts = podFacts([container('init:a', ended(0)), container('web', ABSENT)]);
    expect(stateOf(statusOf(facts, went('Deleted')))).toEqual(lost);
    expect(stateOf(statusOf(facts))).not.toEqual(lost);
    const termination = { reason: 'Deleted', message: '' } as const;
    const stopping = { decision: { over: false, termination } };
    expect(stateOf(statusOf(facts, stopping))).not.toEqual(lost);
  });

  test('is not lost if an init container failed before it', () => {
    const facts = podFacts([container('init:a', ended(1)), container('web', ABSENT)]);
    expect(stateOf(statusOf(facts, went('InitFailed')))).toEqual({
      waiting: { reason: 'PodInitializing' },
    });
  });

  test('leaves the conditions of a deleted pod as they were while it was Pending', () => {
    const facts = podFacts([container('web', ABSENT)]);
    const ready = (status: PodStatus): unknown =>
      status.conditions?.find(({ type }) => type === 'Ready')?.reason;
    expect(ready(statusOf(facts, went('Deleted')))).toBe('ContainersNotReady');
    expect(ready(statusOf(facts, went('DeadlineExceeded')))).toBe('PodFailed');
    const failed = podFacts([container('web', ended(1))]);
    expect(ready(statusOf(failed, went('Deleted')))).toBe('PodFailed');
  });
});
