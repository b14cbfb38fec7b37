import { describe, expect, it } from 'vitest';

import { cleanup, main, planOf } from '../../test/sim/engine/sample.ts';
import { LifehookError, type Problem } from '../model/problem.ts';
import { makePlan, MAX_RETRY_LIMIT, MAX_STEPS, MAX_TIMEOUT_SECONDS, type Plan } from './plan.ts';

function problemsOf(plan: Plan): readonly Problem[] {
  try {
    makePlan(plan);
    return [];
  } catch (error) {
    if (error instanceof LifehookError) return error.problems;
    throw error;
  }
}

const codesOf = (plan: Plan): string[] => problemsOf(plan).map(({ code }) => code);

describe('makePlan', () => {
  it('returns a valid plan unchanged', () => {
    const plan = planOf([main('freeze'), main('snapshot'), cleanup('thaw', { undoes: 'freeze' })]);
    expect(makePlan(plan)).toBe(plan);
    expect(codesOf(planOf([]))).toEqual([]);
  });

  it('refuses a name that is used twice', () => {
    expect(problemsOf(planOf([main('a'), cleanup('a')]))).toEqual([
      {
        code: 'LHE001',
        severity: 'error',
        message: `The names of a run's steps are unique; "a" is used twice.`,
        next: 'Rename one of the two.',
        at: { file: 'hooks.yaml', line: 3, column: 5 },
      },
    ]);
  });

  it.each([
    ['a missing step', [main('a'), cleanup('z', { undoes: 'b' })]],
    ['a step after it', [cleanup('z', { undoes: 'a' }), main('a')]],
    ['another cleanup step', [cleanup('y'), cleanup('z', { undoes: 'y' })]],
    ['itself', [cleanup('z', { undoes: 'z' })]],
  ])('refuses to undo %s', (_what, steps) => {
    expect(codesOf(planOf(steps))).toEqual(['LHE002']);
  });

  it('names the step that undoes nothing, and what it undoes', () => {
    const [problem] = problemsOf(planOf([cleanup('z', { undoes: 'b' })]));
    expect(problem).toMatchObject({
      severity: 'error',
      message: '"undoes" must name an earlier main step; "z" undoes "b".',
      next: 'Correct the name or the order.',
    });
  });

  it('refuses Retry in a run without a deadline, and names the fix', () => {
    const [problem] = problemsOf(planOf([main('a', { policy: 'Retry' })]));
    expect(problem).toEqual({
      code: 'LHE003',
      severity: 'error',
      message: '"a" has the failure policy Retry, but its run has no deadline.',
      next: 'Give the run a deadline, or use Abort with a retry limit.',
      at: { file: 'hooks.yaml', line: 3, column: 5 },
    });
    expect(codesOf(planOf([main('a', { policy: 'Retry' })], 60_000))).toEqual([]);
  });

  it('refuses more steps than a run holds', () => {
    const steps = Array.from({ length: MAX_STEPS + 1 }, (_, index) => main(`step-${index}`));
    expect(problemsOf(planOf(steps))).toEqual([
      {
        code: 'LHE004',
        severity: 'error',
        message: `A run holds at most 4096 steps; "a sample run" has 4097.`,
        next: 'Split it into several runs.',
      },
    ]);
    expect(codesOf(planOf(steps.slice(1)))).toEqual([]);
  });

  const whole = 'retry.limit must be a whole number from 0 to 1000';
  const pause = 'retry.backoffSeconds must be from 0 to 300';
  const timeout = 'timeoutSeconds must be more than 0 and at most 604800';

  it.each([
    ['limit', -1, whole],
    ['limit', 1.5, whole],
    ['limit', MAX_RETRY_LIMIT + 1, whole],
    ['backoffSeconds', -1, pause],
    ['backoffSeconds', Number.NaN, pause],
    ['backoffSeconds', 301, pause],
    ['timeoutSeconds', 0, timeout],
    ['timeoutSeconds', MAX_TIMEOUT_SECONDS + 1, timeout],
    ['timeoutSeconds', Infinity, timeout],
  ])('refuses %s %s, and names its range', (field, value, range) => {
    expect(problemsOf(planOf([main('a', { [field]: value })]))).toEqual([
      {
        code: 'LHE005',
        severity: 'error',
        message: `In "a", ${range}, not ${value}.`,
        next: 'Correct the number.',
        at: { file: 'hooks.yaml', line: 3, column: 5 },
      },
    ]);
  });

  it.each([
    ['limit', 0],
    ['limit', MAX_RETRY_LIMIT],
    ['backoffSeconds', 0],
    ['backoffSeconds', 300],
    ['timeoutSeconds', 0.001],
    ['timeoutSeconds', MAX_TIMEOUT_SECONDS],
    ['timeoutSeconds', null],
  ])('accepts %s %s, the end of its range', (field, value) => {
    expect(codesOf(planOf([main('a', { [field]: value })]))).toEqual([]);
  });

  it('refuses a longest pause below the first one', () => {
    const withLongest = (maxBackoffSeconds: number): Plan => {
      const step = main('a');
      const retry = { limit: 1, backoffSeconds: 10, maxBackoffSeconds };
      return planOf([{ ...step, policy: { ...step.policy, retry } }]);
    };
    expect(problemsOf(withLongest(9)).map(({ message }) => message)).toEqual([
      'In "a", retry.maxBackoffSeconds must be at least retry.backoffSeconds (10), not 9.',
    ]);
    expect(codesOf(withLongest(10))).toEqual([]);
  });

  it('names the object of a hook that comes from one', () => {
    const step = main('a', { limit: -1 });
    const source = { kind: 'object' as const, object: 'ExecutionHook db' };
    const [problem] = problemsOf(planOf([{ ...step, source }]));
    expect(problem).toEqual({
      code: 'LHE005',
      severity: 'error',
      message:
        'ExecutionHook db: In "a", retry.limit must be a whole number from 0 to 1000, not -1.',
      next: 'Correct the number.',
    });
  });

  it('refuses a deadline that no date can hold', () => {
    expect(problemsOf(planOf([], Infinity))).toEqual([
      {
        code: 'LHE005',
        severity: 'error',
        message: 'A deadline is a time, or null for none; "a sample run" has Infinity.',
        next: 'Correct the number.',
      },
    ]);
    expect(codesOf(planOf([], Number.NaN))).toEqual(['LHE005']);
    expect(codesOf(planOf([], -8.64e15 - 2))).toEqual(['LHE005']);
    expect(codesOf(planOf([], 8.64e15))).toEqual([]);
  });

  it('reports all problems at once', () => {
    const steps = [main('a', { limit: -1, policy: 'Retry' }), cleanup('a', { undoes: 'b' })];
    expect(codesOf(planOf(steps))).toEqual(['LHE003', 'LHE005', 'LHE001', 'LHE002']);
  });
});
