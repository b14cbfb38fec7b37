/**
 * `npm run sim:coverage [-- --lifecycle NAME] [--seeds N]`: which fault met which phase, and how often. A pair that
 * was never met, and is not listed as impossible, is a hole: the command names it, and fails.
 */
import { parseArgs } from 'node:util';

import type { CoverageRules } from './coverage-rules.ts';
import { CoverageTable } from './coverage-table.ts';
import { containerCoverage } from './container/coverage.ts';
import { controllerCoverage } from './controller/coverage.ts';
import { engineCoverage } from './engine/coverage.ts';
import { lifecycles } from './lifecycles.ts';
import { pipelineCoverage } from './pipeline/coverage.ts';
import { podCoverage } from './pod/coverage.ts';
import { rolloutCoverage } from './rollout/coverage.ts';
import { snapshotCoverage } from './snapshot/coverage.ts';

interface Plan {
  readonly rules: CoverageRules;
  /** Enough to meet every pair that is possible, with those of `focused`. */
  readonly seeds: number;
  /** More seeds that concentrate on a phase which is short: by the phase, their number. */
  readonly focused?: Readonly<Record<string, number>>;
}

/** A later lifecycle adds its table with one line. */
const PLANS: Readonly<Record<string, Plan>> = {
  engine: { rules: engineCoverage, seeds: 1_000 },
  controller: { rules: controllerCoverage, seeds: 500 },
  pod: { rules: podCoverage, seeds: 2_000 },
  snapshot: {
    rules: snapshotCoverage,
    seeds: 500,
    focused: { deleting: 1_000, 'snapshot cut': 400, thawing: 150 },
  },
  rollout: {
    rules: rolloutCoverage,
    seeds: 300,
    focused: {
      'rolling back': 420,
      post: 260,
      draining: 200,
      gated: 100,
      'held or failed': 150,
      'lifecycle deleting': 250,
      'no lifecycle': 150,
    },
  },
  container: { rules: containerCoverage, seeds: 2_000 },
  pipeline: { rules: pipelineCoverage, seeds: 2_000 },
};

const { values } = parseArgs({
  options: { lifecycle: { type: 'string' }, seeds: { type: 'string' } },
});
process.exitCode = await main();

async function main(): Promise<number> {
  const { lifecycle } = values;
  const names = lifecycle === undefined ? Object.keys(PLANS) : [lifecycle];
  const seeds = values.seeds === undefined ? null : Number(values.seeds);
  if (!isCount(seeds) || names.some((name) => PLANS[name] === undefined)) {
    console.error(
      `--lifecycle is one of ${Object.keys(PLANS).join(', ')}; --seeds is a whole number from 1. ` +
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
  const plan = PLANS[name];
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
