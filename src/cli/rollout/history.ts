/** `lifehook rollout history DEPLOYMENT`: lists the last rollouts. */
import { replicaSets } from '../../kube/resources.ts';
import { exitCodes } from '../exit-codes.ts';
import { connectToKube, type KubeOptions } from '../kube-connection.ts';
import { printListing } from '../listing.ts';
import type { ListFormat } from '../shared-options.ts';
import { historyListing, historyOf } from './history-rows.ts';
import { readRollout } from './read-rollout.ts';

export interface HistoryOptions extends KubeOptions {
  readonly output: ListFormat;
}

export async function runRolloutHistory(name: string, options: HistoryOptions): Promise<number> {
  using cluster = await connectToKube(options, 'rollout history');
  const { client, namespace } = cluster;
  const [facts, { items }] = await Promise.all([
    readRollout(cluster, name),
    client.list(replicaSets, { namespace }),
  ]);
  const history = historyOf(facts, items);
  printListing(historyListing(history), options.output);
  return exitCodes.done;
}
