import { describe, expect, it } from 'vitest';

import { cleanup, decide, main, planOf, recordsOf } from '../../test/sim/engine/sample.ts';
import { MAX_UNSEEN_CLEANUPS } from './cleanup-steps.ts';
import { step } from './step.ts';

const snapshot = planOf([
  main('freeze', { timeoutSeconds: 30 }),
  main('snapshot'),
  cleanup('thaw', { undoes: 'freeze', limit: 1, backoffSeconds: 2 }),
]);
const frozen = '1 start freeze 1; 2 Succeeded freeze 1';
const timed = planOf([main('a'), cleanup('z', { timeoutSeconds: 30 })], 1_000);

describe('cleanup steps', () => {
  it('ENG-E8: start after the last main step has succeeded', () => {
    expect(decide(snapshot, `${frozen}; 3 start snapshot 1; 4 Succeeded snapshot 1`, 5)).toBe(
      'start thaw 1 -',
    );
  });

  it('ENG-E8: start after an abort', () => {
    expect(decide(snapshot, `${frozen}; 3 start snapshot 1; 4 Failed snapshot 1`, 5)).toBe(
      'start thaw 1 -',
    );
  });

  it('ENG-E8: undo a started step that failed', () => {
    expect(decide(snapshot, '1 start freeze 1; 2 Failed freeze 1', 3)).toBe('start thaw 1 -');
  });

  it('ENG-E8: do not undo a step that never started', () => {
    expect(decide(snapshot, '1 cancel', 2)).toBe('settle Cancelled');
  });

  it('ENG-E8: start without undoes although no main step started', () => {
    expect(decide(timed, '1 cancel', 2)).toBe('start z 1 30000');
  });

  it('ENG-E6, ENG-E8: are retried after their pause', () => {
    expect(decide(snapshot, `${frozen}; 3 cancel; 4 start thaw 1; 5 Failed thaw 1`, 6)).toBe(
      'wait 2005',
    );
  });

  it('ENG-E8: let the run settle when their attempts are used up', () => {
    expect(
      decide(
        snapshot,
        `${frozen}; 3 start snapshot 1; 4 Succeeded snapshot 1; 5 start thaw 1; 6 Failed thaw 1; 2006 start thaw 2; 2007 TimedOut thaw 2`,
        2_008,
      ),
    ).toBe('settle TimedOut');
  });

  it('ENG-E6, ENG-E9: have their own limit under Retry once the deadline has passed', () => {
    const plan = planOf([cleanup('z', { policy: 'Retry', limit: 1 })], 1_000);
    const once = '1 start z 1; 2000 Failed z 1';
    expect(decide(plan, once, 3_000)).toBe('start z 2 -');
    expect(decide(plan, `${once}; 3000 start z 2; 3001 Failed z 2`, 5_000)).toBe('settle Failed');
    expect(decide(plan, '1 start z 1; 2 Failed z 1; 3 start z 2; 4 Failed z 2', 5)).toMatch(
      /^wait/,
    );
  });

  it('ENG-E8, ENG-E15: start one after the other, also after one that failed, and are all causes', () => {
    const plan = planOf([cleanup('y'), cleanup('z')]);
    const samples = '1 start y 1; 2 Failed y 1';
    expect(decide(plan, samples, 3)).toBe('start z 1 -');
    const records = recordsOf(plan, `${samples}; 3 start z 1; 4 TimedOut z 1`);
    expect(step({ plan, records, nowMs: 5 })).toMatchObject({
      outcome: 'Failed',
      reason:
        'Attempt 1 of y failed: it ended Failed; then attempt 1 of z timed out: it ended TimedOut.',
    });
  });

  it('ENG-E8: do not make a run fail under Ignore', () => {
    const plan = planOf([main('a'), cleanup('z', { policy: 'Ignore' })]);
    const samples = '1 start a 1; 2 Succeeded a 1; 3 start z 1; 4 Failed z 1';
    expect(decide(plan, samples, 5)).toBe('settle Succeeded');
  });

  it('ENG-E5: are retried at once after an Unknown outcome', () => {
    expect(
      decide(planOf([cleanup('z', { backoffSeconds: 60 })]), '1 start z 1; 2 Unknown z 1', 3),
    ).toBe('start z 2 -');
  });

  it('ENG-E7: start at the deadline, and no main step does', () => {
    expect(decide(timed, '', 1_000)).toBe('start z 1 30000');
  });

  it('ENG-E7: prevent further main steps, although the clock was set back', () => {
    expect(
      decide(
        planOf([main('a', { limit: 9, backoffSeconds: 60 }), cleanup('z')], 120_000),
        '1 start a 1; 100000 Failed a 1; 100001 start z 1; 100002 Succeeded z 1',
        10,
      ),
    ).toBe('settle TimedOut');
  });

  it('ENG-E15: do not replace the outcome of an abort when they fail', () => {
    expect(
      decide(
        planOf([main('a'), cleanup('z')]),
        '1 start a 1; 2 TimedOut a 1; 3 start z 1; 4 Failed z 1',
        5,
      ),
    ).toBe('settle TimedOut');
  });

  it('ENG-E15: make a successful run Failed when they fail', () => {
    expect(
      decide(
        planOf([main('a'), cleanup('z')]),
        '1 start a 1; 2 Succeeded a 1; 3 start z 1; 4 Failed z 1',
        5,
      ),
    ).toBe('settle Failed');
  });

  it('ENG-E5: undo a main step with an Unknown outcome, which is not retried', () => {
    expect(decide(snapshot, '1 start freeze 1; 2 Unknown freeze 1', 3)).toBe('start thaw 1 -');
  });

  it('ENG-E5: are given up after too many Unknown outcomes', () => {
    const plan = planOf([cleanup('z')]);
    const unseen = (times: number): string =>
      Array.from({ length: times }, (_, n) => `1 start z ${n + 1}; 1 Unknown z ${n + 1}`).join(
        '; ',
      );
    const last = MAX_UNSEEN_CLEANUPS + 1;
    expect(decide(plan, unseen(last - 1), 9)).toBe(`start z ${last} -`);
    expect(decide(plan, unseen(last), 9)).toBe('settle Unknown');
  });
});
