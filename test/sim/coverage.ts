/**
 * `npm run sim:coverage [-- --lifecycle NAME] [--seeds N]` prints how often each fault met each phase. A pair is a hole
 * if it was never met and is not listed as impossible. The command prints holes, and fails if there are any.
 */
import { readCoverageOptions } from './command-options.ts';
import { coveragePlans } from './coverage-plans.ts';
import { CoverageTable } from './coverage-table.ts';
import { lifecycles } from './lifecycles.ts';

process.exitCode = await main();

async function main(): Promise<number> {
  const options = readCoverageOptions(process.argv.slice(2));
  if (typeof options === 'string') {
    console.error(options);
    return 2;
  }
  const { names, seeds } = options;
  let failed = 0;
  for (const name of names) if (!(await isCovered(name, seeds))) failed += 1;
  console.log(`${names.length - failed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
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
