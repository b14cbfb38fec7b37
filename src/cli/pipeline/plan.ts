/** `lifehook pipeline plan`: its declaration. */
import { Argument, type Command } from 'commander';

import type { Settle } from '../exit-codes.ts';
import { type OutputFormat, outputOption } from '../shared-options.ts';
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

export const VERBS: readonly string[] = [
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
      '\nNothing is run, but git for tags. Exit code 1: it would not run as it stands.',
    )
    .action(async (verb: string, options: PlanOptions) => {
      const { printPlan } = await import('./print-plan.ts');
      settle(await printPlan(verb, options));
    });
}
