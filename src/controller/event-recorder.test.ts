import type { Event } from 'kubernetes-types/core/v1.js';
import { beforeEach, describe, expect, it } from 'vitest';

import { type Widget, widgets } from '../../test/sim/controller/sample-controller.ts';
import { SimBench } from '../../test/sim/controller/sim-bench.ts';
import { noNetworkFaults } from '../../test/sim/controller/sim-client.ts';
import { events } from '../kube/resources.ts';
import type { ControllerEvent } from './controller-event.ts';
import { aboutObject, EventRecorder, MAX_PENDING } from './event-recorder.ts';

let bench: SimBench;
let recorder: EventRecorder;
let reported: ControllerEvent[];

const widget: Widget = { metadata: { namespace: 'ns', name: 'w', uid: 'u' } };

function record(message: string, object: Widget = widget): void {
  recorder.record({ about: aboutObject(widgets, object), type: 'Normal', reason: 'Test', message });
}

const stored = (): Event[] => bench.api.list(events) as unknown as Event[];

const counts = (): [string, number][] =>
  stored().map(({ message = '', count = 0 }) => [message, count]);

beforeEach(() => {
  bench = new SimBench();
  reported = [];
  let dice = 0;
  recorder = new EventRecorder({
    client: bench.client,
    component: 'lifehook-test',
    platform: bench.host,
    random: () => (dice += 0.001) % 1,
    observe: (event) => reported.push(event),
  });
});

