import type { Problem } from '../../model/problem.ts';
import type { Inputs } from '../lint/find-inputs.ts';
import { OPTION_DEFAULTS } from './options.ts';
import { pipelineProblems } from './run-lint.ts';

export async function problemsOfFiles({ pipelines }: Inputs): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  for (const filename of pipelines) {
    problems.push(...(await pipelineProblems('run', { ...OPTION_DEFAULTS, filename })));
  }
  return problems;
}
