import { describe, expect, it } from 'vitest';

import type { Timers } from '../platform/platform.ts';
import type { StoreItem } from './bar-store.ts';
import { sseText } from './sse-text.ts';

/** Timers that a test fires by hand. */
function newTimers(): { timers: Timers; due: { ms: number; callback: () => void }[] } {
  const due: { ms: number; callback: () => void }[] = [];
  return {
    due,
    timers: {
      after: (ms, callback) => {
        const one = { ms, callback };
        due.push(one);
        return () => {
          if (due.includes(one)) due.splice(due.indexOf(one), 1);
        };
      },
    },
  };
}

async function* itemsOf(items: readonly StoreItem[]): AsyncGenerator<StoreItem> {
  yield* items;
}

const clock = { nowMs: () => 1_700_000_000_000 };
const never = new AbortController().signal;

describe('server-sent events', () => {
  it('carry the id of the change after which a browser resumes', async () => {
    const { timers, due } = newTimers();
    const items = itemsOf([
      { kind: 'bar', seq: 7, text: '{"id":"a"}' },
      { kind: 'gone', seq: 8, id: 'b', forgotten: 3 },
      { kind: 'sources', seq: 9, sources: [{ name: 'x', problem: null }] },
      { kind: 'reset', seq: 10 },
    ]);
    const reported: string[] = [];
    for await (const text of sseText(items, { clock, timers, signal: never })) reported.push(text);
    expect(reported).toEqual([
      'retry: 1000\n\n',
      'id: 7\nevent: bar\ndata: {"id":"a"}\n\n',
      'id: 8\nevent: gone\ndata: {"id":"b","forgotten":3}\n\n',
      'id: 9\nevent: sources\ndata: [{"name":"x","problem":null}]\n\n',
      'id: 10\nevent: reset\ndata: {}\n\n',
    ]);
    expect(due).toEqual([]);
  });

  it('send the clock after 15 seconds without a change, and lose no change', async () => {
    const { timers, due } = newTimers();
    let report = (): void => undefined;
    const later = async function* (): AsyncGenerator<StoreItem> {
      await new Promise<void>((resolve) => {
        report = resolve;
      });
      yield { kind: 'gone', seq: 1, id: 'a', forgotten: 1 };
    };
    const stream = sseText(later(), { clock, timers, signal: never });
    await stream.next();
    const alive = stream.next();
    expect(due).toMatchObject([{ ms: 15_000 }]);
    due[0]?.callback();
    expect((await alive).value).toBe('event: alive\ndata: {"now":1700000000000}\n\n');
    const next = stream.next();
    report();
    expect((await next).value).toContain('event: gone');
    expect((await stream.next()).done).toBe(true);
  });
});
