/** `lifehook pipeline lint`: its declaration. */
import { Argument, type Command } from 'commander';

import type { Settle } from '../exit-codes.ts';
import { jsonOption } from '../shared-options.ts';
import { type PipelineOptions, withBuildOptions, withPipelineOptions } from './options.ts';
import { VERBS } from './plan.ts';

export interface LintOptions extends PipelineOptions {
  readonly output: string;
}

export function addLintCommand(parent: Command, settle: Settle): void {
  withBuildOptions(withPipelineOptions(parent.command('lint')))
    .description('Find mistakes in the pipeline, its hooks and its manifests')
    .addArgument(
      new Argument('[verb]', 'command whose profiles are activated').choices(VERBS).default('run'),
    )
    .addOption(jsonOption())
    .addHelpText('after', '\nNothing is run, but git for tags. Exit code 1: there are errors.')
    .action(async (verb: string, options: LintOptions) => {
      const { runLint } = await import('./run-lint.ts');
      settle(await runLint(verb, options));
    });
}
