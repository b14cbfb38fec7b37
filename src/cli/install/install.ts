/**
 * Declares `lifehook install` and `uninstall`; their code is imported when they run. `install` prints the objects that
 * a cluster needs, for kubectl to apply, and changes nothing. `uninstall` deletes them in an order in which no object
 * stays terminating.
 */
import { type Command, InvalidArgumentError } from 'commander';
import process from 'node:process';

import { hookHostOption, notifyOptions } from '../shared-options.ts';
import { exitCodes, type Settle } from '../exit-codes.ts';
import { version } from '../version.ts';
import type { InstallOptions } from './install-options.ts';
import type { UninstallOptions } from './uninstall.ts';

interface Options {
  readonly namespace: string;
  readonly namespaced?: boolean;
  readonly image: string;
  readonly replicas: number;
  readonly snapshotKinds?: boolean;
  readonly timeline: boolean;
  readonly allowHookHost: readonly string[];
  readonly apiPort?: readonly number[];
  readonly notifySecret?: string;
  readonly notifyVerdicts: string;
  readonly notifySource: string;
}

const HIGHEST_PORT = 65_535;
const MOST_REPLICAS = 9;
const MOST_SECONDS = 86_400;
const NAMESPACE = 'lifehook-system';
const NAMESPACED = `
With --namespaced there is no webhook: a DeploymentLifecycle there needs \`gate: PausedAtRest\`.`;

export function addInstallCommand(program: Command, settle: Settle): void {
  const command = program
    .command('install')
    .description('Print the manifests that install Lifehook in a cluster')
    .option('-n, --namespace <name>', 'namespace of the controllers', NAMESPACE)
    .option(
      '--namespaced',
      'control only the objects of that namespace, with permissions in no other',
    )
    .option('--image <name>', 'image of the controllers', `docker.io/lifehook/lifehook:${version}`)
    .option(
      '--replicas <number>',
      'number of controller pods, of which one leads',
      wholeNumber(1, MOST_REPLICAS),
      2,
    )
    .addOption(hookHostOption())
    .option('--api-port <number...>', 'ports of the API server; default: 443 and 6443', portAfter)
    .option(
      '--snapshot-kinds',
      'include the kinds of volume snapshots (VolumeSnapshot and others), if the cluster has none',
    )
    .option('--no-timeline', 'no timeline in the controller pods, and no right to read Events')
    .addHelpText('after', `${NAMESPACED}\n\nExample:\n  lifehook install | kubectl apply -f -`)
    .action(async (options: Options) => {
      const { yamlDocuments } = await import('../../model/yaml-text.ts');
      const { installObjects } = await import('./install-objects.ts');
      const { namespaced = false, snapshotKinds = false } = options;
      const { allowHookHost: hookHosts, apiPort } = options;
      const apiPorts = apiPort === undefined ? {} : { apiPorts: apiPort };
      const shared = { ...options, namespaced, snapshotKinds, hookHosts, ...apiPorts };
      const asked = { ...shared, ...notificationsOf(options) };
      const objects = installObjects(asked);
      process.stdout.write(yamlDocuments(objects, { singleQuote: true }));
      settle(exitCodes.done);
    });
  for (const option of notifyOptions()) command.addOption(option);
  addUninstallCommand(program, settle);
}

function notificationsOf(options: Options): Pick<InstallOptions, 'notifications'> {
  const { notifySecret: secret, notifyVerdicts: verdicts, notifySource: source } = options;
  return secret === undefined ? {} : { notifications: { secret, verdicts, source } };
}

const UNINSTALL = `
Without --yes, the command only prints the changes. With it, the controllers thaw every frozen application.
A Deployment with a held template gets its released template back, or the treatment that spec.onDelete sets.
If no controller is running, this command does both. The output names the template that each Deployment
runs afterwards. The VolumeSnapshots of complete snapshots are kept.

Example:
  lifehook uninstall --yes`;

function addUninstallCommand(program: Command, settle: Settle): void {
  program
    .command('uninstall')
    .description('Thaw and release everything, and remove Lifehook')
    .option('--kubeconfig <file>', 'kubeconfig; default: $KUBECONFIG, else ~/.kube/config')
    .option('--context <name>', 'context of the kubeconfig; default: its current one')
    .option('-n, --namespace <name>', 'namespace of the controllers', NAMESPACE)
    .option(
      '--namespaced',
      'uninstall from that namespace only: other installations and the kinds stay',
    )
    .option(
      '--timeout <seconds>',
      'seconds to wait in each step',
      wholeNumber(1, MOST_SECONDS),
      120,
    )
    .option('--release-held', 'start held templates without their hooks')
    .option('--yes', 'remove the listed objects, instead of listing them')
    .addHelpText('after', UNINSTALL)
    .action(async (options: UninstallOptions) => {
      const { uninstall } = await import('./uninstall.ts');
      settle(await uninstall(options));
    });
}

function portAfter(text: string, before: readonly number[] = []): readonly number[] {
  return [...before, wholeNumber(1, HIGHEST_PORT)(text)];
}

function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (Number.isInteger(value) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`A whole number from ${least} to ${most} is required.`);
  };
}
