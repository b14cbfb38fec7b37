/** `lifehook version`: the declaration only; its code is imported when it runs. */
import type { Command } from 'commander';

import type { Settle } from './exit-codes.ts';
import type { VersionOptions } from './run-version.ts';
import { outputOption, withKubeContext } from './shared-options.ts';

export function addVersionCommand(program: Command, settle: Settle): void {
  withKubeContext(program.command('version'))
    .description('Print the versions of Lifehook, Node and the API server')
    .option('--server', 'Ask the API server too')
    .addOption(outputOption())
    .action(async (options: VersionOptions) => {
      const { runVersion } = await import('./run-version.ts');
      settle(await runVersion(options));
    });
}
