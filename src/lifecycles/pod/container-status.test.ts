/** Tests the status of one container in the API: its state, its last state, its id and its resources. */
import type { ContainerStatus } from 'kubernetes-types/core/v1.js';
import { describe, expect, test } from 'vitest';

import {
  ABSENT,
  containerFacts as container,
  ended,
  NOW_MS,
  podFacts,
  RUNNING,
  STARTING,
  STOPPING,
  UNSTARTABLE,
} from '../../../test/fixtures/pod-facts.ts';
import type { ContainerEnd, RunningContainer } from '../../platform/container-runtime.ts';
import { containerStatus, type StatusOfContainer } from './status.ts';
import type { ContainerFacts } from './facts.ts';
import type { Run } from './run.ts';

const bad: ContainerEnd = { exitCode: 3, signal: null, endedAtMs: NOW_MS, reason: 'Error' };

function runOf(count: number, end: ContainerEnd | null): Run {
  const running: RunningContainer = {
    id: `u_web_${count}`,
    labels: {},
    pid: 1,
    imageId: '',
    startedAtMs: NOW_MS - 60_000,
    logPath: '',
    ended: new Promise(() => {}),
    end,
    signal: () => Promise.resolve(),
    kill: () => Promise.resolve(),
    exec: () => {
      throw new Error('nothing runs in it');
    },
    attach: () => {
      throw new Error('nobody attaches');
    },
    remove: () => Promise.resolve(),
  };
  const identity = { podUid: 'u', namespace: 'default', pod: 'pod', container: 'web' };
  return {
    identity: { ...identity, restartCount: count, backoffSeconds: null },
    container: running,
    failure: null,
    startedAtMs: running.startedAtMs,
  };
}

type Reporting = Partial<StatusOfContainer> & { readonly initContainers?: object[] };

function reported(
  facts: ContainerFacts,
  { initContainers = [], ...more }: Reporting = {},
): ContainerStatus {
  const known = { current: null, last: null, restarts: false, runtime: 'sim', imageId: 'sha256:1' };
  const { pod } = podFacts([facts]);
  const spec = { ...pod.spec, containers: [], initContainers: initContainers as never };
  return containerStatus({ facts, ...known, ...more }, { ...pod, spec });
}

const exited = (count: number, more: object = {}): object => ({
  terminated: {
    exitCode: 3,
    reason: 'Error',
    startedAt: '2026-01-01T00:09:00Z',
    finishedAt: '2026-01-01T00:10:00Z',
    containerID: `sim://u_web_${count}`,
    ...more,
  },
});

