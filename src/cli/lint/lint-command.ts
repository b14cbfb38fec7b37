/** `lifehook lint` and `lifehook pod lint`, which are the same: their declaration. */
import type { Command } from 'commander';

import { jsonOption } from '../output-option.ts';
import type { Settle } from '../settle.ts';
import { parseSeconds, parseServerVersion } from './lint-values.ts';
import type { LintOptions } from './run-lint.ts';

const MORE = `
Directories are walked. Objects are checked against the newest Kubernetes that is known, or --server-version; custom kinds
against their definition, if it is among the files. No cluster is asked. Exit code 1: there are errors.

Examples:
  lifehook lint deploy hooks.d skaffold.yaml
  helm template . | lifehook lint -
  lifehook lint --output json deploy`;

export function addLintCommand(parent: Command, settle: Settle): void {
  parent
    .command('lint')
    .description('Find mistakes in manifests, hook files and pipelines')
    .argument('<path...>', 'files or directories; - is standard input')
    .option(
      '--server-version <version>',
      'the oldest Kubernetes that has to understand it: 1.34',
      parseServerVersion,
    )
    .option('--drain <seconds>', 'how long the programs take to end after TERM', parseSeconds)
    .option(
      '--strict',
      'the paths are all there is: unknown kinds, and names that no file has, are errors',
      false,
    )
    .addOption(jsonOption())
    .addHelpText('after', MORE)
    .action(async (paths: string[], options: LintOptions) => {
      const { runLint } = await import('./run-lint.ts');
      settle(await runLint(paths, options));
    });
}
