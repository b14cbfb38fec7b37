/** Declares `lifehook doctor`; its code is imported when it runs. */
import type { Command } from 'commander';

import { withCluster } from '../cluster/up-command.ts';
import type { Settle } from '../exit-codes.ts';
import { outputOption, quietOption, withKubeOptions } from '../shared-options.ts';
import type { DoctorOptions } from './run-doctor.ts';

const NOTES = `
It looks at this machine and at the cluster of the kubeconfig, and changes
nothing. Each line is ok, a warning or an error, with the next step.

Exit codes: 0 no error, 1 an error.

Examples:
  lifehook doctor
  lifehook doctor --context production -n shop -o json`;

export function addDoctorCommand(program: Command, settle: Settle): void {
  withKubeOptions(withCluster(program.command('doctor')))
    .description('Check this machine, the cluster and what is frozen now')
    .addOption(outputOption())
    .addOption(quietOption())
    .addHelpText('after', NOTES)
    .action(async (options: DoctorOptions) => {
      const { runDoctor } = await import('./run-doctor.ts');
      settle(await runDoctor(options));
    });
}
