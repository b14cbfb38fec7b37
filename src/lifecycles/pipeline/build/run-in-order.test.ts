import { describe, expect, test } from 'vitest';

import type { EventBody } from '../events/event-stream.ts';
import { GroupedEvents, MAX_HELD_EVENTS, runInOrder } from './run-in-order.ts';

const line = (text: string): EventBody => ({
  type: 'Output',
  source: 'build',
  stream: 'stdout',
  line: text,
});

function grouped(): {
  readonly groups: GroupedEvents;
  readonly reported: EventBody[];
  readonly lines: () => readonly string[];
  readonly clock: { now: number };
} {
  const reported: EventBody[] = [];
  const clock = { now: 1 };
  const groups = new GroupedEvents((event) => reported.push(event), { nowMs: () => clock.now });
  const lines = (): readonly string[] =>
    reported.flatMap((event) => (event.type === 'Output' ? [event.line] : []));
  return { groups, reported, lines, clock };
}

describe('events of parallel builds', () => {
  test('PIPE-CASE43: are emitted build by build, those of the first build immediately', () => {
    const { groups, lines } = grouped();
    const [a, b, c] = [groups.begin(), groups.begin(), groups.begin()];
    b.emit(line('b1'));
    a.emit(line('a1'));
    c.emit(line('c1'));
    expect(lines()).toEqual(['a1']);
    c.end();
    b.emit(line('b2'));
    a.end();
    expect(lines()).toEqual(['a1', 'b1', 'b2']);
    b.emit(line('b3'));
    b.end();
    expect(lines()).toEqual(['a1', 'b1', 'b2', 'b3', 'c1']);
  });

  test('hold as many lines that were printed together as events of their own', () => {
    const { groups, reported } = grouped();
    const [, b] = [groups.begin(), groups.begin()];
    const lines = { type: 'OutputLines', source: 'build', stream: 'stdout', text: '' } as const;
    b.emit({ ...lines, count: MAX_HELD_EVENTS - 1 });
    b.emit(line('one'));
    expect(reported).toHaveLength(0);
    b.emit(line('two'));
    expect(reported).toHaveLength(2);
    b.emit({ ...lines, count: MAX_HELD_EVENTS });
    expect(reported).toHaveLength(3);
  });

  test('keep the time at which they happened when they are emitted later', () => {
    const { groups, reported, clock } = grouped();
    const [a, b] = [groups.begin(), groups.begin()];
    b.emit(line('b'));
    clock.now = 9;
    a.end();
    expect(reported).toEqual([{ ...line('b'), atMs: 1 }]);
  });

  test('are emitted once a build has buffered as many as the limit', () => {
    const { groups, lines } = grouped();
    groups.begin();
    const flood = groups.begin();
    for (let i = 0; i <= MAX_HELD_EVENTS; i += 1) flood.emit(line(String(i)));
    expect(lines()).toHaveLength(MAX_HELD_EVENTS);
    expect(lines()[0]).toBe('0');
  });
});

describe('tasks with requirements', () => {
  test('reject with the first error, even if another task ends at the same moment', async () => {
    const work = ['good', 'bad', 'worse'].map((key) => ({ key, requires: [], value: key }));
    const running = runInOrder(work, {
      concurrency: 0,
      run: async (key) => {
        if (key !== 'good') throw new Error(`${key} failed`);
        return key;
      },
      succeeded: () => true,
    });
    await expect(running).rejects.toThrow('bad failed');
  });
});
