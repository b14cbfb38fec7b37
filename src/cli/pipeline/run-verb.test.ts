import { EventEmitter } from 'node:events';
import { PassThrough, type Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it, test } from 'vitest';

import { interruptions, SAME_ONE_MS, type Screens, screensOf } from './run-verb.ts';

interface Stand extends Screens {
  /** All writes to both streams, in their order. */
  readonly writes: string[];
}

function stand(): Stand {
  const writes: string[] = [];
  const streamOf = (name: string): NodeJS.WriteStream => {
    const stream: Writable = new PassThrough();
    return Object.assign(stream, {
      isTTY: false,
      write: (text: string) => {
        writes.push(`${name} ${text}`);
        return true;
      },
    }) as unknown as NodeJS.WriteStream;
  };
  return { ...screensOf(streamOf('out'), streamOf('err')), writes };
}

it('what is written in one turn is one write, in the order of both streams', async () => {
  const { out, err, writes } = stand();
  out.write('a');
  await Promise.resolve();
  out.write('b');
  err.write('c');
  out.write('d');
  expect(writes).toEqual(['out ab', 'err c']);
  await nextTurn();
  expect(writes).toEqual(['out ab', 'err c', 'out d']);
  out.write('e');
  await nextTurn();
  expect(writes.slice(3)).toEqual(['out e']);
});

it('a flush writes what is held at once, and only once', async () => {
  const { out, flush, writes } = stand();
  flush();
  out.write('a');
  flush();
  expect(writes).toEqual(['out a']);
  out.write('b');
  await nextTurn();
  await nextTurn();
  expect(writes).toEqual(['out a', 'out b']);
});

it('a flood is written before the turn ends', () => {
  const { out, writes } = stand();
  for (let piece = 0; piece < 100; piece += 1) out.write('x'.repeat(1_000));
  expect(writes).toHaveLength(1);
  expect(writes[0]?.length).toBeLessThan(70_000);
});

test('the first signal stops the run, one right after it is ignored, and a later one skips cleanup', () => {
  let nowMs = 1_000;
  const source = new EventEmitter();
  const { signal, hurry } = interruptions({ monotonicMs: () => nowMs }, source);
  expect([signal.aborted, hurry.aborted]).toEqual([false, false]);
  source.emit('SIGINT');
  source.emit('SIGINT');
  nowMs += SAME_ONE_MS - 1;
  source.emit('SIGTERM');
  expect([signal.aborted, hurry.aborted]).toEqual([true, false]);
  nowMs += 1;
  source.emit('SIGINT');
  expect([signal.aborted, hurry.aborted]).toEqual([true, true]);
});

test('a verb that is aborted names the signal', () => {
  const source = new EventEmitter();
  const { signal } = interruptions({ monotonicMs: () => 0 }, source);
  source.emit('SIGTERM');
  expect(signal.reason).toBe('SIGTERM');
});
