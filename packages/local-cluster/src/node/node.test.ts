import type { Pod } from 'kubernetes-types/core/v1.js';
import { beforeEach, expect, it } from 'vitest';

import { HandTimers } from '../../../../test/fixtures/kube/hand-timers.ts';
import { UnreachableError } from '../../../../src/kube/api-error.ts';
import { LocalNode, type NodeOptions } from './node.ts';

type Listener = (change: { before: Pod | null; after: Pod | null }) => void;

const pod = (spec: Partial<Pod['spec']>, metadata: Pod['metadata'] = {}): Pod => ({
  metadata: { namespace: 'shop', name: 'web', uid: 'uid-1', ...metadata },
  spec: { containers: [], ...spec },
});

/** Deletions of pods, and reasons of Events, in the order in which they happened. */
let acts: string[];
let timers: HandTimers;
let failures: Error[];
/** Names of the directories of pods. */
let folders: string[];
/** Containers that the runtime already has. */
let containers: object[];
/** Reports a change of a pod to the node. */
let follow: Listener;

const node = (): LocalNode => {
  const client = {
    delete: async (_resource: unknown, { name }: { name: string }, options: object) => {
      for (const failure of failures.splice(0, 1)) throw failure;
      acts.push(`delete ${name} ${JSON.stringify(options)}`);
    },
  };
  const files = {
    makeFolder: async () => undefined,
    list: async () => folders,
    remove: async (path: string) => {
      for (const failure of failures.splice(0, 1)) throw failure;
      acts.push(`remove ${path}`);
    },
  };
  const start = (): object => ({
    over: Promise.resolve(),
    update: () => undefined,
    remove: async () => undefined,
  });
  return new LocalNode({
    client,
    recorder: { record: ({ reason }: { reason: string }) => void acts.push(reason) },
    random: () => 0,
    platform: { files, timers, clock: { nowMs: () => 0 } },
    runtimes: new Map([['', { name: 'process', list: async () => containers }]]),
    podWorkers: { passingConditions: [], start },
    pods: {
      synced: async () => undefined,
      list: () => [],
      listen: (listener: Listener) => {
        follow = listener;
        return () => undefined;
      },
    },
    endedByUs: new Set(),
    stateFolder: '/state',
    podRange: '127.10.',
    oneLoopbackAddress: false,
  } as unknown as NodeOptions);
};

beforeEach(async () => {
  acts = [];
  timers = new HandTimers();
  failures = [];
  folders = [];
  containers = [];
  await node().start();
});

/** Lets all started work run until it waits for a timer or a promise of the test. */
const turns = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

it('deletes a terminating pod of a runtime class that it does not support', async () => {
  const unsupported = { runtimeClassName: 'gvisor' };
  failures.push(new UnreachableError('no answer', { sent: true }));
  follow({ before: null, after: pod(unsupported) });
  await turns();
  expect(acts).toEqual(['FailedCreatePodSandBox']);
  const deletionTimestamp = '2026-01-01T00:00:00Z';
  follow({ before: pod(unsupported), after: pod(unsupported, { deletionTimestamp }) });
  await timers.expire(100);
  await turns();
  const precondition = '{"gracePeriodSeconds":0,"preconditions":{"uid":"uid-1"}}';
  expect(acts).toEqual(['FailedCreatePodSandBox', `delete web ${precondition}`]);
});

it('reports a deleted pod whose directory it cannot remove, and keeps running', async () => {
  follow({ before: null, after: pod({}) });
  failures.push(new Error('EBUSY'));
  follow({ before: pod({}), after: null });
  await turns();
  expect(acts).toEqual(['FailedKillPod']);
});

const orphan = (remove: () => Promise<void>): object => {
  const labels = { podUid: 'uid-9', namespace: 'shop', pod: 'old', container: 'c' };
  return { labels: { ...labels, restartCount: '0' }, end: {}, remove };
};

it('removes at its start what pods left that the API server no longer has', async () => {
  containers = [orphan(async () => void acts.push('remove a container'))];
  folders = ['uid-8', 'uid-9'];
  await node().start();
  expect(acts.toSorted()).toEqual([
    'remove /state/pods/uid-8',
    'remove /state/pods/uid-9',
    'remove a container',
  ]);
});

it('starts although it cannot remove a container of a pod that the API server no longer has', async () => {
  containers = [orphan(() => Promise.reject(new Error('EBUSY')))];
  folders = ['uid-9'];
  await node().start();
  expect(acts).toEqual(['FailedKillPod']);
});

it('starts although a container of a pod that the API server no longer has does not end', async () => {
  const kill = (): Promise<void> => new Promise(() => undefined);
  containers = [{ ...orphan(async () => undefined), end: null, kill }];
  const started = node().start();
  await turns();
  await timers.expire(10_000);
  await started;
});

it('follows no pods if it was stopped while it starts', async () => {
  let removed = (): void => undefined;
  containers = [orphan(() => new Promise((resolve) => void (removed = resolve)))];
  const stopping = node();
  const started = stopping.start();
  await turns();
  const notFollowed: Listener = () => undefined;
  follow = notFollowed;
  stopping.stop();
  removed();
  await started;
  expect(follow).toBe(notFollowed);
});
