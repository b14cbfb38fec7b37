import { getEventListeners } from 'node:events';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { HandTimers } from '../../test/fixtures/kube/hand-timers.ts';
import { type ScriptedAnswer, scriptedTransport } from '../../test/fixtures/scripted-transport.ts';
import { added, listEnd, stream } from '../../test/fixtures/watch-world.ts';
import { nodePlatform } from '../platform/node-platform.ts';
import { INITIAL_EVENTS_MS, openWatch, readLines } from './watch-stream.ts';

async function linesOf(chunks: readonly Uint8Array[], maxLength = 1_000): Promise<string[]> {
  const body = (async function* feed(): AsyncGenerator<Uint8Array> {
    yield* chunks;
  })();
  const lines: string[] = [];
  for await (const line of readLines(body, maxLength)) lines.push(line);
  return lines;
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('readLines', () => {
  it('yields the same lines however the bytes are split into chunks', async () => {
    const line = fc.string({ unit: 'grapheme', minLength: 1 }).filter((one) => !one.includes('\n'));
    await fc.assert(
      fc.asyncProperty(fc.array(line), fc.array(fc.nat(400)), async (lines, cuts) => {
        const whole = bytes(lines.map((one) => `${one}\n`).join(''));
        const places = [0, ...cuts.filter((cut) => cut < whole.length), whole.length].toSorted(
          (a, b) => a - b,
        );
        const chunks = places.slice(1).map((end, index) => whole.subarray(places[index], end));
        expect(await linesOf(chunks)).toEqual(lines);
      }),
    );
  });

  it('rejects a stream that ends within a line, after it yielded the lines before', async () => {
    const got: string[] = [];
    const reading = (async (): Promise<void> => {
      const body = (async function* feed(): AsyncGenerator<Uint8Array> {
        yield bytes('{"a":1}\n{"b"');
      })();
      for await (const line of readLines(body, 100)) got.push(line);
    })();
    await expect(reading).rejects.toThrow(/ended within a line/);
    expect(got).toEqual(['{"a":1}']);
  });

  it('rejects a line beyond the limit, with or without its line break', async () => {
    await expect(linesOf([bytes('1234\n')], 3)).rejects.toThrow(/longer than 3/);
    await expect(linesOf([bytes('12'), bytes('34')], 3)).rejects.toThrow(/longer than 3/);
    expect(await linesOf([bytes('12'), bytes('3\n')], 3)).toEqual(['123']);
  });
});

/** One watch for five minutes, on timers that the test lets expire. */
function watching(answer: ScriptedAnswer, initialEvents = false) {
  const timers = new HandTimers();
  const { signal } = new AbortController();
  const transport = scriptedTransport(() => answer);
  const platform = { clock: nodePlatform.clock, timers };
  const connection = { transport, platform, userAgent: 'test', random: () => 0 };
  const request = { path: '/watch', lastsMs: 300_000, initialEvents, signal };
  const events = openWatch(connection, request)[Symbol.asyncIterator]();
  return { timers, signal, events };
}

describe('openWatch', () => {
  it('gives a watch list its own time for the list, and then the time of the watch', async () => {
    const { timers, events } = watching(stream([added('a', '4'), listEnd('5')], 'stay'), true);
    await events.next();
    expect(timers.waiting).toEqual([INITIAL_EVENTS_MS]);
    await events.next();
    expect(timers.waiting).toEqual([300_000]);
    await events.return(undefined);
  });

  it.each([
    ['the server ends it', stream([])],
    ['it breaks', stream([], 'break')],
    ['the server refuses it', { status: 403 }],
  ])('leaves no timer and no listener when %s', async (_, answer) => {
    const { timers, signal, events } = watching(answer);
    await events.next().catch(() => null);
    expect(timers.count).toBeGreaterThan(0);
    expect(timers.waiting).toEqual([]);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
