/** `lifehook snapshot status NAME`. */
import process from 'node:process';

import { type ApplicationSnapshot, applicationSnapshots } from '../../lifecycles/snapshot/kinds.ts';
import { LifehookError } from '../../model/problem.ts';
import { getOrNull } from '../../kube/get-or-null.ts';
import { exitCodes } from '../exit-codes.ts';
import { type CliCluster, connectToKube, type KubeOptions } from '../kube-connection.ts';
import { printed } from '../listing.ts';
import type { OutputFormat } from '../shared-options.ts';
import { statusText } from './status-text.ts';

export interface StatusOptions extends KubeOptions {
  readonly output: OutputFormat;
}

export async function runStatus(name: string, options: StatusOptions): Promise<number> {
  const cluster = await connectToKube(options, 'snapshot status');
  try {
    const snapshot = await readSnapshot(cluster, name);
    process.stdout.write(printed(snapshot, options.output, () => statusText(snapshot)));
    return snapshot.status?.phase === 'Failed' ? exitCodes.failed : exitCodes.done;
  } finally {
    cluster.close();
  }
}

export async function readSnapshot(
  { client, namespace, source }: CliCluster,
  name: string,
): Promise<ApplicationSnapshot> {
  const snapshot = await getOrNull(client, applicationSnapshots, { namespace, name });
  if (snapshot !== null) return snapshot;
  throw new LifehookError({
    code: 'LHS401',
    severity: 'error',
    message: `There is no ApplicationSnapshot "${name}" in namespace "${namespace}" (${source}).`,
    next: 'See `lifehook snapshot list -A`, or name another --namespace.',
  });
}
