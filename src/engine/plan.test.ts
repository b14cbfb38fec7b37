import { describe, expect, it } from 'vitest';

import { cleanup, main, planOf } from '../../test/sim/engine/sample.ts';
import { LifehookError, type Problem } from '../model/problem.ts';
import { makePlan, MAX_RETRY_LIMIT, MAX_STEPS, type Plan } from './plan.ts';

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
    expect(codesOf(planOf([main('a'), cleanup('a')]))).toEqual(['LHE001']);
  });

  it.each([
    ['a missing step', [main('a'), cleanup('z', { undoes: 'b' })]],
    ['a step after it', [cleanup('z', { undoes: 'a' }), main('a')]],
    ['another cleanup step', [cleanup('y'), cleanup('z', { undoes: 'y' })]],
    ['itself', [cleanup('z', { undoes: 'z' })]],
  ])('refuses to undo %s', (_what, steps) => {
    expect(codesOf(planOf(steps))).toEqual(['LHE002']);
  });

  it('refuses Retry in a run without a deadline, and names the fix', () => {
    const [problem] = problemsOf(planOf([main('a', { policy: 'Retry' })]));
    expect(problem).toEqual({
      code: 'LHE003',
      severity: 'error',
      message: `The failure policy Retry goes on until the run's deadline; "a" has it in a run without one.`,
      next: 'Give the run a deadline, or use Abort with a retry limit.',
      at: { file: 'hooks.yaml', line: 3, column: 5 },
    });
    expect(codesOf(planOf([main('a', { policy: 'Retry' })], 60_000))).toEqual([]);
  });

  it('refuses more steps than a run holds', () => {
    const steps = Array.from({ length: MAX_STEPS + 1 }, (_, index) => main(`step-${index}`));
    expect(codesOf(planOf(steps))).toEqual(['LHE004']);
    expect(codesOf(planOf(steps.slice(1)))).toEqual([]);
  });

  it.each([
    ['limit', -1],
    ['limit', 1.5],
    ['limit', MAX_RETRY_LIMIT + 1],
    ['backoffSeconds', -1],
    ['backoffSeconds', Number.NaN],
    ['backoffSeconds', 301],
    ['timeoutSeconds', 0],
    ['timeoutSeconds', Infinity],
  ])('refuses %s %s, which is out of range', (field, value) => {
    expect(codesOf(planOf([main('a', { [field]: value })]))).toEqual(['LHE005']);
  });

  it('refuses a deadline that is not finite', () => {
    expect(codesOf(planOf([], Infinity))).toEqual(['LHE005']);
    expect(codesOf(planOf([], Number.NaN))).toEqual(['LHE005']);
  });

  it('reports all problems at once', () => {
    const steps = [main('a', { limit: -1, policy: 'Retry' }), cleanup('a', { undoes: 'b' })];
    expect(codesOf(planOf(steps))).toEqual(['LHE003', 'LHE005', 'LHE001', 'LHE002']);
  });
});
