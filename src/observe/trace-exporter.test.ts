import { expect, it } from 'vitest';

import type { Timers } from '../platform/platform.ts';
import type { PostAnswer, SendQueue } from './send-queue.ts';
import {
  BATCH_SPANS_MAX,
  makeTraceExporter,
  QUEUE_SPANS_MAX,
  type TraceNote,
} from './trace-exporter.ts';
import type { Span } from './trace-span.ts';

const TAKEN: PostAnswer = { kind: 'taken' };
const BUSY: PostAnswer = { kind: 'busy', why: 'full' };

/** Timers on which time passes only when the test advances it. */
class HandTimers implements Timers {
  #nowMs = 0;
  #waiting: { readonly atMs: number; readonly call: () => void }[] = [];

  after(ms: number, callback: () => void): () => void {
    const one = { atMs: this.#nowMs + ms, call: callback };
    this.#waiting.push(one);
    return () => {
      this.#waiting = this.#waiting.filter((other) => other !== one);
    };
  }

  get count(): number {
    return this.#waiting.length;
  }

  async pass(ms: number): Promise<void> {
    this.#nowMs += ms;
    const due = this.#waiting.filter(({ atMs }) => atMs <= this.#nowMs);
    this.#waiting = this.#waiting.filter((one) => !due.includes(one));
    for (const { call } of due) call();
    // Lets the promises that waited for these callbacks continue.
    await new Promise(setImmediate);
  }
}

function bench(...answers: readonly PostAnswer[]): {
  readonly exporter: SendQueue<Span>;
  readonly timers: HandTimers;
  readonly posts: (readonly string[])[];
  readonly notes: TraceNote[];
} {
  const timers = new HandTimers();
  const posts: string[][] = [];
  const notes: TraceNote[] = [];
  const exporter = makeTraceExporter({
    post: async (spans) => {
      posts.push(spans.map(({ name }) => name));
      return answers[posts.length - 1] ?? TAKEN;
    },
    timers,
    observe: (note) => notes.push(note),
  });
  return { exporter, timers, posts, notes };
}

function span(name: string): Span {
  const ids = { traceId: 'a', spanId: 'b', parentSpanId: null };
  return { ...ids, name, startMs: 0, endMs: 0, attributes: {}, error: null };
}

it('sends the spans of one second in one request', async () => {
  const { exporter, timers, posts, notes } = bench();
  exporter.add(span('one'));
  await timers.pass(900);
  exporter.add(span('two'));
  expect(posts).toEqual([]);
  await timers.pass(100);
  expect(posts).toEqual([['one', 'two']]);
  expect(notes).toEqual([{ type: 'SpansSent', spans: 2 }]);
});

it('retries spans when the collector was busy, and drops spans that it refused', async () => {
  const { exporter, timers, posts, notes } = bench(BUSY, { kind: 'refused', why: 'bad' });
  exporter.add(span('one'));
  await timers.pass(1_000);
  await timers.pass(4_999);
  expect(posts).toEqual([['one']]);
  await timers.pass(1);
  expect(posts).toEqual([['one'], ['one']]);
  exporter.add(span('two'));
  await timers.pass(1_000);
  expect(posts.at(-1)).toEqual(['two']);
  expect(notes).toEqual([
    { type: 'CollectorBusy', why: 'full' },
    { type: 'SpansDropped', spans: 1, why: 'bad' },
    { type: 'SpansSent', spans: 1 },
  ]);
});

it('drops and counts spans beyond its queue, and sends the rest in batches', async () => {
  const { exporter, timers, posts, notes } = bench();
  for (let count = 0; count <= QUEUE_SPANS_MAX; count += 1) exporter.add(span(`${count}`));
  expect(notes).toEqual([{ type: 'SpansDropped', spans: 1, why: '2048 spans wait already' }]);
  for (let seconds = 0; seconds < 10; seconds += 1) await timers.pass(1_000);
  expect(posts.map(({ length }) => length)).toEqual(
    Array.from({ length: QUEUE_SPANS_MAX / BATCH_SPANS_MAX }, () => BATCH_SPANS_MAX),
  );
});

it('sends its queue when it is stopped, and drops later spans', async () => {
  const { exporter, posts, notes } = bench();
  exporter.add(span('one'));
  await exporter.stop();
  exporter.add(span('two'));
  expect(posts).toEqual([['one']]);
  expect(notes.at(-1)).toEqual({ type: 'SpansDropped', spans: 1, why: 'the program ends' });
});

it('stops within two seconds when the collector does not answer', async () => {
  const timers = new HandTimers();
  const notes: TraceNote[] = [];
  const exporter = makeTraceExporter({
    post: (_, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          resolve(BUSY);
        });
      }),
    timers,
    observe: (note) => notes.push(note),
  });
  exporter.add(span('one'));
  await timers.pass(1_000);
  const stopped = exporter.stop();
  await timers.pass(2_000);
  await stopped;
  expect(notes.at(-1)).toEqual({ type: 'SpansDropped', spans: 1, why: 'the program ends' });
});

it('says why the collector took no spans when it is stopped', async () => {
  const { exporter, notes } = bench(BUSY);
  exporter.add(span('one'));
  await exporter.stop();
  expect(notes.at(-1)).toEqual({ type: 'SpansDropped', spans: 1, why: 'the program ends: full' });
});

it('leaves no timer when it has stopped', async () => {
  const { exporter, timers } = bench(TAKEN);
  exporter.add(span('a'));
  await exporter.stop();
  expect(timers.count).toBe(0);
});
