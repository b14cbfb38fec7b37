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
  it('E4: the first main step begins a run', () => {
    expect(decide(snapshot, '', 1)).toBe('start freeze 1 30000');
  });

  it('E2: nothing starts while an attempt is open', () => {
    expect(decide(snapshot, '1 start freeze 1', 9)).toBe('wait -');
  });

  it('E4: the next main step starts when the one before has succeeded', () => {
    expect(decide(snapshot, frozen, 3)).toBe('start snapshot 1 -');
  });

  it('E5: an unseen end of a main step makes the run Unknown', () => {
    expect(decide(patient, '1 start a 1; 2 Unknown a 1', 3)).toBe('settle Unknown');
  });

  it('E5: an unseen end is not covered by a cancellation before it', () => {
    expect(decide(patient, '1 start a 1; 2 cancel; 3 Unknown a 1', 4)).toBe('settle Unknown');
  });

  it('E5: under Ignore the run goes on after an unseen end', () => {
    expect(decide(lenient, '1 start a 1; 2 Unknown a 1', 3)).toBe('start b 1 -');
  });

  it('E6: a failure is made again after its pause', () => {
    expect(decide(patient, '1 start a 1; 1000 Failed a 1', 1_000)).toBe('wait 11000');
  });

  it('E6: the second pause is twice as long', () => {
    expect(
      decide(patient, '1 start a 1; 2 Failed a 1; 10002 start a 2; 10003 TimedOut a 2', 10_003),
    ).toBe('wait 30003');
  });

  it('E3, E6: when the pause is over the next number starts', () => {
    expect(decide(patient, '1 start a 1; 1000 Failed a 1', 11_000)).toBe('start a 2 -');
  });

  it('E6: the attempt after limit is not made', () => {
    expect(
      decide(
        patient,
        '1 start a 1; 2 Failed a 1; 3 start a 2; 4 Failed a 2; 5 start a 3; 6 Failed a 3',
        99_999,
      ),
    ).toBe('settle Failed');
  });

  it('E6: Retry ends when the deadline leaves no time for another attempt', () => {
    expect(decide(persistent, '1 start a 1; 59500 Failed a 1', 59_501)).toBe('settle TimedOut');
  });

  it('E6: an ignored failure for which the deadline leaves no more attempt is ignored now', () => {
    expect(decide({ ...lenient, deadlineAtMs: 5_000 }, '1 start a 1; 2 Failed a 1', 3)).toBe(
      'start b 1 4997',
    );
  });

  it('E7: a record at the deadline counts although the clock was set back since', () => {
    expect(
      decide({ ...lenient, deadlineAtMs: 1_000 }, '1 start a 1; 1000 Succeeded a 1', 500),
    ).toBe('settle TimedOut');
  });

  it('E7: a cancellation during a pause ends it', () => {
    expect(decide(patient, '1 start a 1; 2 Failed a 1; 3 cancel', 4)).toBe('settle Cancelled');
  });

  it('E7: a cancellation that cut nothing changes nothing', () => {
    expect(decide(patient, '1 start a 1; 2 cancel; 3 Succeeded a 1', 4)).toBe('settle Succeeded');
  });

  it('E10: of two outcomes of an attempt the first counts', () => {
    expect(decide(patient, '1 start a 1; 2 Succeeded a 1; 3 Failed a 1', 4)).toBe(
      'settle Succeeded',
    );
  });

  it('E10: an outcome of an attempt that was never started is none', () => {
    expect(decide(patient, '1 Succeeded a 1', 2)).toBe('start a 1 -');
  });

  it('E11: a settled run stays as it is told, whatever is recorded after', () => {
    expect(decide(patient, '1 settle Failed; 2 start a 1; 3 Succeeded a 1', 4)).toBe(
      'settle Failed',
    );
  });

  it('E12: a clock that is set back a little makes the pause a little longer', () => {
    expect(decide(patient, '1 start a 1; 20000 Failed a 1', 15_000)).toBe('wait 30000');
  });

  it('E12: a clock that is set back far ends the pause', () => {
    expect(decide(patient, '1 start a 1; 9000000 Failed a 1', 15_000)).toBe('start a 2 -');
  });

  it('E13: a main step is cut at the deadline', () => {
    expect(decide(timed, '', 400)).toBe('start a 1 600');
  });

  it('E15: of an abort and a later cancellation the abort is the outcome', () => {
    expect(decide(planOf([main('a')]), '1 start a 1; 2 Failed a 1; 3 cancel', 4)).toBe(
      'settle Failed',
    );
  });

  it('E15: of a cancellation and the failure that follows from it the cancellation is the outcome', () => {
    expect(decide(planOf([main('a')]), '1 start a 1; 2 cancel; 3 Failed a 1', 4)).toBe(
      'settle Cancelled',
    );
  });

  it('settles a plan without steps at once', () => {
    expect(decide(planOf([]), '', 0)).toBe('settle Succeeded');
  });

  it('E15: tells the first cause and the later ones after it', () => {
    const plan = planOf([main('a'), cleanup('z')]);
    const records = recordsOf(plan, '1 start a 1; 2 Failed a 1; 3 start z 1; 4 Failed z 1');
    expect(step({ plan, records, nowMs: 5 })).toEqual({
      do: 'settle',
      outcome: 'Failed',
      reason:
        'Attempt 1 of a failed: it ended Failed; then attempt 1 of z failed: it ended Failed.',
    });
  });

  it('E12, E14: decides the same again, and no wait is in the past or longer than two pauses', () => {
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
