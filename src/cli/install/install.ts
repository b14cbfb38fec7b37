/**
 * `lifehook install` prints the objects that a cluster needs, for kubectl to apply, and changes nothing; `lifehook
 * uninstall` deletes them in an order in which no object stays terminating. Declarations: their code is imported when
 * it runs.
 */
import { type Command, InvalidArgumentError } from 'commander';
import process from 'node:process';

import { hookHostOption } from '../shared-options.ts';
import { exitCodes, type Settle } from '../exit-codes.ts';
import { version } from '../version.ts';
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
}

const HIGHEST_PORT = 65_535;
const MOST_REPLICAS = 9;
const MOST_SECONDS = 86_400;
const NAMESPACE = 'lifehook-system';
const NAMESPACED = `
With --namespaced there is no webhook: a DeploymentLifecycle there needs \`gate: PausedAtRest\`.`;

export function addInstallCommand(program: Command, settle: Settle): void {
  program
    .command('install')
    .description('Print the manifests that install Lifehook in a cluster')
    .option('-n, --namespace <name>', 'where they run', NAMESPACE)
    .option('--namespaced', 'only for the objects of that namespace, with roles for no other')
    .option('--image <name>', 'of the controllers', `docker.io/lifehook/lifehook:${version}`)
    .option('--replicas <number>', 'one of them leads', wholeNumber(1, MOST_REPLICAS), 2)
    .addOption(hookHostOption())
    .option('--api-port <number...>', 'of the API server; 443 and 6443 if not given', portAfter)
    .option('--snapshot-kinds', 'the kinds of volume snapshots too, where the storage brings none')
    .option('--no-timeline', 'serve none in their pods, and let them read no Events')
    .addHelpText('after', `${NAMESPACED}\n\nExample:\n  lifehook install | kubectl apply -f -`)
    .action(async (options: Options) => {
      const { yamlDocuments } = await import('../../model/yaml-text.ts');
      const { installObjects } = await import('./install-objects.ts');
      const { namespaced = false, snapshotKinds = false } = options;
      const { allowHookHost: hookHosts, apiPort } = options;
      const apiPorts = apiPort === undefined ? {} : { apiPorts: apiPort };
      const asked = { ...options, namespaced, snapshotKinds, hookHosts, ...apiPorts };
      const objects = installObjects(asked);
      process.stdout.write(yamlDocuments(objects, { singleQuote: true }));
      settle(exitCodes.done);
    });
  addUninstallCommand(program, settle);
}

const UNINSTALL = `
Without --yes it says what it would do. What is frozen is thawed, and a Deployment whose new template is held
gets the released template back (or what spec.onDelete of its lifecycle says), by the controllers of the
cluster, or by this command where none runs any more. It lists what each of them runs afterwards.
VolumeSnapshots stay.

Example:
  lifehook uninstall --yes`;

function addUninstallCommand(program: Command, settle: Settle): void {
  program
    .command('uninstall')
    .description('Stop what runs in order, and remove what install created')
    .option('--kubeconfig <file>', 'instead of $KUBECONFIG and ~/.kube/config')
    .option('--context <name>', 'of the kubeconfig, instead of its current one')
    .option('-n, --namespace <name>', 'where the controllers run', NAMESPACE)
    .option('--namespaced', 'only that namespace: other installations and the kinds stay')
    .option('--timeout <seconds>', 'for all that is to end', wholeNumber(1, MOST_SECONDS), 120)
    .option('--release-held', 'start the templates that are held, without their hooks')
    .option('--yes', 'do it')
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
