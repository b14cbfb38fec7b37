/**
 * `lifehook install`: prints what a cluster needs, for kubectl to apply. Touches nothing. Its code is
 * imported when it runs.
 */
import { type Command, InvalidArgumentError } from 'commander';
import process from 'node:process';

import { exitCodes } from '../exit-codes.ts';
import type { Settle } from '../settle.ts';
import { version } from '../version.ts';

interface Options {
  readonly namespace: string;
  readonly namespaced?: boolean;
  readonly image: string;
  readonly replicas: number;
  readonly cel?: boolean;
  readonly snapshotKinds?: boolean;
}

const MOST_REPLICAS = 9;

export function addInstallCommand(program: Command, settle: Settle): void {
  program
    .command('install')
    .description('print what a cluster needs to run the controllers: kinds, roles, a Deployment')
    .option('-n, --namespace <name>', 'where they run', 'lifehook-system')
    .option('--namespaced', 'only for the objects of that namespace, with roles for no other')
    .option('--image <name>', 'of the controllers', `docker.io/lifehook/lifehook:${version}`)
    .option('--replicas <number>', 'one of them leads', parseReplicas, 2)
    .option('--cel', 'kinds with CEL rules, for servers from 1.25 on')
    .option('--snapshot-kinds', 'the kinds of volume snapshots too, where the storage brings none')
    .addHelpText('after', '\nExample:\n  lifehook install | kubectl apply -f -')
    .action(async (options: Options) => {
      const { stringify } = await import('yaml');
      const { installObjects } = await import('./install-objects.ts');
      const { namespaced = false, cel = false, snapshotKinds = false } = options;
      const objects = installObjects({ ...options, namespaced, cel, snapshotKinds });
      process.stdout.write(objects.map((object) => stringify(object, TEXT)).join('---\n'));
      settle(exitCodes.done);
    });
}

/** No line is folded, and nothing is named to be repeated: what a diff shows is what has changed. */
const TEXT = { lineWidth: 0, aliasDuplicateObjects: false };

function parseReplicas(text: string): number {
  const replicas = Number(text);
  if (Number.isInteger(replicas) && replicas >= 1 && replicas <= MOST_REPLICAS) return replicas;
  throw new InvalidArgumentError(`A whole number from 1 to ${MOST_REPLICAS} is required.`);
}
