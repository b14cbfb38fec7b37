/** `lifehook pipeline lint`: what is wrong with a pipeline as it stands, and nothing else of it; no cluster is asked. */
import { Argument, type Command } from 'commander';
import process from 'node:process';

import { LifehookError, type Problem } from '../../model/problem.ts';
import { exitCodes } from '../exit-codes.ts';
import { lintText } from '../lint-text.ts';
import { outputOption } from '../output-option.ts';
import type { Settle } from '../settle.ts';
import { type PipelineOptions, withBuildOptions, withPipelineOptions } from './options.ts';
import { VERBS } from './plan.ts';

interface LintOptions extends PipelineOptions {
  readonly output: string;
}

export function addLintCommand(parent: Command, settle: Settle): void {
  withBuildOptions(withPipelineOptions(parent.command('lint')))
    .description('what is wrong with the pipeline, its hooks and its manifests')
    .addArgument(
      new Argument('[verb]', 'whose profiles are activated').choices(VERBS).default('run'),
    )
    .addOption(outputOption())
    .addHelpText('after', '\nNothing is run, but git for tags. Exit code 1: there are errors.')
    .action(async (verb: string, options: LintOptions) => {
      settle(await runLint(verb, options));
    });
}

async function runLint(verb: string, options: LintOptions): Promise<number> {
  const problems = await problemsOf(verb, options);
  const text =
    options.output === 'json' ? `${JSON.stringify(problems, null, 2)}\n` : lintText(problems);
  process.stdout.write(text);
  const isWrong = problems.some(({ severity }) => severity === 'error');
  return isWrong ? exitCodes.failed : exitCodes.done;
}

/** Of a configuration that cannot be read, that alone: what would be planned is not known then. */
async function problemsOf(verb: string, options: PipelineOptions): Promise<readonly Problem[]> {
  const [{ openSession }, { planPipeline }] = await Promise.all([
    import('./open-session.ts'),
    import('../../lifecycles/pipeline/drive/plan.ts'),
  ]);
  try {
    await using open = await openSession(options, { verb: 'lint', activates: verb, need: 'none' });
    const { problems } = await planPipeline(open.session);
    open.ended(exitCodes.done);
    return [...open.warnings, ...problems];
  } catch (error) {
    if (error instanceof LifehookError) return error.problems;
    throw error;
  }
}
