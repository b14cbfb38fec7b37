/** The options by which a command chooses its local cluster. */
import type { Command } from 'commander';

import { DEFAULT_CLUSTER, parseClusterName, parseStateDir } from './cluster-options.ts';

export function withCluster(command: Command): Command {
  return command
    .option('--cluster <name>', 'Name of the local cluster', parseClusterName, DEFAULT_CLUSTER)
    .option(
      '--state-dir <folder>',
      'State directory of the local cluster; default: in the XDG state directory',
      parseStateDir,
    );
}
