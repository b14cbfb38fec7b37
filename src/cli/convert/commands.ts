/** Declares `lifehook convert`; its code is imported when it runs. */
import { type Command, InvalidArgumentError } from 'commander';

import type { Settle } from '../exit-codes.ts';
import type { ConvertOptions } from './run-convert.ts';

const MORE_HELP = `
Conversions:
  DeploymentConfig                                  a Deployment, and a DeploymentLifecycle with its hooks
  ExecutionHook(Template) of another API group      the same kind of the API group lifehook.dev
  VolumeSnapshot with executionHookInfos            an ApplicationSnapshot
  skaffold.yaml                                     the newest version, and a lifehook.yaml for policies
  hooks.d file or directory of version 0.1.0        version 1.0.0

Anything without a counterpart is reported on standard error, with its place. Other objects of a manifest stay as they are.

Example:
  oc get deploymentconfig web -o yaml | lifehook convert - >web.yaml

Exit codes: 0 done, 1 something cannot be converted, or the result would be refused.`;

export function addConvertCommand(program: Command, settle: Settle): void {
  program
    .command('convert')
    .description('Rewrite files of OpenShift, Skaffold or hooks.d 0.1.0')
    .argument(
      '<file...>',
      'files to convert, or a hooks.d directory; - is standard input',
      withInputOnce,
    )
    .option('--out <directory>', 'directory for the files; an existing file is not replaced')
    .option('--per-condition', 'one file per condition for a hook file that 1.0.0 cannot express')
    .addHelpText('after', MORE_HELP)
    .action(async (files: string[], options: ConvertOptions) => {
      const { runConvert } = await import('./run-convert.ts');
      settle(await runConvert(files, options));
    });
}

function withInputOnce(file: string, before: readonly string[] = []): readonly string[] {
  if (file === '-' && before.includes('-')) {
    throw new InvalidArgumentError('Standard input can be read only once.');
  }
  return [...before, file];
}
