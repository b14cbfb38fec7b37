/** The declaration of `lifehook up`; its code is imported when it runs. */
import { type Command, Option } from 'commander';

import type { Settle } from '../exit-codes.ts';
import { quietOption } from '../shared-options.ts';
import { parseDuration, parseGates, parsePort, withCluster } from './cluster-options.ts';
import type { UpOptions } from './up.ts';

export const RUNNERS = ['auto', 'process', 'runc', 'crun'] as const;

export function addUp(program: Command, settle: Settle): void {
  withCluster(program.command('up'))
    .description('Start a small Kubernetes on this machine')
    .addOption(quietOption())
    .option('--foreground', 'run in the foreground and print the log; Ctrl-C stops it')
    .addOption(
      new Option('--runner <name>', 'way to run containers; auto: as plain processes')
        .choices(RUNNERS)
        .default('auto'),
    )
    .option('--no-controllers', 'no kinds and no controllers of Lifehook')
    .option('--port <number>', 'port of the API server', parsePort, 0)
    .option(
      '--endpoint-delay <duration>',
      'delay before services use changed endpoints, as in a large cluster',
      parseDuration,
      0,
    )
    .option('--apiserver-feature-gates <list>', 'NAME=true|false, with commas between', parseGates)
    .option('--node-feature-gates <list>', 'NAME=true|false, with commas between', parseGates)
    .addHelpText(
      'after',
      '\nExample:\n  lifehook up\n  export KUBECONFIG=$(lifehook status --kubeconfig)\n  kubectl get nodes',
    )
    .action(async (options: UpOptions) => {
      const { runUp } = await import('./up.ts');
      settle(await runUp(options));
    });
}
