/** The rollout lifecycle: what it adds to a rollout, what its gate costs, and many Deployments at rest. */
import type { BenchResult } from './measure.ts';
import { rolloutAdded } from './rollout-added.ts';
import { admission } from './rollout-admission.ts';
import { openLocal, openReal } from './rollout-cluster.ts';
import { manyDeployments } from './rollout-many.ts';

/** One cluster at a time: next to a real one nothing else should work on this machine. */
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
