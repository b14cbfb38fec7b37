import { describe, expect, it } from 'vitest';

import { belowFloor, judge, scoreOf, type AllowedSurvivor } from './judge.ts';
import { problemsOf, scoreTable } from './score-table.ts';
import type { TriedMutant } from './try-mutants.ts';

const older = {
  id: '0',
  file: 'src/a/age.ts',
  mutator: 'EqualityOperator',
  from: 'age > 9',
  to: 'age >= 9',
};

const survivors: readonly TriedMutant[] = [
  { ...older, line: 'if (age > 9) return true;', lineNumber: 2, killed: false },
  { ...older, line: 'return age > 9;', lineNumber: 3, killed: false },
];

const listed: AllowedSurvivor = {
  file: 'src/a/age.ts',
  mutator: 'EqualityOperator',
  from: 'age > 9',
  to: 'age >= 9',
  reason: 'Ages are never whole.',
};

const killed: TriedMutant = {
  ...older,
  mutator: 'BooleanLiteral',
  from: 'true',
  to: 'false',
  line: 'if (age > 9) return true;',
  lineNumber: 2,
  killed: true,
};

describe('judge', () => {
  const tried = [...survivors, killed];

  it('leaves open what no entry lists', () => {
    const { open, ...rest } = judge(tried, []);
    expect(rest).toEqual({ tried: 3, killed: 1, allowed: 0, stale: [] });
    expect(open).toEqual(survivors);
  });

  it('allows every survivor that an entry without a line names', () => {
    expect(judge(tried, [listed])).toMatchObject({ killed: 1, allowed: 2, open: [], stale: [] });
  });

  it('allows only the survivor on the line of the entry', () => {
    const { allowed, open } = judge(tried, [{ ...listed, line: 'return age > 9;' }]);
    expect([allowed, open.map(({ lineNumber }) => lineNumber)]).toEqual([1, [2]]);
  });

  it.each(['file', 'mutator', 'from', 'to', 'line'] as const)(
    'allows nothing by an entry with another %s',
    (field) => {
      expect(judge(tried, [{ ...listed, [field]: 'another' }])).toMatchObject({ allowed: 0 });
    },
  );

  it('calls an entry stale whose mutant is killed, not one of a file that was not tried', () => {
    const deleted = { ...listed, mutator: 'BooleanLiteral', from: 'true', to: 'false' };
    const elsewhere = { ...deleted, file: 'src/a/other.ts' };
    expect(judge(tried, [deleted, elsewhere]).stale).toEqual([deleted]);
  });
});

describe('belowFloor', () => {
  const survive = (all: number, open: number) =>
    judge(
      Array.from({ length: all }, (_, index) => ({ ...killed, killed: index >= open })),
      [],
    );

  it.each([
    [100, 10, false],
    [100, 11, true],
    [3, 1, false],
    [3, 2, true],
    [0, 0, false],
  ])('of %i mutants with %i open ones is %s at 90 %%', (all, open, expected) => {
    expect(belowFloor(survive(all, open), 90) !== null).toBe(expected);
  });

  it('counts a listed survivor as none, although the score does not', () => {
    const judgement = judge(survivors, [listed]);
    expect([belowFloor(judgement, 100), scoreOf(judgement)]).toEqual([null, 0]);
  });

  it('scores a module without mutants as whole', () => {
    expect(scoreOf(judge([], []))).toBe(100);
  });
});

describe('the report of a run', () => {
  const module = { name: 'a', mutated: ['src/a'], tests: ['src/a'], floor: 90 };
  const judgement = judge(survivors, [{ ...listed, from: 'deleted' }]);

  it('names what is below the floor and each stale entry', () => {
    expect(problemsOf({ module, judgement, constants: 4, judged: true })).toEqual([
      'a: 2 of 2 mutants survive without a reason; a floor of 90 % allows 1',
      'a: no mutant survives in src/a/age.ts with EqualityOperator from "deleted" to "age >= 9"; ' +
        'delete the entry of test/mutants/survivors/a.json',
    ]);
  });

  it('judges no floor where only some files were tried', () => {
    expect(problemsOf({ module, judgement, constants: 4, judged: false })).toHaveLength(1);
  });

  it('has a line of figures for each module', () => {
    expect(
      scoreTable([{ module, judgement, constants: 4, judged: true }])
        .split('\n')[1]
        ?.split(/\s{2,}/),
    ).toEqual(['a', '2', '0', '0.0 %', '0', '2', '90 %', '4']);
  });
});
