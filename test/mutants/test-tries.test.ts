import { describe, expect, it } from 'vitest';

import { TestTries, type TestRun } from './test-tries.ts';

const test = { id: 't1', name: 'a.test.ts > adds', file: '/a.test.ts' };

const passed: TestRun = { error: null, ms: 5, covers: ['1', '2'] };
const failed: TestRun = { ...passed, error: 'expected 2 to be 3' };

const tries = (...killed: string[]) => {
  const bounds = { killed: new Set(killed), slowMs: 10 };
  return { one: new TestTries(test, bounds), bounds };
};

describe('the runs of a test', () => {
  it('are one as it is, one for each mutant that it covers, and one more as it is', () => {
    const { one } = tries();
    const mutants = [];
    while (!one.isOver) {
      mutants.push(one.mutant);
      one.ended(passed);
    }
    expect(mutants).toEqual([undefined, '1', '2', undefined]);
  });

  it('leave out mutants that another test has killed', () => {
    const { one } = tries('1');
    one.ended(passed);
    expect(one.mutant).toBe('2');
  });

  it('are over after the first where the test covers no mutant that is alive', () => {
    const { one } = tries('1', '2');
    expect([one.ended(passed), one.isOver]).toEqual([{ done: 't1', covers: ['1', '2'] }, true]);
  });

  it('kill the mutant that the test fails with, for the tests after it too', () => {
    const { one, bounds } = tries();
    one.ended(passed);
    expect([one.ended(failed), one.ended(passed), one.ended(passed), one.isOver]).toEqual([
      { killed: '1', by: test.name, error: 'expected 2 to be 3' },
      null,
      { done: 't1', covers: ['1', '2'] },
      true,
    ]);
    expect([...bounds.killed]).toEqual(['1']);
  });

  it('report a test that fails as it is, and try nothing', () => {
    const { one } = tries();
    expect([one.ended(failed), one.isOver]).toEqual([
      { red: 'a.test.ts > adds', error: 'expected 2 to be 3' },
      true,
    ]);
  });

  it('prove nothing where the test fails when it runs again as it is', () => {
    const { one, bounds } = tries('9');
    const reports = [passed, failed, passed, failed].map((run) => one.ended(run));
    expect([reports.at(-1), one.isOver]).toEqual([
      { once: 't1', name: test.name, error: 'expected 2 to be 3', withdrawn: ['1'] },
      true,
    ]);
    expect([...bounds.killed]).toEqual(['9']);
  });

  it('are put off where the first takes longer than the pass allows, but not for a later one', () => {
    const { one } = tries();
    expect([one.ended({ ...passed, ms: 11 }), one.isOver]).toEqual([
      { later: 't1', file: '/a.test.ts', covers: ['1', '2'] },
      true,
    ]);
    const { one: other } = tries();
    other.ended(passed);
    other.ended({ ...passed, ms: 11 });
    expect(other.mutant).toBe('2');
  });
});
