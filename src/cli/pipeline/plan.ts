/** Declares `lifehook pipeline plan` and `lint`; their code is imported when they run. */
import { Argument, type Command } from 'commander';

import type { Settle } from '../exit-codes.ts';
import { jsonOption, type OutputFormat, outputOption } from '../shared-options.ts';
import {
  type PipelineOptions,
  withBuildOptions,
  withDeployOptions,
  withPipelineOptions,
  withPlatformOption,
} from './options.ts';

export interface PlanOptions extends PipelineOptions {
  readonly output: OutputFormat;
}

const VERBS: readonly string[] = [
  'build',
  'test',
  'render',
  'deploy',
  'run',
  'dev',
  'delete',
  'verify',
];

export function addPlanCommand(parent: Command, settle: Settle): void {
  withPlatformOption(
    withDeployOptions(withBuildOptions(withPipelineOptions(parent.command('plan')))),
  )
    .description('Show what would be built and deployed, and which hooks would run')
    .addArgument(
      new Argument('[verb]', 'command whose profiles are activated').choices(VERBS).default('run'),
    )
    .addOption(outputOption())
    .addHelpText(
      'after',
      '\nIt runs no hook, builds nothing and deploys nothing. Exit code 1: the pipeline would not run.',
    )
    .action(async (verb: string, options: PlanOptions) => {
      const { printPlan } = await import('./print-plan.ts');
      settle(await printPlan(verb, options));
    });
}

/** The options of `lifehook pipeline lint`. */
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
    .addHelpText('after', '\nIt runs no hook and needs no cluster. Exit code 1: there are errors.')
    .action(async (verb: string, options: LintOptions) => {
      const { runLint } = await import('./run-lint.ts');
      settle(await runLint(verb, options));
    });
}
