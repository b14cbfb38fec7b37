/** `lifehook rollout history DEPLOYMENT`. */
import process from 'node:process';

import { replicaSets } from '../../kube/resources.ts';
import { exitCodes } from '../exit-codes.ts';
import { connectToKube } from '../kube-connection.ts';
import { historyOf, historyText } from './history-rows.ts';
import { printed } from './output.ts';
import { readRollout } from './read-rollout.ts';
import type { StatusOptions } from './status.ts';

export async function runRolloutHistory(name: string, options: StatusOptions): Promise<number> {
  const cluster = await connectToKube(options, 'rollout history');
  try {
    const { client, namespace } = cluster;
    const [facts, { items }] = await Promise.all([
      readRollout(cluster, name),
      client.list(replicaSets, { namespace }),
    ]);
    const history = historyOf(facts, items);
    process.stdout.write(printed(history, options.output, () => historyText(history)));
    return exitCodes.done;
  } finally {
    cluster.close();
  }
}
