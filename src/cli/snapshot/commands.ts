/** Declares `lifehook snapshot …`; a command's code is imported when it runs. */
import { type Command, Option } from 'commander';

import type { Settle } from '../exit-codes.ts';
import type { KubeOptions } from '../kube-connection.ts';
import {
  listOutputOption,
  outputOption,
  quietOption,
  withKubeOptions,
  parseSeconds,
} from '../shared-options.ts';
import type { CreateOptions } from './create.ts';
import type { SnapshotListOptions } from './list.ts';
import { addRestoreCommand } from './restore-command.ts';
import { addRecipeCommands } from './recipe-commands.ts';
import { collectClaims, LEVELS, parseLabels, parseRecipe } from './request-options.ts';
import type { StatusOptions } from './status.ts';
import type { ThawOptions } from './thaw.ts';

export function addSnapshotCommands(program: Command, settle: Settle): void {
  addSnapshot(program, settle);
  addRecipeCommands(program, settle);
}

function addSnapshot(program: Command, settle: Settle): void {
  const snapshot = program
    .command('snapshot')
    .description('Take application-consistent snapshots of volumes')
    .helpCommand(false);
  addCreate(snapshot, settle);
  addPlan(snapshot, settle);
  addRestoreCommand(snapshot, settle);
  addLooks(snapshot, settle);
  addThaws(snapshot, settle);
}

function addCreate(snapshot: Command, settle: Settle): void {
  withRequestOptions(withKubeOptions(snapshot.command('create')))
    .description('Take a snapshot, and wait for its verdict')
    .argument('<name>', 'name of the ApplicationSnapshot')
    .addOption(quietOption())
    .option('--no-wait', 'return once the snapshot is requested')
    .option('--timeout <seconds>', 'seconds to wait', parseSeconds, 600)
    .addOption(
      new Option(
        '--require <level>',
        'lowest accepted verdict; default: ApplicationConsistent with hooks, else CrashConsistent',
      ).choices(LEVELS),
    )
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
Exit codes: 0 the verdict is as required; 5 it is below that; 1 failed; 2 no such template or recipe; 124 not
ended in time.

Examples:
  lifehook snapshot create before-upgrade --claim data --recipe mariadb-lock
  lifehook snapshot create nightly --selector app=shop --group --template freeze-shop`,
    )
    .action(async (name: string, options: CreateOptions) => {
      const { runSnapshotCreate } = await import('./create.ts');
      settle(await runSnapshotCreate(name, options));
    });
}

function addPlan(snapshot: Command, settle: Settle): void {
  withRequestOptions(withKubeOptions(snapshot.command('plan')))
    .description('Show what a snapshot would freeze and cut, and what prevents it')
    .argument(
      '[name]',
      'name of an existing ApplicationSnapshot, or of the one the options describe',
    )
    .addOption(outputOption())
    .action(async (name: string | undefined, options: CreateOptions & StatusOptions) => {
      const { runSnapshotPlan } = await import('./plan.ts');
      settle(await runSnapshotPlan(name, options));
    });
}

/** The options that select the volumes of a snapshot and its hooks. */
function withRequestOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--claim <name>', 'name of a PersistentVolumeClaim; repeatable')
        .argParser(collectClaims)
        .conflicts('selector'),
    )
    .option('--selector <labels>', 'claims by their labels: app=shop,tier=db', parseLabels)
    .option('--group', 'cut all volumes at one moment, by a VolumeGroupSnapshot')
    .option('--class <name>', 'class of the volume snapshots')
    .addOption(
      new Option('--template <name>', 'an ExecutionHookTemplate that freezes and thaws').conflicts(
        'recipe',
      ),
    )
    .option(
      '--recipe <name[,key=value...]>',
      'a built-in recipe, as `lifehook recipes list` names it',
      parseRecipe,
    )
    .option(
      '--pods <labels>',
      'labels of the pods to freeze; default: the pods that mount the volumes',
      parseLabels,
    )
    .option('--container <name>', 'name of the container to freeze in these pods')
    .option('--cut-deadline <seconds>', 'maximum seconds until all volumes are cut', parseSeconds);
}

function addLooks(snapshot: Command, settle: Settle): void {
  withKubeOptions(snapshot.command('status'))
    .description('Show what a snapshot froze, when it was cut, and its verdict')
    .argument(
      '<name>',
      'an ApplicationSnapshot, else a VolumeSnapshot, SnapshotSchedule, SnapshotRestore or SnapshotGuard; or KIND/NAME',
    )
    .addOption(outputOption())
    .action(async (name: string, options: StatusOptions) => {
      const { runStatus } = await import('./status.ts');
      settle(await runStatus(name, options));
    });
  withKubeOptions(snapshot.command('list'))
    .description('List snapshots and their verdicts, and what is frozen now')
    .option('-A, --all-namespaces', 'snapshots of all namespaces')
    .addOption(listOutputOption())
    .action(async (options: SnapshotListOptions) => {
      const { runSnapshotList } = await import('./list.ts');
      settle(await runSnapshotList(options));
    });
}

function addThaws(snapshot: Command, settle: Settle): void {
  withKubeOptions(snapshot.command('thaw'))
    .description('Thaw now what a hook has frozen; its snapshot fails')
    .argument('[hook...]', 'names of ExecutionHooks')
    .addOption(quietOption())
    .option('--all', 'thaw everything that is frozen in the namespace')
    .option('-A, --all-namespaces', 'with --all: in all namespaces')
    .option('--timeout <seconds>', 'seconds to wait for the thaw', parseSeconds, 60)
    .action(async (hooks: string[], options: ThawOptions) => {
      const { runSnapshotThaw } = await import('./thaw.ts');
      settle(await runSnapshotThaw(hooks, options));
    });
  withKubeOptions(snapshot.command('release'))
    .description('Mark a failed thaw as done by hand, and release its hook')
    .argument('<hook>', 'name of an ExecutionHook whose postAction has failed')
    .requiredOption('--by <who>', 'name of the person who thawed by hand, for the record')
    .action(async (hook: string, options: KubeOptions & { by: string }) => {
      const { runSnapshotRelease } = await import('./thaw.ts');
      settle(await runSnapshotRelease(hook, options));
    });
}
