import type { Event } from 'kubernetes-types/core/v1.js';
import { beforeEach, describe, expect, it } from 'vitest';

import { HandTimers } from '../../test/fixtures/kube/hand-timers.ts';
import { type Widget, widgets } from '../../test/sim/controller/sample-controller.ts';
import { SimBench } from '../../test/sim/controller/sim-bench.ts';
import { ApiError } from '../kube/api-error.ts';
import type { KubeClient } from '../kube/client.ts';
import { events } from '../kube/resources.ts';
import type { ControllerEvent } from './controller-event.ts';
import { aboutObject, EventRecorder } from './event-recorder.ts';

let bench: SimBench;
let recorder: EventRecorder;
let reported: ControllerEvent[];
/** The errors with which the server answers the next writes. When the list is empty, writes succeed. */
let failures: Error[];
/** The requests so far, such as "create ns". */
let sent: string[];

function record(
  message: string,
  metadata: Widget['metadata'] = { namespace: 'ns', name: 'w' },
): void {
  const about = aboutObject(widgets, { metadata });
  recorder.record({ about, type: 'Normal', reason: 'Test', message });
}

const stored = (): Event[] => bench.api.list(events) as unknown as Event[];

function failing(client: KubeClient): KubeClient {
  const answer = <T>(write: string, work: () => Promise<T>): Promise<T> => {
    sent.push(write);
    const failure = failures.shift();
    return failure === undefined ? work() : Promise.reject(failure);
  };
  return {
    ...client,
    create: (resource, object, options) =>
      answer(`create ${object.metadata?.namespace}`, () =>
        client.create(resource, object, options),
      ),
    patch: (resource, key, options) =>
      answer(`patch ${key.namespace}`, () => client.patch(resource, key, options)),
  };
}

beforeEach(() => {
  bench = new SimBench();
  [reported, failures, sent] = [[], [], []];
  let dice = 0;
  recorder = new EventRecorder({
    client: failing(bench.client),
    component: 'lifehook-test',
    platform: bench.host,
    random: () => (dice += 0.001) % 1,
    observe: (event) => reported.push(event),
  });
});

describe('an Event whose write is refused', () => {
  it.each([400, 403, 404, 422])(
    'CTRL-N3: is dropped at once, with the reason, if a retry would fail again: %i',
    async (code) => {
      failures = [new ApiError(code, { message: 'refused' })];
      record('first');
      await bench.pass(60_000);
      expect(sent).toEqual(['create ns']);
      expect(reported).toEqual([{ type: 'EventDropped', reason: 'refused' }]);
    },
  );

  it.each([409, 429, 500, 503])(
    'is written again if the failure may be temporary: %i',
    async (code) => {
      failures = [new ApiError(code, { message: 'busy' })];
      record('first');
      await bench.pass(60_000);
      expect(stored().map(({ message }) => message)).toEqual(['first']);
      expect(reported).toEqual([]);
    },
  );

  it('is written again if no answer arrived in time', async () => {
    failures = [new DOMException('the request took too long', 'TimeoutError')];
    record('first');
    await bench.pass(60_000);
    expect(stored().map(({ message }) => message)).toEqual(['first']);
    expect(reported).toEqual([]);
  });

  it('gets another name, so that it never changes an Event of the name that it had', async () => {
    failures = [new ApiError(409, { reason: 'AlreadyExists' })];
    record('first');
    await bench.pass(60_000);
    expect(sent).toEqual(['create ns', 'create ns']);
  });

  it('is reported to the observer of the recorder, also by another component', async () => {
    failures = [new ApiError(403, { message: 'refused' })];
    const node = recorder.as({ component: 'kubelet' });
    const about = aboutObject(widgets, { metadata: { namespace: 'ns', name: 'w' } });
    node.record({ about, type: 'Normal', reason: 'Test', message: 'first' });
    await bench.pass(60_000);
    expect(reported).toEqual([{ type: 'EventDropped', reason: 'refused' }]);
  });
});

describe('a repeated Event', () => {
  it('keeps its one object if the increase of its count fails at first', async () => {
    record('again');
    await bench.pass(100);
    failures = [new ApiError(503, { message: 'busy' })];
    record('again');
    await bench.pass(60_000);
    expect(sent).toEqual(['create ns', 'patch ns', 'patch ns']);
    expect(stored().map(({ count }) => count)).toEqual([2]);
  });

  it('about a cluster-scoped object is in the namespace "default"', async () => {
    record('again', { name: 'w' });
    await bench.pass(100);
    record('again', { name: 'w' });
    await bench.pass(100);
    expect(sent).toEqual(['create default', 'patch default']);
    expect(stored()).toMatchObject([{ metadata: { namespace: 'default' }, count: 2 }]);
  });
});

it('CTRL-N1: returns before anything is sent, and throws nothing that its client or its observer throws', async () => {
  const fail = (): never => {
    throw new Error('no');
  };
  const client = { create: fail, patch: fail } as unknown as KubeClient;
  const options = { client, component: 'test', platform: bench.host, random: () => 0 };
  recorder = new EventRecorder({ ...options, observe: fail });
  record('first');
  recorder = new EventRecorder({ ...options, client: failing(bench.client) });
  record('second');
  expect(sent).toEqual([]);
  await bench.pass(60_000);
  expect(stored().map(({ message }) => message)).toEqual(['second']);
});

describe('aboutObject', () => {
  it('names the object, and the version of it that the Event is about', () => {
    const metadata = { namespace: 'ns', name: 'w', uid: 'u', resourceVersion: '7', labels: {} };
    expect(aboutObject(widgets, { metadata })).toEqual({
      apiVersion: 'sample.lifehook.dev/v1',
      kind: 'Widget',
      namespace: 'ns',
      name: 'w',
      uid: 'u',
      resourceVersion: '7',
    });
  });
});

it('leaves no timer behind when it has stopped', async () => {
  const timers = new HandTimers();
  const client = { create: () => Promise.resolve({}) } as unknown as KubeClient;
  const platform = { clock: bench.host.clock, timers };
  const stopped = new EventRecorder({ client, component: 'test', platform, random: () => 0 });
  const about = aboutObject(widgets, { metadata: { namespace: 'ns', name: 'w' } });
  stopped.record({ about, type: 'Normal', reason: 'Test', message: 'it happened' });
  await stopped.stop();
  expect([timers.count, timers.waiting]).toEqual([1, []]);
});
