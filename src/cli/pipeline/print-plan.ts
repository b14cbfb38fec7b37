/** Prints the actions of a verb and their hooks; runs nothing. */
import process from 'node:process';

import {
  type PipelinePlan,
  pipelinePlanText,
  planPipeline,
} from '../../lifecycles/pipeline/drive/plan.ts';
import { interrupted } from '../../lifecycles/pipeline/hooks/run-stage.ts';
import type { PhaseResult } from '../../lifecycles/pipeline/session.ts';
import { formatProblem } from '../../model/problem.ts';
import { exitCodes } from '../exit-codes.ts';
import { printed } from '../listing.ts';
import type { PlanOptions } from './plan.ts';
import { runVerb } from './run-verb.ts';

export async function printPlan(verb: string, options: PlanOptions): Promise<number> {
  return runVerb<PipelinePlan>(options, {
    name: 'plan',
    activates: verb,
    need: 'optional',
    resultOnStdout: true,
    drive: async (session) => {
      const made = await planPipeline(session, verb);
      // The plan lacks what the interruption has ended.
      if (session.hooks.signal.aborted) return interrupted;
      process.stdout.write(printed(made, options.output, () => `${pipelinePlanText(made)}\n`));
      return resultOf(made);
    },
  });
}

function resultOf(plan: PipelinePlan): PhaseResult<PipelinePlan> {
  if (plan.problems.length === 0) return { outcome: 'Succeeded', value: plan };
  const message = ['The pipeline would not run:', ...plan.problems.map(formatProblem)].join('\n');
  return { outcome: 'Failed', exitCode: exitCodes.failed, message };
}
