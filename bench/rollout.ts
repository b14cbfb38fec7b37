/** The rollout lifecycle: the time that it adds to a rollout, the cost of its gate, and many idle Deployments. */
import type { BenchResult } from './measure.ts';
import { rolloutAdded } from './rollout-added.ts';
import { admission } from './rollout-admission.ts';
import { openLocal, openReal } from './rollout-cluster.ts';
import { manyDeployments } from './rollout-many.ts';

/** Uses one cluster at a time, because other work on this machine would disturb a measurement on the real cluster. */
export async function rollout(): Promise<readonly BenchResult[]> {
  const results: BenchResult[] = [];
  for (const open of [openLocal, openReal]) {
    await using cluster = await open();
    for (const each of [rolloutAdded, admission, manyDeployments]) {
      results.push(...(await each(cluster)));
    }
  }
  return results;
}
