/**
 * `npm run sim:coverage [-- --lifecycle NAME] [--seeds N]`: which fault met which phase, and how often. A pair that
 * was never met, and is not listed as impossible, is a hole: the command names it, and fails.
 */
import { parseArgs } from 'node:util';

import { coveragePlans } from './coverage-plans.ts';
import { CoverageTable } from './coverage-table.ts';
import { lifecycles } from './lifecycles.ts';

const { values } = parseArgs({
  options: { lifecycle: { type: 'string' }, seeds: { type: 'string' } },
});
process.exitCode = await main();

async function main(): Promise<number> {
  const { lifecycle } = values;
  const names = lifecycle === undefined ? Object.keys(coveragePlans) : [lifecycle];
  const seeds = values.seeds === undefined ? null : Number(values.seeds);
  if (!isCount(seeds) || names.some((name) => !Object.hasOwn(coveragePlans, name))) {
    console.error(
      `--lifecycle is one of ${Object.keys(coveragePlans).join(', ')}; --seeds is a whole number from 1. ` +
        `Received ${names.join(', ')} and ${seeds}.`,
    );
    return 2;
  }
  let failed = 0;
  for (const name of names) if (!(await isCovered(name, seeds))) failed += 1;
  console.log(`${names.length - failed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

function isCount(seeds: number | null): boolean {
  return seeds === null || (Number.isInteger(seeds) && seeds > 0);
}

async function isCovered(name: string, given: number | null): Promise<boolean> {
  const plan = coveragePlans[name];
  const simulate = lifecycles[name];
  if (plan === undefined || simulate === undefined) return false;
  const seeds = given ?? plan.seeds;
  const table = new CoverageTable(plan.rules);
  await table.addSeeds(simulate, seeds);
  for (const [phase, more] of Object.entries(plan.focused ?? {}))
    await table.addSeeds(simulate, more, phase);
  console.log(`${name}: how often a fault met a phase in ${seeds} seeds; - is impossible`);
  console.log(table.text);
  const { holes } = table;
  for (const hole of holes) console.log(`${name}: hole: ${hole}`);
  return holes.length === 0;
}
