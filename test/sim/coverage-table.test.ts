import { describe, expect, it } from 'vitest';

import type { CoverageRules } from './coverage-rules.ts';
import { CoverageTable } from './coverage-table.ts';

const RULES: CoverageRules = {
  phases: ['frozen', 'done'],
  faults: ['kill', 'full'],
  plans: ['users'],
  impossible: [{ faults: ['full'], phases: ['done'], why: 'Nothing is written any more.' }],
};

function tableOf(...met: readonly (readonly [string, readonly string[]])[]): CoverageTable {
  const table = new CoverageTable(RULES);
  for (const [fault, phases] of met) table.add(fault, phases);
  return table;
}

describe('CoverageTable', () => {
  it('has no hole when each possible pair was met', () => {
    const table = tableOf(['kill', ['frozen', 'done']], ['full', ['frozen']], ['users', ['done']]);
    expect(table.holes).toEqual([]);
    expect(table.text.split('\n')).toEqual([
      '      frozen  done',
      'kill       1     1',
      'full       1     -',
    ]);
  });

  it('names each pair that was never met', () => {
    const table = tableOf(['kill', ['done']]);
    expect(table.holes).toEqual(['"kill" never met "frozen"', '"full" never met "frozen"']);
    expect(table.text).toContain('HOLE');
  });

  it('names a pair that was met although it is listed as impossible', () => {
    const table = tableOf(['kill', ['frozen', 'done']], ['full', ['frozen', 'done']]);
    expect(table.holes).toEqual(['"full" met "done", which is listed as impossible']);
  });

  it('names a fault and a phase that it does not know', () => {
    const table = tableOf(
      ['kill', ['frozen', 'done', 'lost']],
      ['full', ['frozen']],
      ['flood', []],
    );
    expect(table.holes).toHaveLength(2);
    expect(table.holes[0]).toContain('"flood" is no row');
    expect(table.holes[1]).toContain('"lost" is no column');
  });
});
