import { describe, expect, it, test } from 'vitest';

import {
  type Condition,
  findCondition,
  type NewCondition,
  setCondition,
  withReported,
} from './conditions.ts';

const T0 = Date.parse('2026-01-01T00:00:00Z');

const ready: NewCondition = {
  type: 'Ready',
  status: 'True',
  reason: 'AllThere',
  message: '3 of 3',
  observedGeneration: 1,
};

const before: readonly Condition[] = setCondition(
  [{ ...ready, type: 'Other', lastTransitionTime: '2025-01-01T00:00:00Z' }],
  ready,
  T0,
);

describe('setCondition', () => {
  it('appends a new condition with the present time', () => {
    expect(before.map(({ type, lastTransitionTime }) => [type, lastTransitionTime])).toEqual([
      ['Other', '2025-01-01T00:00:00Z'],
      ['Ready', '2026-01-01T00:00:00Z'],
    ]);
  });

  it('CTRL-K1: moves the transition time when the status flips, and only then', () => {
    const worded = setCondition(before, { ...ready, reason: 'Still', message: 'x' }, T0 + 60_000);
    expect(worded[1]?.lastTransitionTime).toBe('2026-01-01T00:00:00Z');
    expect(worded[1]?.reason).toBe('Still');
    const flipped = setCondition(worded, { ...ready, status: 'False' }, T0 + 60_000);
    expect(flipped[1]?.lastTransitionTime).toBe('2026-01-01T00:01:00Z');
  });

  it('CTRL-K2: returns the same array when nothing changes', () => {
    expect(setCondition(before, ready, T0 + 60_000)).toBe(before);
    expect(setCondition(before, { ...ready, observedGeneration: 2 }, T0)).not.toBe(before);
  });

  it.each([
    { status: 'Unknown' } as const,
    { reason: 'Other' },
    { message: 'other' },
    { observedGeneration: 2 },
  ])('CTRL-K2: writes %j, which says something new', (change) => {
    const [, after] = setCondition(before, { ...ready, ...change }, T0 + 60_000);
    const flips = 'status' in change;
    const lastTransitionTime = `2026-01-01T00:0${flips ? 1 : 0}:00Z`;
    expect(after).toEqual({ ...ready, ...change, lastTransitionTime });
  });

  it('CTRL-K3: keeps the other conditions and the order', () => {
    const after = setCondition(before, { ...ready, type: 'Other', status: 'Unknown' }, T0);
    expect(after.map(({ type }) => type)).toEqual(['Other', 'Ready']);
    expect(after[1]).toBe(before[1]);
  });
});

test('findCondition finds a condition by its type', () => {
  expect(findCondition(before, 'Ready')).toBe(before[1]);
  expect(findCondition(before, 'Absent')).toBeUndefined();
});

describe('withReported', () => {
  const { observedGeneration: _, ...reported } = ready;

  it('reports on the generation of the object, and keeps the rest of the status', () => {
    const metadata = { generation: 4 };
    const status = { phase: 'Done', conditions: [...before] };
    const after = withReported(status, [null, reported], { metadata, nowMs: T0 });
    expect(after).toMatchObject({ phase: 'Done', observedGeneration: 4 });
    expect(after.conditions.map((each) => [each.type, each.observedGeneration])).toEqual([
      ['Other', 1],
      ['Ready', 4],
    ]);
  });

  it('begins a list for a status without conditions, with generation 0 if the object has none', () => {
    const after = withReported({}, [reported], { metadata: undefined, nowMs: T0 });
    const time = '2026-01-01T00:00:00Z';
    const condition = { ...reported, observedGeneration: 0, lastTransitionTime: time };
    expect(after).toEqual({ observedGeneration: 0, conditions: [condition] });
  });
});
