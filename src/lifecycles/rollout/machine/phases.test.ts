import { describe, expect, test } from 'vitest';

import { microAgo } from '../../../../test/fixtures/rollout/machine-facts.ts';
import { rolling } from '../../../../test/fixtures/rollout/rolling-facts.ts';
import { enter, isOver, leftMs, waitingFor } from './phases.ts';

describe('a rollout that enters a phase', () => {
  const before = { phase: 'Draining', phaseStartedAt: microAgo(7), waitingFor: 'web-a' } as const;

  test('has its new start time, and waits for no pods any more', () => {
    const facts = rolling(before);
    const { waitingFor: _, ...kept } = facts.rollout;
    expect(enter(facts, 'Mid', { reason: 'why' })).toStrictEqual({
      kind: 'record',
      reason: 'why',
      status: { rollout: { ...kept, phase: 'Mid', phaseStartedAt: microAgo(0) } },
      emits: {
        notices: [],
        observed: [{ type: 'PhaseEntered', number: 5, phase: 'Mid', afterMs: 7_000 }],
      },
    });
  });

  test('has no end any more if it was held, and is restored', () => {
    const facts = rolling({ phase: 'Held', phaseStartedAt: microAgo(7), finishedAt: microAgo(7) });
    const step = enter(facts, 'Restoring', { reason: 'why' });
    expect(step.kind === 'record' ? step.status.rollout : null).not.toHaveProperty('finishedAt');
  });

  test('reports no negative duration where a clock was turned back', () => {
    const facts = rolling({ ...before, phaseStartedAt: microAgo(-7) });
    expect(enter(facts, 'Mid', { reason: 'why' })).toMatchObject({
      emits: { observed: [{ afterMs: 0 }] },
    });
  });

  test.each([
    ['Done', true],
    ['Failed', true],
    ['Held', true],
    ['RolledBack', true],
    ['Restoring', false],
    ['Post', false],
  ] as const)('and %s, is over: %s', (phase, over) => {
    const facts = rolling(before);
    expect(isOver({ ...facts.rollout, phase })).toBe(over);
    const step = enter(facts, phase, { reason: 'why' });
    const { finishedAt } = (step.kind === 'record' ? step.status.rollout : null) ?? {};
    expect(finishedAt).toBe(over ? microAgo(0) : undefined);
  });
});

describe('the pods that a rollout waits for', () => {
  const stepFor = (names: string[], before?: string): object | null =>
    waitingFor(rolling(before === undefined ? {} : { waitingFor: before }), names);
  const waits = (text: string): object => ({
    kind: 'record',
    reason: `it waits for ${text}`,
    status: { rollout: { ...rolling({}).rollout, waitingFor: text } },
    emits: {},
  });

  test.each([
    ['by name', ['b', 'a'], 'a, b'],
    ['up to five', ['e', 'd', 'c', 'b', 'a'], 'a, b, c, d, e'],
    ['and a count of the others', ['g', 'f', 'e', 'd', 'c', 'b', 'a'], 'a, b, c, d, e and 2 more'],
  ])('are recorded %s', (...[, names, text]) => {
    expect(stepFor(names)).toStrictEqual(waits(text));
  });

  test('are recorded again only when they change', () => {
    expect(stepFor(['b', 'a'], 'a, b')).toBeNull();
    expect(stepFor(['a'], 'a, b')).toStrictEqual(waits('a'));
    expect(stepFor([])).toBeNull();
  });

  test('are removed when none is known any more', () => {
    expect(stepFor([], 'a')).toMatchObject({ kind: 'record' });
    const step = stepFor([], 'a') as { status: { rollout: object } };
    expect(step.status.rollout).toStrictEqual(rolling({}).rollout);
  });
});

test('the time that is left of a phase counts from its start', () => {
  expect(leftMs(rolling({ phaseStartedAt: microAgo(7) }), 60)).toBe(53_000);
  expect(leftMs(rolling({ phaseStartedAt: microAgo(70) }), 60)).toBe(-10_000);
});
