import { describe, expect, it } from 'vitest';

import { formatProblem, LifehookError, type Problem } from './problem.ts';

const problem: Problem = {
  code: 'LHC113',
  severity: 'error',
  message: 'A hook has a path.',
  next: 'Add one.',
};
const placed: Problem = {
  ...problem,
  severity: 'warning',
  at: { file: 'a.json', line: 3, column: 7 },
};

describe('formatProblem', () => {
  it('has the place in the form that editors link, where there is one', () => {
    expect(formatProblem(problem)).toBe('error LHC113: A hook has a path. Next: Add one.');
    expect(formatProblem(placed)).toBe(
      'a.json:3:7: warning LHC113: A hook has a path. Next: Add one.',
    );
  });
});

describe('a LifehookError', () => {
  it('carries one problem or several, each on a line of its message', () => {
    const cause = new Error('ENOENT');
    const one = new LifehookError(problem, { cause });
    expect([one.name, one.problems, one.cause]).toEqual(['LifehookError', [problem], cause]);
    expect(one.message).toBe(formatProblem(problem));
    expect(new LifehookError([problem, placed]).message).toBe(
      `${formatProblem(problem)}\n${formatProblem(placed)}`,
    );
  });
});
