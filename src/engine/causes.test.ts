import { describe, expect, it } from 'vitest';

import { cleanup, main, planOf, recordsOf } from '../../test/sim/engine/sample.ts';
import { bareResult } from './act.ts';
import { causeOf } from './causes.ts';
import type { Plan } from './plan.ts';
import { step } from './step.ts';

const DEADLINE = Date.parse('2026-01-02T03:04:05.000Z');

const reasonOf = (plan: Plan, samples: string, nowMs: number): string =>
  step({ plan, records: recordsOf(plan, samples), nowMs }).reason;

describe('the reason of a settled run', () => {
  const one = planOf([main('a')]);
  const timed = planOf([main('a'), main('b')], DEADLINE);
  const persistent = planOf([main('a', { policy: 'Retry', backoffSeconds: 60 })], DEADLINE);

  it('says that every step has ended well', () => {
    expect(reasonOf(one, '1 start a 1; 2 Succeeded a 1', 3)).toBe(
      'Every step succeeded or was ignored.',
    );
  });

  it.each([
    ['Failed', 'failed'],
    ['TimedOut', 'timed out'],
    ['Cancelled', 'was cancelled'],
    ['Unknown', 'has an unknown outcome'],
  ])('says of an attempt with the outcome %s that it %s', (outcome, verb) => {
    expect(reasonOf(one, `1 start a 1; 2 ${outcome} a 1`, 3)).toBe(
      `Attempt 1 of a ${verb}: it ended ${outcome}.`,
    );
  });

  it('has the time of the deadline that has passed', () => {
    expect(reasonOf(timed, '1 start a 1; 2 Succeeded a 1', DEADLINE)).toBe(
      "The run's deadline (2026-01-02T03:04:05.000Z) has passed.",
    );
  });

  it('names the attempt that the deadline leaves no time for, then the failure', () => {
    expect(reasonOf(persistent, `1 start a 1; ${DEADLINE - 1} Failed a 1`, DEADLINE - 1)).toBe(
      "The run's deadline leaves no time for attempt 2 of a; then attempt 1 of a failed: it ended Failed.",
    );
  });

  it('ENG-E7: says that time ended the main steps when cleanup began before the deadline', () => {
    const plan = planOf([main('a', { limit: 9, backoffSeconds: 60 }), cleanup('z')], 120_000);
    const samples = '1 start a 1; 100000 Failed a 1; 110000 start z 1; 110001 Succeeded z 1';
    expect(reasonOf(plan, samples, 110_002)).toBe(
      "The run's deadline leaves no time for attempt 2 of a; then attempt 1 of a failed: it ended Failed.",
    );
    const unstarted = planOf([main('a'), cleanup('z')], 120_000);
    const records = recordsOf(unstarted, '1 start z 1; 2 Succeeded z 1');
    expect(step({ plan: unstarted, records, nowMs: 3 })).toEqual({
      do: 'settle',
      outcome: 'TimedOut',
      reason: "The run's deadline left no time for the next main step.",
    });
  });

  it('ENG-E15: has the cancellation and the deadline in the order of their records', () => {
    const cancelled = 'he run was cancelled: the caller requested it';
    const passed = "he run's deadline (2026-01-02T03:04:05.000Z) has passed";
    expect(reasonOf(timed, '1 cancel', DEADLINE)).toBe(`T${cancelled}; then t${passed}.`);
    const late = `1 start a 1; ${DEADLINE} Succeeded a 1; ${DEADLINE + 1} cancel`;
    expect(reasonOf(timed, late, DEADLINE + 2)).toBe(`T${passed}; then t${cancelled}.`);
  });

  it('ENG-E15: has the cancellation before the failure that it kept from another attempt', () => {
    const plan = planOf([main('a', { limit: 1 })]);
    expect(reasonOf(plan, '1 start a 1; 2 Failed a 1; 3 cancel', 4)).toBe(
      'The run was cancelled: the caller requested it; then attempt 1 of a failed: it ended Failed.',
    );
  });

  it('ENG-E5: has an Unknown outcome before the cancellation, whichever came first', () => {
    expect(reasonOf(one, '1 start a 1; 2 cancel; 3 Unknown a 1', 4)).toBe(
      'Attempt 1 of a has an unknown outcome: it ended Unknown; then the run was cancelled: the caller requested it.',
    );
  });
});

describe('the reason of a decision to start or to wait', () => {
  const patient = planOf([main('a', { limit: 1, backoffSeconds: 10 }), cleanup('z', { limit: 1 })]);
  const paused = planOf([cleanup('z', { limit: 1, backoffSeconds: 10 })]);
  const failed = '1 start a 1; 1000 Failed a 1';
  const thawless = '1 start z 1; 2 Failed z 1';

  it.each([
    ['it is the next step', patient, '', 1],
    ['attempt 1 of a has not ended', patient, '1 start a 1', 2],
    ['pause, because attempt 1 of a failed: it ended Failed', patient, failed, 1_000],
    ['again, because attempt 1 of a failed: it ended Failed', patient, failed, 11_000],
    ['the main steps have ended', patient, '1 cancel', 2],
    ['pause, because attempt 1 of z failed: it ended Failed', paused, thawless, 3],
    ['again, because attempt 1 of z failed: it ended Failed', paused, thawless, 10_002],
  ])('is "%s"', (expected, ...decision) => {
    expect(reasonOf(...decision)).toBe(expected);
  });
});

describe('causeOf', () => {
  it('drops the full stop of the attempt, since more may follow', () => {
    const last = {
      attempt: 2,
      atMs: 5,
      index: 7,
      result: bareResult('Failed', 'It broke. Off.', 1),
    };
    expect(causeOf(main('a'), last, 'Failed')).toEqual({
      outcome: 'Failed',
      reason: 'attempt 2 of a failed: It broke. Off',
      index: 7,
    });
  });
});
