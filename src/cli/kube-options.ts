import type { Command } from 'commander';

/** The options that `connectToKube` reads. */
export function withKubeOptions(command: Command): Command {
  return command
    .option('--kubeconfig <file>', 'instead of $KUBECONFIG and ~/.kube/config')
    .option('--context <name>', 'of the kubeconfig, instead of its current one')
    .option('-n, --namespace <name>', 'instead of that of the context');
}