describe('the state of a container', () => {
  const creating = { waiting: { reason: 'ContainerCreating' } };

  test.each([
    ['is absent', ABSENT, creating],
    ['starts', STARTING, creating],
    ['lacks a volume', { ...UNSTARTABLE, reason: 'FailedMount' }, creating],
    [
      'lacks its image',
      UNSTARTABLE,
      { waiting: { reason: 'ErrImageNeverPull', message: 'no such image' } },
    ],
    ['runs', RUNNING, { running: { startedAt: '2026-01-01T00:09:00Z' } }],
    ['is being stopped', STOPPING, { running: { startedAt: '2026-01-01T00:09:00Z' } }],
    ['is stopped before it had a process', { kind: 'stopping', startedAtMs: null }, creating],
  ] as const)('that %s', (_, life, state) => {
    expect(reported(container('web', life)).state).toEqual(state);
  });

  test('that is yet to start is PodInitializing in a pod with init containers', () => {
    const initContainers = [{ name: 'setup' }];
    expect(reported(container('web', ABSENT), { initContainers }).state).toEqual({
      waiting: { reason: 'PodInitializing' },
    });
  });

  test('that waits for its next run is CrashLoopBackOff, and its end is the last state', () => {
    const facts = container('web', ended(3, { pauseSeconds: 20 }));
    const current = runOf(1, bad);
    const { state, lastState } = reported(facts, { current, last: runOf(0, bad), restarts: true });
    expect(state).toEqual({
      waiting: {
        reason: 'CrashLoopBackOff',
        message: 'back-off 20s restarting failed container=web pod=pod_default(u)',
      },
    });
    expect(lastState).toEqual(exited(1));
  });

  test('that has ended permanently is its end, and the run before is the last state', () => {
    const facts = container('web', ended(3));
    const { state, lastState } = reported(facts, { current: runOf(1, bad), last: runOf(0, bad) });
    expect(state).toEqual(exited(1));
    expect(lastState).toEqual(exited(0));
    expect(reported(facts, { current: runOf(0, bad) }).lastState).toEqual({});
    expect(reported(facts).state).toEqual({});
  });

  test('that runs has the run before as its last state', () => {
    const facts = container('web', RUNNING);
    const runs = { current: runOf(1, null), last: runOf(0, bad) };
    expect(reported(facts, runs).lastState).toEqual(exited(0));
    const starting = { current: runOf(1, bad), last: runOf(0, bad) };
    expect(reported(container('web', STARTING), starting).lastState).toEqual(exited(1));
    expect(reported(facts, { current: runOf(1, null), last: runOf(0, null) }).lastState).toEqual(
      {},
    );
  });

  test.each([
    ['SIGTERM', 143],
    ['SIGKILL', 137],
    [null, 137],
  ])('that ended by signal %s has exit code %i', (signal, exitCode) => {
    const end = { ...bad, exitCode: null, signal };
    const { state } = reported(container('web', ended(null)), { current: runOf(0, end) });
    expect(state).toEqual(exited(0, { exitCode }));
  });

  test('that has left a message says it', () => {
    const end = { ...bad, message: 'out of disk' };
    const { state } = reported(container('web', ended(3)), { current: runOf(0, end) });
    expect(state).toEqual(exited(0, { message: 'out of disk' }));
  });

  test('of a program that could not be started has no id', () => {
    const failed = { ...runOf(0, null), container: null, failure: bad };
    const status = reported(container('web', ended(3)), { current: failed });
    expect(status.state?.terminated).not.toHaveProperty('containerID');
    expect(status).not.toHaveProperty('containerID');
    expect(status).not.toHaveProperty('resources');
  });
});

describe('the status of a container', () => {
  test('is ready as its probe says, and an init container is ready once it has ended well', () => {
    expect(reported(container('web', RUNNING, { ready: true, started: true }))).toMatchObject({
      ready: true,
      started: true,
    });
    expect(reported(container('sidecar:log', RUNNING)).ready).toBe(false);
    expect(reported(container('init:a', RUNNING, { ready: true })).ready).toBe(false);
    expect(reported(container('init:a', ended(0))).ready).toBe(true);
    expect(reported(container('init:a', ended(1))).ready).toBe(false);
    expect(reported(container('web', ended(0))).ready).toBe(false);
  });

  test('has the id and the image that it runs with, not the ones it is to have', () => {
    const ran = { image: 'app:1', resources: {} };
    const facts = container('web', RUNNING, { spec: { image: 'app:2' }, ran, restartCount: 2 });
    expect(reported(facts, { current: runOf(2, null) })).toMatchObject({
      name: 'web',
      restartCount: 2,
      image: 'app:1',
      imageID: 'sha256:1',
      containerID: 'sim://u_web_2',
    });
    expect(reported(container('web', ABSENT, { spec: { image: 'app:2' } })).image).toBe('app:2');
    expect(reported(container('web', ABSENT)).image).toBe('');
  });

  test('has the resources that it has, and as allocated those that it is to have', () => {
    const ran = { image: '', resources: { requests: { cpu: '1' } } };
    const spec = { resources: { requests: { cpu: '2' } } };
    const current = runOf(0, null);
    expect(reported(container('web', RUNNING, { spec, ran }), { current })).toMatchObject({
      allocatedResources: { cpu: '2' },
      resources: { requests: { cpu: '1' } },
    });
    const bare = reported(container('web', RUNNING), { current });
    expect(bare).toMatchObject({ resources: {} });
    expect(bare).not.toHaveProperty('allocatedResources');
  });
});
