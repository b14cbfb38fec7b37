/** Declares `lifehook snapshot restore`; its code is imported when it runs. */
import { type Command, Option } from 'commander';

import type { Settle } from '../exit-codes.ts';
import { outputOption, parseSeconds, quietOption, withKubeOptions } from '../shared-options.ts';
import { LEVELS, parseRecipe } from './request-options.ts';
import {
  collectClaimNames,
  collectNames,
  collectWorkloads,
  type RestoreOptions,
} from './restore-options.ts';

export function addRestoreCommand(snapshot: Command, settle: Settle): void {
  withKubeOptions(snapshot.command('restore'))
    .description('Create new claims from a snapshot, and verify the copy')
    .argument('[name]', 'name of the ApplicationSnapshot')
    .addOption(
      new Option(
        '--volume-snapshot <name>',
        'a VolumeSnapshot, instead of an ApplicationSnapshot; repeatable',
      ).argParser(collectNames),
    )
    .addOption(
      new Option(
        '--claim <source=new>',
        'name of the new claim for a source claim; repeatable; default: SOURCE-RESTORE',
      ).argParser(collectClaimNames),
    )
    .option(
      '--storage-class <name>',
      'storage class of the new claims; default: that of the source claim',
    )
    .addOption(
      new Option(
        '--require <level>',
        'lowest accepted verdict; default: ApplicationConsistent',
      ).choices(LEVELS),
    )
    .addOption(
      new Option(
        '--stop <workload>',
        'deployment/NAME or statefulset/NAME to scale to 0 before the restore; repeatable',
      ).argParser(collectWorkloads),
    )
    .option(
      '--verify <recipe[,key=value...]>',
      'recipe whose check verifies the copy; needs --image',
      parseRecipe,
    )
    .option('--image <image>', 'image of the pod that verifies the copy')
    .addOption(
      new Option(
        '--command <line>',
        'shell command that verifies the copy, instead of a recipe',
      ).conflicts('verify'),
    )
    .option('--scratch', 'a rehearsal: delete the claims and pods at the end')
    .option('--as <name>', 'name of the SnapshotRestore; default: a generated one')
    .addOption(quietOption())
    .option('--no-wait', 'return once the restore is requested')
    .option('--timeout <seconds>', 'seconds to wait', parseSeconds, 600)
    .addOption(outputOption())
    .addHelpText('after', EXAMPLES)
    .action(async (name: string | undefined, options: RestoreOptions) => {
      const { runSnapshotRestore } = await import('./restore.ts');
      settle(await runSnapshotRestore(name, options));
    });
}

const EXAMPLES = `
Exit codes: 0 restored, and verified if asked; 5 the verdict is below the required one; 3 a hook or the
check failed; 1 failed; 124 not complete in time.

Examples:
  lifehook snapshot restore nightly --claim data=data-restored --verify mariadb-lock --image mariadb:11
  lifehook snapshot restore nightly --scratch --image busybox --command 'test -s $LIFEHOOK_PATH/orders'`;
