import { describe, expect, test } from 'vitest';

import type { EventBody } from '../events/event-stream.ts';
import { GroupedEvents, MAX_HELD_EVENTS } from './grouped-events.ts';

const line = (text: string): EventBody => ({
  type: 'Output',
  source: 'build',
  stream: 'stdout',
  line: text,
});

function grouped(): {
  readonly groups: GroupedEvents;
  readonly told: EventBody[];
  readonly lines: () => readonly string[];
  readonly clock: { now: number };
} {
  const told: EventBody[] = [];
  const clock = { now: 1 };
  const groups = new GroupedEvents((event) => told.push(event), { nowMs: () => clock.now });
  const lines = (): readonly string[] =>
    told.flatMap((event) => (event.type === 'Output' ? [event.line] : []));
  return { groups, told, lines, clock };
}

describe('events of parallel builds', () => {
  test('PIPE-CASE43: are emitted build by build, those of the first build immediately', () => {
    const { groups, lines } = grouped();
    const [a, b, c] = [groups.begin(), groups.begin(), groups.begin()];
    b.tell(line('b1'));
    a.tell(line('a1'));
    c.tell(line('c1'));
    expect(lines()).toEqual(['a1']);
    c.end();
    b.tell(line('b2'));
    a.end();
    expect(lines()).toEqual(['a1', 'b1', 'b2']);
    b.tell(line('b3'));
    b.end();
    expect(lines()).toEqual(['a1', 'b1', 'b2', 'b3', 'c1']);
  });

  test('hold as many lines that were printed together as events of their own', () => {
    const { groups, told } = grouped();
    const [, b] = [groups.begin(), groups.begin()];
    const lines = { type: 'OutputLines', source: 'build', stream: 'stdout', text: '' } as const;
    b.tell({ ...lines, count: MAX_HELD_EVENTS - 1 });
    b.tell(line('one'));
    expect(told).toHaveLength(0);
    b.tell(line('two'));
    expect(told).toHaveLength(2);
    b.tell({ ...lines, count: MAX_HELD_EVENTS });
    expect(told).toHaveLength(3);
  });

  test('keep the time at which they happened when they are emitted later', () => {
    const { groups, told, clock } = grouped();
    const [a, b] = [groups.begin(), groups.begin()];
    b.tell(line('b'));
    clock.now = 9;
    a.end();
    expect(told).toEqual([{ ...line('b'), atMs: 1 }]);
  });

  test('are emitted once a build has buffered as many as the limit', () => {
    const { groups, lines } = grouped();
    groups.begin();
    const flood = groups.begin();
    for (let i = 0; i <= MAX_HELD_EVENTS; i += 1) flood.tell(line(String(i)));
    expect(lines()).toHaveLength(MAX_HELD_EVENTS);
    expect(lines()[0]).toBe('0');
  });
});
