/** The snapshot lifecycle: the time that it adds to a freeze, many containers at once, and many hooks at once. */
import { freezeAdded } from './snapshot-added.ts';
import { openLocal, openReal } from './snapshot-cluster.ts';
import { manyHooks } from './snapshot-hooks.ts';
import { freezePods } from './snapshot-pods.ts';
import type { BenchResult } from './measure.ts';

/** Uses one cluster at a time, because other work on this machine would disturb a measurement on the real cluster. */
export async function snapshot(): Promise<readonly BenchResult[]> {
  const results: BenchResult[] = [];
  for (const open of [openLocal, openReal]) {
    await using cluster = await open();
    results.push(await freezeAdded(cluster), ...(await manyHooks(cluster)));
    if (cluster.name === 'real') results.push(await freezePods(cluster));
  }
  return results;
}
