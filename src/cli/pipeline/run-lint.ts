/** Finds the problems of a pipeline. It sends no request to a cluster. */
import process from 'node:process';

import { planPipeline } from '../../lifecycles/pipeline/drive/plan.ts';
import { LifehookError, type Problem } from '../../model/problem.ts';
import type { Inputs } from '../lint/find-inputs.ts';
import { lintExitCode, printLint } from '../lint/report.ts';
import { unreadablePath } from '../report-failure.ts';
import type { LintOptions } from './plan.ts';
import { openSession } from './open-session.ts';
import { OPTION_DEFAULTS, type PipelineOptions } from './options.ts';

export async function runLint(verb: string, options: LintOptions): Promise<number> {
  const problems = await pipelineProblems(verb, options);
  const file = options.filename ?? 'skaffold.yaml';
  return printLint({ problems, files: [file], skipped: [] }, options.output, process);
}

/**
 * The problems of a pipeline. If the configuration cannot be read, this is the only problem, because there is no plan
 * to check.
 */
export async function pipelineProblems(
  verb: string,
  options: PipelineOptions,
): Promise<readonly Problem[]> {
  try {
    await using open = await openSession(options, { verb: 'lint', activates: verb, need: 'none' });
    const { problems } = await planPipeline(open.session, verb);
    const all = [...open.warnings, ...problems];
    open.ended({ exitCode: lintExitCode(all) });
    return all;
  } catch (error) {
    if (error instanceof LifehookError) return error.problems;
    const problem = unreadablePath(error);
    if (problem === null) throw error;
    return [problem];
  }
}

export async function problemsOfFiles({ pipelines }: Inputs): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  for (const filename of pipelines) {
    problems.push(...(await pipelineProblems('run', { ...OPTION_DEFAULTS, filename })));
  }
  return problems;
}
