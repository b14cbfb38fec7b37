import { describe, expect, it } from 'vitest';

import { cleanup, decide, main, planOf, recordsOf } from '../../test/sim/engine/sample.ts';
import { MAX_UNSEEN_CLEANUPS } from './cleanup-steps.ts';
import { step } from './step.ts';

const DEADLINE = Date.parse('2026-01-02T03:04:05.000Z');
const pair = planOf([main('a'), main('b')]);
const withCleanup = planOf([main('a'), main('b'), cleanup('z')]);

describe('the records of a run', () => {
  it('have the deadline of the plan while the opening is not recorded', () => {
    const plan = planOf([main('a')], DEADLINE);
    const records = recordsOf(plan, '1 cancel').slice(1);
    expect(step({ plan, records, nowMs: DEADLINE })).toMatchObject({
      reason:
        "The run was cancelled: the caller requested it; then the run's deadline (2026-01-02T03:04:05.000Z) has passed.",
    });
  });

  it('ENG-E2: leave an attempt open when another step ends', () => {
    expect(decide(pair, '1 start a 1; 2 Succeeded b 1', 3)).toBe('wait -');
  });

  it('ENG-E3, ENG-E10: open no attempt again whose number was used', () => {
    const repeated = '1 start a 1; 2 Succeeded a 1; 3 start a 1';
    expect(decide(pair, repeated, 4)).toBe('start b 1 -');
  });

  it('ENG-E7, ENG-E10: begin no cleanup by the end of a cleanup step that never started', () => {
    expect(decide(withCleanup, '1 Succeeded z 1', 2)).toBe('start a 1 -');
  });

  it('ENG-E7, ENG-E15: keep the causes that were there when cleanup began, not what happens meanwhile', () => {
    const plan = { ...withCleanup, deadlineAtMs: DEADLINE };
    const failed = '1 start a 1; 2 Failed a 1; 3 start z 1; 4 cancel';
    const records = recordsOf(plan, `${failed}; ${DEADLINE} Succeeded z 1`);
    expect(step({ plan, records, nowMs: DEADLINE }).reason).toBe(
      'Attempt 1 of a failed: it ended Failed.',
    );
    const cancelled = `1 start a 1; 2 Succeeded a 1; 3 cancel; 4 start z 1; ${DEADLINE} Succeeded z 1`;
    expect(step({ plan, records: recordsOf(plan, cancelled), nowMs: DEADLINE }).reason).toBe(
      'The run was cancelled: the caller requested it.',
    );
  });

  it('ENG-E7: keep the deadline that a record proves, although cleanup began on a clock that was set back', () => {
    const plan = { ...withCleanup, deadlineAtMs: DEADLINE };
    const records = recordsOf(
      plan,
      `1 start a 1; ${DEADLINE} Succeeded a 1; 500 start z 1; 501 Succeeded z 1`,
    );
    expect(step({ plan, records, nowMs: 502 }).reason).toBe(
      "The run's deadline (2026-01-02T03:04:05.000Z) has passed.",
    );
  });

  it('ENG-E4: bring no main step back by a clock that was set back once a later one has started', () => {
    const lenient = main('a', { policy: 'Ignore', limit: 1, backoffSeconds: 10 });
    const plan = planOf([lenient, main('b')], 105_000);
    const samples = '1 start a 1; 100000 Failed a 1; 100001 start b 1; 100002 Succeeded b 1';
    expect(decide(plan, samples, 50)).toBe('settle Succeeded');
  });

  it('ENG-E5: do not count an Unknown end of a cleanup step against its retry limit', () => {
    const plan = planOf([cleanup('z', { limit: 1 })]);
    const samples = '1 start z 1; 2 Unknown z 1; 3 start z 2; 4 Failed z 2';
    expect(decide(plan, samples, 5)).toBe('start z 3 -');
  });

  it('ENG-E5: do not count a failure of a cleanup step as an Unknown end', () => {
    const plan = planOf([cleanup('z', { limit: 20 })]);
    const failures = Array.from(
      { length: MAX_UNSEEN_CLEANUPS + 1 },
      (_, n) => `1 start z ${n + 1}; 1 Failed z ${n + 1}`,
    ).join('; ');
    const number = MAX_UNSEEN_CLEANUPS + 2;
    const samples = `${failures}; 2 start z ${number}; 3 Unknown z ${number}`;
    expect(decide(plan, samples, 4)).toBe(`start z ${number + 1} -`);
  });
});
