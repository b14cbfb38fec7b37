import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { cleanup, decide, main, planOf, recordsOf } from '../../test/sim/engine/sample.ts';
import { MAX_PAUSE_MS } from './retry.ts';
import { step } from './step.ts';

const snapshot = planOf([main('freeze', { timeoutSeconds: 30 }), main('snapshot')]);
const frozen = '1 start freeze 1; 2 Succeeded freeze 1';
const patient = planOf([main('a', { limit: 2, backoffSeconds: 10 })]);
const persistent = planOf([main('a', { policy: 'Retry' })], 60_000);
const lenient = planOf([main('a', { policy: 'Ignore', limit: 1, backoffSeconds: 10 }), main('b')]);
const timed = planOf([main('a', { timeoutSeconds: 30 })], 1_000);

describe('step', () => {
  it('ENG-E4: starts the first main step first', () => {
    expect(decide(snapshot, '', 1)).toBe('start freeze 1 30000');
  });

  it('ENG-E2: starts nothing while an attempt is open', () => {
    expect(decide(snapshot, '1 start freeze 1', 9)).toBe('wait -');
  });

  it('ENG-E4: starts the next main step when the one before has succeeded', () => {
    expect(decide(snapshot, frozen, 3)).toBe('start snapshot 1 -');
  });

  it('ENG-E5: settles Unknown after an Unknown outcome of a main step', () => {
    expect(decide(patient, '1 start a 1; 2 Unknown a 1', 3)).toBe('settle Unknown');
  });

  it('ENG-E5: settles Unknown after an Unknown outcome that follows a cancellation', () => {
    expect(decide(patient, '1 start a 1; 2 cancel; 3 Unknown a 1', 4)).toBe('settle Unknown');
  });

  it('ENG-E5: continues after an Unknown outcome under Ignore', () => {
    expect(decide(lenient, '1 start a 1; 2 Unknown a 1', 3)).toBe('start b 1 -');
  });

  it('ENG-E6: waits one pause after a failure', () => {
    expect(decide(patient, '1 start a 1; 1000 Failed a 1', 1_000)).toBe('wait 11000');
  });

  it('ENG-E6: doubles the second pause', () => {
    expect(
      decide(patient, '1 start a 1; 2 Failed a 1; 10002 start a 2; 10003 TimedOut a 2', 10_003),
    ).toBe('wait 30003');
  });

  it('ENG-E3, ENG-E6: starts the next attempt after the pause', () => {
    expect(decide(patient, '1 start a 1; 1000 Failed a 1', 11_000)).toBe('start a 2 -');
  });

  it('ENG-E6: starts no attempt beyond the limit', () => {
    expect(
      decide(
        patient,
        '1 start a 1; 2 Failed a 1; 3 start a 2; 4 Failed a 2; 5 start a 3; 6 Failed a 3',
        99_999,
      ),
    ).toBe('settle Failed');
  });

  it('ENG-E6: stops retrying when the deadline leaves no time for another attempt', () => {
    expect(decide(persistent, '1 start a 1; 59500 Failed a 1', 59_501)).toBe('settle TimedOut');
  });

  it('ENG-E6: retries what is due before the deadline, not what is due at it', () => {
    expect(decide(persistent, '1 start a 1; 58999 Failed a 1', 59_000)).toBe('wait 59999');
    expect(decide(persistent, '1 start a 1; 59000 Failed a 1', 59_001)).toBe('settle TimedOut');
  });

  it('ENG-E7: does not retry a cancelled attempt', () => {
    expect(decide(patient, '1 start a 1; 2 Cancelled a 1', 3)).toBe('settle Cancelled');
  });

  it('ENG-E6: ignores a failure at once under Ignore when the deadline leaves no time to retry', () => {
    expect(decide({ ...lenient, deadlineAtMs: 5_000 }, '1 start a 1; 2 Failed a 1', 3)).toBe(
      'start b 1 4997',
    );
  });

  it('ENG-E7: settles TimedOut after a record at the deadline, although the clock was set back', () => {
    expect(
      decide({ ...lenient, deadlineAtMs: 1_000 }, '1 start a 1; 1000 Succeeded a 1', 500),
    ).toBe('settle TimedOut');
  });

  it('ENG-E7: settles Cancelled after a cancellation during a pause', () => {
    expect(decide(patient, '1 start a 1; 2 Failed a 1; 3 cancel', 4)).toBe('settle Cancelled');
  });

  it('ENG-E7: settles Succeeded if the attempt succeeds after the cancellation', () => {
    expect(decide(patient, '1 start a 1; 2 cancel; 3 Succeeded a 1', 4)).toBe('settle Succeeded');
  });

  it('ENG-E10: takes the first of two outcomes of an attempt', () => {
    expect(decide(patient, '1 start a 1; 2 Succeeded a 1; 3 Failed a 1', 4)).toBe(
      'settle Succeeded',
    );
  });

  it('ENG-E10: ignores the outcome of an attempt that was never started', () => {
    expect(decide(patient, '1 Succeeded a 1', 2)).toBe('start a 1 -');
  });

  it('ENG-E11: keeps the outcome of a settled run, whatever is recorded later', () => {
    expect(decide(patient, '1 settle Failed; 2 start a 1; 3 Succeeded a 1', 4)).toBe(
      'settle Failed',
    );
  });

  it('ENG-E12: keeps the end of the pause when the clock is set back by less than the pause', () => {
    expect(decide(patient, '1 start a 1; 20000 Failed a 1', 15_000)).toBe('wait 30000');
  });

  it('ENG-E12: starts the next attempt at once when the clock is set back further', () => {
    expect(decide(patient, '1 start a 1; 9000000 Failed a 1', 15_000)).toBe('start a 2 -');
  });

  it('ENG-E13: limits a main step to the deadline', () => {
    expect(decide(timed, '', 400)).toBe('start a 1 600');
  });

  it('ENG-E15: settles Failed after an abort and a later cancellation', () => {
    expect(decide(planOf([main('a')]), '1 start a 1; 2 Failed a 1; 3 cancel', 4)).toBe(
      'settle Failed',
    );
  });

  it('ENG-E15: settles Cancelled after a cancellation and the failure that follows', () => {
    expect(decide(planOf([main('a')]), '1 start a 1; 2 cancel; 3 Failed a 1', 4)).toBe(
      'settle Cancelled',
    );
  });

  it('settles a plan without steps at once', () => {
    expect(decide(planOf([]), '', 0)).toBe('settle Succeeded');
  });

  it('ENG-E15: reports the first cause, then the later ones', () => {
    const plan = planOf([main('a'), cleanup('z')]);
    const records = recordsOf(plan, '1 start a 1; 2 Failed a 1; 3 start z 1; 4 Failed z 1');
    expect(step({ plan, records, nowMs: 5 })).toEqual({
      do: 'settle',
      outcome: 'Failed',
      reason:
        'Attempt 1 of a failed: it ended Failed; then attempt 1 of z failed: it ended Failed.',
    });
  });

  it('ENG-E12, ENG-E14: is deterministic, and waits neither into the past nor longer than two pauses', () => {
    const times = fc.integer({ min: 0, max: 10 * MAX_PAUSE_MS });
    fc.assert(
      fc.property(
        times,
        times,
        fc.integer({ min: 0, max: 300 }),
        (endedMs, nowMs, backoffSeconds) => {
          const plan = planOf([main('a', { limit: 9, backoffSeconds })]);
          const records = recordsOf(plan, `0 start a 1; ${endedMs} Failed a 1`);
          const decision = step({ plan, records, nowMs });
          expect(step({ plan, records, nowMs })).toEqual(decision);
          if (decision.do !== 'wait') return;
          const waitMs = (decision.untilMs ?? Infinity) - nowMs;
          expect(waitMs).toBeGreaterThan(0);
          expect(waitMs).toBeLessThanOrEqual(2 * backoffSeconds * 1_000);
        },
      ),
    );
  });
});
