/** Declares `lifehook up`, `down` and `status`; a command's code is imported when it runs. */
import { type Command, Option } from 'commander';

import type { Settle } from '../exit-codes.ts';
import { quietOption } from '../shared-options.ts';
import type { DownOptions } from './down.ts';
import type { StatusOptions } from './run-status.ts';
import { addUp, parseDuration, withCluster } from './up-command.ts';

export function addClusterCommands(program: Command, settle: Settle): void {
  addUp(program, settle);
  addDown(program, settle);
  addStatus(program, settle);
}

function addStatus(program: Command, settle: Settle): void {
  withCluster(program.command('status'))
    .description('Show the state of the cluster, a rollout or a snapshot')
    .argument('[object]', 'deployment/NAME or applicationsnapshot/NAME; absent: the local cluster')
    .option(
      '--kubeconfig [file]',
      'kubeconfig for the object; without a file: print only the path of that of the local cluster',
    )
    .option(
      '--context <name>',
      'context for the object; default: the current one of the kubeconfig',
    )
    .option('-n, --namespace <name>', 'namespace of the object; default: the one of the context')
    .action(async (object: string | undefined, options: StatusOptions, command: Command) => {
      const { runStatus } = await import('./run-status.ts');
      settle(await runStatus(object, options, command));
    });
}

function addDown(program: Command, settle: Settle): void {
  withCluster(program.command('down'))
    .description('Stop the cluster and its containers, and keep its objects')
    .addOption(quietOption())
    .option('--delete', 'remove its objects, images and volumes too')
    .addOption(
      new Option(
        '--thaw-timeout <duration>',
        'longest wait for the thaw of freezes that outlive their container; then the command fails',
      )
        .argParser(parseDuration)
        .default(30_000, '30s'),
    )
    .option('--leave-frozen', 'stop even while an application is frozen, and leave it frozen')
    .action(async (options: DownOptions) => {
      const { runDown } = await import('./down.ts');
      settle(await runDown(options));
    });
}
