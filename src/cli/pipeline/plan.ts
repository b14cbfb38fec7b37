/** `lifehook pipeline plan`: what a verb would do, and with which hooks; nothing is run. */
import { Argument, type Command } from 'commander';
import process from 'node:process';

import type { PipelinePlan } from '../../lifecycles/pipeline/drive/pipeline-plan.ts';
import type { PhaseResult } from '../../lifecycles/pipeline/session.ts';
import { formatProblem } from '../../model/problem.ts';
import { exitCodes } from '../exit-codes.ts';
import { outputOption } from '../output-option.ts';
import type { Settle } from '../settle.ts';
import {
  type PipelineOptions,
  withBuildOptions,
  withDeployOptions,
  withPipelineOptions,
} from './options.ts';

interface PlanOptions extends PipelineOptions {
  readonly output: string;
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
  withDeployOptions(withBuildOptions(withPipelineOptions(parent.command('plan'))))
    .description(
      'what would be built, rendered and deployed, and which hooks would run, and why not',
    )
    .addArgument(
      new Argument('[verb]', 'whose profiles are activated').choices(VERBS).default('run'),
    )
    .addOption(outputOption())
    .addHelpText(
      'after',
      '\nNothing is run, but git for tags. Exit code 1: it would not run as it stands.',
    )
    .action(async (verb: string, options: PlanOptions) => {
      settle(await printPlan(verb, options));
    });
}

async function printPlan(verb: string, options: PlanOptions): Promise<number> {
  const [{ runVerb }, { planPipeline }, { pipelinePlanText }] = await Promise.all([
    import('./run-verb.ts'),
    import('../../lifecycles/pipeline/drive/plan.ts'),
    import('../../lifecycles/pipeline/drive/plan-text.ts'),
  ]);
  return runVerb<PipelinePlan>(options, {
    name: 'plan',
    activates: verb,
    need: 'optional',
    resultOnStdout: true,
    drive: async (session) => {
      const made = await planPipeline(session);
      const text =
        options.output === 'json' ? JSON.stringify(made, null, 2) : pipelinePlanText(made);
      process.stdout.write(`${text}\n`);
      return resultOf(made);
    },
  });
}

function resultOf(plan: PipelinePlan): PhaseResult<PipelinePlan> {
  if (plan.problems.length === 0) return { outcome: 'Succeeded', value: plan };
  const message = ['It would not run as it stands:', ...plan.problems.map(formatProblem)].join(
    '\n',
  );
  return { outcome: 'Failed', exitCode: exitCodes.failed, message };
}
