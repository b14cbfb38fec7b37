/** `lifehook ui`: a declaration only; its code is imported when it runs. */
import { type Command, InvalidArgumentError } from 'commander';

import { DEFAULT_CLUSTER, parseClusterName, parsePort } from '../cluster/cluster-options.ts';
import { withKubeOptions } from '../kube-options.ts';
import type { Settle } from '../settle.ts';
import type { UiOptions } from './run-ui.ts';

export function addUiCommand(program: Command, settle: Settle): void {
  withKubeOptions(program.command('ui'))
    .description('what hooks did and do, of all lifecycles, as one timeline in your browser')
    .option('--project <folder>', 'of a skaffold.yaml; this folder, if it is one')
    .option('--cluster <name>', 'the local cluster, if it runs', parseClusterName, DEFAULT_CLUSTER)
    .option('--no-cluster', 'look at no cluster')
    .option('--state-dir <folder>', 'where the local cluster keeps everything')
    .option('--records <folder>', 'records that the hooks of containers have left')
    .option('--port <number>', 'to listen on, at 127.0.0.1', parsePort, 0)
    .option('--no-open', 'do not start a browser')
    .option('--export <file>', 'write it to a .html or .json file, and end', parseExportFile)
    .addHelpText(
      'after',
      '\nExamples:\n  lifehook ui\n  lifehook ui --export incident.html --no-cluster',
    )
    .action(async (options: UiOptions) => {
      const { runUi } = await import('./run-ui.ts');
      settle(await runUi(options));
    });
}

function parseExportFile(path: string): string {
  if (/\.(html|json)$/.test(path)) return path;
  throw new InvalidArgumentError('An export is a file with the ending .html or .json.');
}
