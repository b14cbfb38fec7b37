import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

import { coveragePlans } from './coverage-plans.ts';

/** The seeds that CI runs with `npm run sim`, beside those of `npm run sim:coverage`; keyed by lifecycle. */
function seedsOfGate(): ReadonlyMap<string, { readonly from: number; readonly seeds: number }> {
  const commands = readFileSync('.ci/run', 'utf8').matchAll(
    /npm run --silent sim -- --lifecycle (\w+) --from (\d+) --seeds (\d+)/gu,
  );
  return new Map(
    [...commands].map(([, name = '', from, seeds]) => [
      name,
      { from: Number(from), seeds: Number(seeds) },
    ]),
  );
}

/** The rows "lifecycle, seeds, additional runs" of the page. */
function documentedSeeds(): Record<string, readonly [number, number]> {
  const [, table = ''] = readFileSync('docs/reliability.md', 'utf8').split('| additional runs |');
  const rows = table.matchAll(/^\| (\w+) +\| +([\d ]+?) \| +([\d ]*?) *\|$/gmu);
  const numberOf = (text = ''): number => Number(text.replaceAll(' ', ''));
  return Object.fromEntries(
    [...rows].map(([, name = '', seeds, more]) => [name, [numberOf(seeds), numberOf(more)]]),
  );
}

it('docs/reliability.md says how many seeds CI runs, and CI runs none of them twice', () => {
  const gate = seedsOfGate();
  const run = Object.entries(coveragePlans).map(([name, { seeds, focused = {} }]) => {
    const { from, seeds: more } = gate.get(name) ?? { from: seeds + 1, seeds: 0 };
    expect(from, name).toBe(seeds + 1);
    const concentrated = Object.values(focused).reduce((sum, count) => sum + count, 0);
    return [name, [seeds + more, concentrated]] as const;
  });
  expect(documentedSeeds()).toEqual(Object.fromEntries(run));
});
