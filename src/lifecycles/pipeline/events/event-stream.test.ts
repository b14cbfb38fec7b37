import { afterEach, describe, expect, test } from 'vitest';

import type { HttpServer } from '../../../platform/http-server.ts';
import { nodeHttpServer } from '../../../platform/node-http-server.ts';
import { SAMPLE_FACTS } from '../../../../test/fixtures/pipeline/api-facts.ts';
import { EventApi } from './api/api-service.ts';
import { eventService } from './event-service.ts';
import { EventStream, type StreamItem } from './event-stream.ts';

const never = new AbortController().signal;
const servers: HttpServer[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

function newStream(historyLimit?: number): EventStream {
  const clock = { nowMs: () => 7 };
  return new EventStream({
    runId: 'r',
    clock,
    ...(historyLimit === undefined ? {} : { historyLimit }),
  });
}

function iterate(stream: EventStream, count: number): void {
  for (let number = 1; number <= count; number += 1)
    stream.emit({ type: 'Iteration', number, changed: [] });
}

async function all(stream: EventStream, after = 0): Promise<StreamItem[]> {
  const items: StreamItem[] = [];
  for await (const item of stream.subscribe(after, never)) items.push(item);
  return items;
}

describe('the event stream', () => {
  test('gives a late subscriber the earlier events and then new ones until it is closed', async () => {
    const stream = newStream();
    iterate(stream, 1);
    const reading = all(stream);
    stream.emit({ type: 'Ended', exitCode: 0 });
    stream.close();
    stream.emit({ type: 'Ended', exitCode: 1 });
    expect(await reading).toEqual([
      {
        kind: 'event',
        id: 1,
        event: { atMs: 7, runId: 'r', type: 'Iteration', number: 1, changed: [] },
      },
      { kind: 'event', id: 2, event: { atMs: 7, runId: 'r', type: 'Ended', exitCode: 0 } },
    ]);
  });

  test('bounds its history, and reports how many events a subscriber missed', async () => {
    const stream = newStream(10);
    iterate(stream, 1_000);
    stream.close();
    expect(stream.history().length).toBeLessThanOrEqual(20);
    const [first, ...rest] = await all(stream, 5);
    expect(first).toEqual({ kind: 'missed', count: 995 - rest.length });
    expect(rest.at(-1)).toMatchObject({ id: 1_000 });
  });

  test('keeps the other events through a flood of output, and reports each gap', async () => {
    const stream = newStream(10);
    const print = (count: number): void => {
      for (let number = 0; number < count; number += 1)
        stream.emit({ type: 'Output', source: 's', stream: 'stdout', line: `${number}` });
    };
    iterate(stream, 2);
    print(500);
    iterate(stream, 1);
    print(500);
    stream.close();
    expect(stream.history().length).toBeLessThanOrEqual(23);
    const items = await all(stream);
    expect(items.slice(0, 4)).toMatchObject([
      { id: 1, event: { type: 'Iteration' } },
      { id: 2, event: { type: 'Iteration' } },
      { kind: 'missed', count: 500 },
      { id: 503, event: { type: 'Iteration' } },
    ]);
    const reported = items.reduce((sum, one) => sum + (one.kind === 'missed' ? one.count : 1), 0);
    expect([reported, items.at(-1)]).toMatchObject([1_003, { id: 1_003, event: { line: '499' } }]);
  });

  test('keeps lines that were printed together as an event each, within its bound', async () => {
    const stream = newStream(10);
    const lines = { type: 'OutputLines', source: 'x', stream: 'stdout' } as const;
    const reading = all(stream, 1);
    for (let block = 0; block < 100; block += 1) {
      stream.emit({ ...lines, text: `a${block}\nb${block}\n`, count: 3 });
    }
    iterate(stream, 1);
    stream.close();
    expect(stream.history().length).toBeLessThanOrEqual(24);
    expect(stream.history().slice(-4)).toEqual([
      ...['a99', 'b99', ''].map((line) => ({
        atMs: 7,
        runId: 'r',
        type: 'Output',
        source: 'x',
        stream: 'stdout',
        line,
      })),
      { atMs: 7, runId: 'r', type: 'Iteration', number: 1, changed: [] },
    ]);
    const [missed, ...rest] = await reading;
    expect(missed).toEqual({ kind: 'missed', count: 300 - rest.length });
    expect(rest.length).toBeGreaterThan(10);
    const events = stream.history().slice(-rest.length);
    expect(rest).toEqual(
      events.map((event, index) => ({ kind: 'event', id: 302 - events.length + index, event })),
    );
  });

  test('keeps as many lines as its bound when the oldest were printed together', () => {
    const stream = newStream(3);
    const text = 'a\nb\nc\nd\ne\nf\ng\nh';
    const print = (): void => {
      stream.emit({ type: 'Output', source: 'x', stream: 'stdout', line: 'i' });
    };
    stream.emit({ type: 'OutputLines', source: 'x', stream: 'stdout', text, count: 8 });
    for (let number = 1; number <= 3; number += 1) {
      print();
      expect(stream.history().length).toBe(number === 3 ? 3 : 8 + number);
    }
  });

  test('passes lines that were printed together to a listener as it wants them', () => {
    const stream = newStream();
    const [apart, together]: [string[], string[]] = [[], []];
    stream.listen((event) => apart.push(event.type === 'Output' ? event.line : event.type));
    stream.listen(
      ({ type }) => together.push(type),
      ({ text }) => together.push(text),
    );
    iterate(stream, 1);
    stream.emit({ type: 'OutputLines', source: 'x', stream: 'stdout', text: 'a\nb', count: 2 });
    expect(apart).toEqual(['Iteration', 'a', 'b']);
    expect(together).toEqual(['Iteration', 'a\nb']);
  });

  test('masks lines that were printed together', () => {
    const stream = newStream();
    stream.emit({
      type: 'OutputLines',
      source: 'x',
      stream: 'stdout',
      text: 'a\nhunter2',
      count: 2,
    });
    stream.maskEarlier({ text: (text) => text.replaceAll('hunter2', '***') });
    expect(stream.history()).toMatchObject([{ line: 'a' }, { line: '***' }]);
  });

  test('continues when a listener throws, and stops calling a removed listener', () => {
    const stream = newStream();
    const received: string[] = [];
    stream.listen(() => {
      throw new Error('broken');
    });
    const stop = stream.listen(({ type }) => received.push(type));
    iterate(stream, 2);
    stop();
    iterate(stream, 1);
    expect(received).toEqual(['Iteration', 'Iteration']);
  });

  test('ends a subscription when its signal aborts', async () => {
    const cancel = new AbortController();
    const waiting = newStream().subscribe(0, cancel.signal).next();
    cancel.abort();
    expect(await waiting).toEqual({ done: true, value: undefined });
  });
});

async function served(stream: EventStream): Promise<string> {
  const service = eventService(stream, new EventApi(stream, SAMPLE_FACTS));
  const server = await nodeHttpServer({ service, port: 0 });
  servers.push(server);
  return server.url;
}

describe('the events over HTTP', () => {
  test('are sent as lines of JSON, with follow and without', async () => {
    const stream = newStream();
    iterate(stream, 2);
    const url = await served(stream);
    const kept = await fetch(`${url}/events?follow=false`);
    expect(kept.headers.get('content-type')).toBe('application/x-ndjson');
    expect(
      (await kept.text())
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual(stream.history());
    const following = fetch(`${url}/events`).then((answer) => answer.text());
    stream.emit({ type: 'Ended', exitCode: 0 });
    stream.close();
    expect((await following).trimEnd().split('\n')).toHaveLength(3);
  });

  test('are sent as server-sent events that continue after Last-Event-ID', async () => {
    const stream = newStream();
    iterate(stream, 2);
    stream.close();
    const url = await served(stream);
    const headers = { accept: 'text/event-stream', 'last-event-id': '1' };
    const answer = await fetch(`${url}/events`, { headers });
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    const data = JSON.stringify(stream.history()[1]);
    expect(await answer.text()).toBe(`retry: 1000\n\nid: 2\nevent: Iteration\ndata: ${data}\n\n`);
  });

  test('are refused for a foreign origin, another method and an unknown path', async () => {
    const url = await served(newStream());
    const status = async (path: string, init: RequestInit): Promise<number> =>
      (await fetch(`${url}${path}`, init)).status;
    expect(await status('/events', { headers: { origin: 'https://evil.example' } })).toBe(403);
    expect(await status('/events', { method: 'POST' })).toBe(405);
    expect(await status('/x', {})).toBe(404);
    expect(await status('/healthz', {})).toBe(200);
  });
});
