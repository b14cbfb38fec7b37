import type { Command } from 'commander';

/** The options that `connectToKube` reads. */
export function withKubeOptions(command: Command): Command {
  return withKubeContext(command).option(
    '-n, --namespace <name>',
    'Namespace; default: the one of the context',
  );
}

/** Of commands about the whole cluster. */
export function withKubeContext(command: Command): Command {
  return command
    .option('--kubeconfig <file>', 'Kubeconfig; default: $KUBECONFIG, else ~/.kube/config')
    .option('--context <name>', 'Context of the kubeconfig; default: its current one');
}
