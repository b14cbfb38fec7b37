/** `lifehook rollout status DEPLOYMENT`. */
import process from 'node:process';

import { connectToKube, type KubeOptions } from '../kube-connection.ts';
import { printed } from '../listing.ts';
import type { OutputFormat } from '../shared-options.ts';
import { readRollout } from './read-rollout.ts';
import { exitCodeOf, viewOf } from './rollout-view.ts';
import { statusText } from './status-text.ts';

export interface StatusOptions extends KubeOptions {
  readonly output: OutputFormat;
}

export async function runRolloutStatus(name: string, options: StatusOptions): Promise<number> {
  const cluster = await connectToKube(options, 'rollout status');
  try {
    const view = viewOf(await readRollout(cluster, name));
    process.stdout.write(printed(view, options.output, () => statusText(view, Date.now())));
    return exitCodeOf(view);
  } finally {
    cluster.close();
  }
}
