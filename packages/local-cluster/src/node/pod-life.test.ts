import type { Pod, PodStatus } from 'kubernetes-types/core/v1.js';
import { beforeEach, expect, it } from 'vitest';

import { type Deferred, deferred } from '../../../../test/fixtures/deferred.ts';
import { HandTimers } from '../../../../test/fixtures/kube/hand-timers.ts';
import { UnreachableError } from '../../../../src/kube/api-error.ts';
import { type LifeOptions, PodLife } from './pod-life.ts';

const pod: Pod = {
  metadata: { namespace: 'shop', name: 'web', uid: 'uid-1' },
  spec: { containers: [] },
};
const terminating: Pod = {
  ...pod,
  metadata: { ...pod.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' },
};

/** Requests and removals in the order in which they happened. */
let acts: string[];
let timers: HandTimers;
let over: Deferred<void>;
let report: (status: PodStatus) => void;
let failures: Error[];

beforeEach(() => {
  acts = [];
  timers = new HandTimers();
  over = deferred();
  failures = [];
});

function makeLife(of: Pod): PodLife {
  const clock = { nowMs: () => 0, monotonicMs: () => 0 };
  const files = { remove: async (path: string) => void acts.push(`remove ${path}`) };
  const client = {
    patch: async (_resource: unknown, _key: unknown, { body }: { body: { status: PodStatus } }) => {
      for (const failure of failures.splice(0, 1)) throw failure;
      acts.push(`status ${body.status.phase}`);
    },
    delete: async (_resource: unknown, { name }: { name: string }, options: object) => {
      for (const failure of failures.splice(0, 1)) throw failure;
      acts.push(`delete ${name} ${JSON.stringify(options)}`);
    },
  };
  const worker = {
    over: over.promise,
    update: () => undefined,
    release: () => undefined,
    remove: async () => void acts.push('remove the records of its containers'),
  };
  const podWorkers = {
    passingConditions: [],
    start: (driving: { report: typeof report }) => {
      ({ report } = driving);
      return worker;
    },
  };
  const options = { pod: of, client, podWorkers, podFolder: '/pods/web', random: () => 0 };
  const machine = { platform: { clock, timers, files }, runtime: { name: 'process' } };
  return new PodLife({ ...options, ...machine, found: [] } as unknown as LifeOptions);
}

/** Lets all started work run until it waits for a timer or a promise of the test. */
const turns = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

it('deletes a terminating pod by its UID, once its last status is written', async () => {
  makeLife(terminating);
  await turns();
  expect(acts).toEqual([]);
  failures.push(new UnreachableError('no answer', { sent: true }));
  report({ phase: 'Succeeded' });
  over.resolve();
  await turns();
  expect(acts).toEqual([]);
  await timers.expire(50);
  await turns();
  const precondition = '{"gracePeriodSeconds":0,"preconditions":{"uid":"uid-1"}}';
  expect(acts).toEqual(['status Succeeded', `delete web ${precondition}`]);
});

it('tries to delete a terminating pod again until the server has answered, or it is released', async () => {
  const life = makeLife(terminating);
  const lost = new UnreachableError('no answer', { sent: true });
  failures.push(lost, lost);
  over.resolve();
  await timers.expire(100);
  await timers.reached(2);
  life.release();
  await turns();
  expect([acts, timers.waiting]).toEqual([[], []]);
});

it('removes the directory of a deleted pod once its containers have stopped', async () => {
  const ended = makeLife(pod).ended();
  await turns();
  expect(acts).toEqual([]);
  over.resolve();
  await ended;
  expect(acts).toEqual(['remove the records of its containers', 'remove /pods/web']);
});