describe('EventRecorder', () => {
  it('creates an Event with the involved object, the reason and the source', async () => {
    record('it happened');
    await bench.pass(100);
    expect(stored()).toMatchObject([
      {
        metadata: { namespace: 'ns' },
        involvedObject: {
          apiVersion: 'sample.lifehook.dev/v1',
          kind: 'Widget',
          namespace: 'ns',
          name: 'w',
          uid: 'u',
        },
        type: 'Normal',
        reason: 'Test',
        message: 'it happened',
        count: 1,
        firstTimestamp: '2026-01-01T00:00:00Z',
        source: { component: 'lifehook-test' },
      },
    ]);
    expect(stored()[0]?.metadata.name).toMatch(/^w\.[0-9a-f]{19}$/);
  });

  it('records as another component with its own source, and stops together with it', async () => {
    const node = recorder.as({ component: 'kubelet', host: 'node-1' });
    const about = aboutObject(widgets, widget);
    for (const one of [recorder, node]) {
      one.record({ about, type: 'Normal', reason: 'Test', message: 'the same' });
    }
    await bench.until(recorder.stop());
    node.record({ about, type: 'Normal', reason: 'Test', message: 'too late' });
    await bench.pass(100);
    const tellers = stored().map(({ count, source, reportingInstance }) => [
      count,
      source,
      reportingInstance,
    ]);
    expect(tellers).toHaveLength(2);
    expect(tellers).toContainEqual([1, { component: 'lifehook-test' }, undefined]);
    expect(tellers).toContainEqual([1, { component: 'kubelet', host: 'node-1' }, 'node-1']);
  });

  it('CTRL-V1: increments the count of the same Event for a repeated message', async () => {
    for (let times = 0; times < 5; times += 1) {
      record('again');
      await bench.pass(2_000);
    }
    expect(counts()).toEqual([['again', 5]]);
    expect(stored()[0]?.lastTimestamp).toBe('2026-01-01T00:00:08Z');
  });

  it('CTRL-N2: counts a burst in one request', async () => {
    for (let times = 0; times < 20; times += 1) record('burst');
    await bench.pass(1_000);
    expect([counts(), bench.writes]).toEqual([[['burst', 20]], 1]);
  });

  it('CTRL-V2: combines many similar messages into one Event', async () => {
    for (let index = 1; index <= 14; index += 1) {
      record(`message ${index}`);
      await bench.pass(100);
    }
    expect(counts()).toHaveLength(10);
    expect(counts().at(-1)).toEqual(['(combined from similar events): message 14', 5]);
  });

  it('CTRL-V3: limits the rate of Events of one object, and still counts the withheld ones', async () => {
    for (let times = 0; times < 100; times += 1) {
      record('flood');
      await bench.pass(50);
    }
    expect([counts(), bench.writes]).toEqual([[['flood', 25]], 25]);
    await bench.pass(300_000);
    record('flood');
    await bench.pass(100);
    expect(counts()).toEqual([['flood', 101]]);
  });

  it('creates a new Event when the old one was deleted', async () => {
    record('rare');
    await bench.pass(100);
    bench.api.delete(events, { namespace: 'ns', name: stored()[0]?.metadata.name ?? '' }, {});
    record('rare');
    await bench.pass(100);
    expect(counts()).toEqual([['rare', 2]]);
  });

  it('creates no second Event when the response to the first create is lost', async () => {
    bench.faults = { ...noNetworkFaults, answerLost: 1 };
    record('once');
    await bench.pass(30_100);
    bench.faults = noNetworkFaults;
    await bench.pass(60_000);
    expect(counts()).toEqual([['once', 1]]);
  });

  it('CTRL-N3: drops an Event after a few retries, reports EventDropped and sends the next one', async () => {
    bench.faults = { ...noNetworkFaults, refused: 1 };
    record('lost');
    await bench.pass(60_000);
    bench.faults = noNetworkFaults;
    record('found');
    await bench.pass(1_000);
    expect(counts()).toEqual([['found', 1]]);
    const reason: unknown = expect.stringContaining('connection refused');
    expect(reported).toEqual([{ type: 'EventDropped', reason }]);
  });

  it('CTRL-N2: drops Events beyond the maximum of pending ones', async () => {
    for (let index = 0; index < MAX_PENDING + 5; index += 1) {
      record('one', { metadata: { namespace: 'ns', name: `w-${index}`, uid: `u-${index}` } });
    }
    expect(reported).toEqual(
      Array.from({ length: 5 }, () => ({
        type: 'EventDropped',
        reason: '1000 events wait to be written',
      })),
    );
    await bench.pass(100_000);
    expect(stored()).toHaveLength(MAX_PENDING);
  });

  it('sends pending Events when it is stopped, and ignores later ones', async () => {
    record('last');
    await bench.until(recorder.stop());
    expect(counts()).toEqual([['last', 1]]);
    record('too late');
    await bench.pass(1_000);
    expect(counts()).toEqual([['last', 1]]);
    expect(reported).toEqual([]);
  });

  it('waits at most about 3 s for an unresponsive server when it is stopped', async () => {
    bench.faults = { ...noNetworkFaults, requestLost: 1 };
    record('last');
    await bench.pass(100);
    const beganMs = bench.world.elapsedMs;
    await bench.until(recorder.stop());
    expect(bench.world.elapsedMs - beganMs).toBeLessThan(3_100);
    expect(reported).toEqual([{ type: 'EventDropped', reason: 'the recorder was stopped' }]);
  });

  it('truncates a message and a name that the server would refuse', async () => {
    record('x'.repeat(1_025), { metadata: { namespace: 'ns', name: 'n'.repeat(253) } });
    record('x'.repeat(1_024));
    record(`${'x'.repeat(1_022)}\u{1F600}y`);
    await bench.pass(100);
    expect(stored().map(({ message }) => message)).toEqual([
      `${'x'.repeat(1_023)}…`,
      'x'.repeat(1_024),
      `${'x'.repeat(1_022)}…`,
    ]);
    expect(stored()[0]?.metadata.name).toHaveLength(253);
  });

  it.each(['.', '-', '--'])(
    'truncates a name in front of "%s", which no label ends with',
    async (sign) => {
      const name = `a.b-${'n'.repeat(229 - sign.length)}${sign}${'m'.repeat(20)}`;
      record('it happened', { metadata: { namespace: 'ns', name } });
      await bench.pass(100);
      expect(stored()[0]?.metadata.name).toMatch(/^a\.b-n+\.[0-9a-f]{19}$/);
    },
  );
});
