/** The options by which a command chooses its local cluster. */
import type { Command } from 'commander';

import { DEFAULT_CLUSTER, parseClusterName } from './cluster-options.ts';

export function withCluster(command: Command): Command {
  return command
    .option('--cluster <name>', 'which local cluster', parseClusterName, DEFAULT_CLUSTER)
    .option('--state-dir <folder>', 'where it keeps everything, instead of the XDG state folder');
}
