/** Declares `lifehook pipeline …` and its short forms; a command's code is imported when it runs. */
import type { Command } from 'commander';

import type { Settle } from '../exit-codes.ts';
import { addBuildCommand, addRenderCommand, addTestCommand, addVerifyCommand } from './build.ts';
import { addApplyCommand, addDeleteCommand, addDeployCommand, addRunCommand } from './deploy.ts';
import { addDevCommand } from './dev.ts';
import { addHistoryCommand, addReplayCommand, addRerunCommand } from './history.ts';
import { addLintCommand, addPlanCommand } from './plan.ts';

const MORE_HELP = `
Examples:
  lifehook pipeline plan                              show what would run, and where
  lifehook pipeline lint                              find mistakes in the pipeline
  lifehook run --tail                                 build, test, render, deploy; then the logs
  lifehook build --file-output built.json             in CI: build here ...
  lifehook deploy --build-artifacts built.json        ... and deploy there
  lifehook pipeline replay                            print the events of the last session again

Exit codes: 0 done, 1 failed, 2 wrong use, 3 a hook failed, 130 interrupted.
With --exit-code-from-hook, that of the hook or the program which failed.`;

export function addPipelineCommands(program: Command, settle: Settle): void {
  const pipeline = program
    .command('pipeline')
    .description('Run the pipeline of a skaffold.yaml, with its hooks')
    .helpCommand(false)
    .addHelpText('after', MORE_HELP);
  addBuildCommand(pipeline, settle);
  addTestCommand(pipeline, settle);
  addRenderCommand(pipeline, settle);
  addDeployCommand(pipeline, settle);
  addApplyCommand(pipeline, settle);
  addRunCommand(pipeline, settle);
  addDevCommand(pipeline, settle);
  addVerifyCommand(pipeline, settle);
  addDeleteCommand(pipeline, settle);
  addPlanCommand(pipeline, settle);
  addLintCommand(pipeline, settle);
  addRerunCommand(pipeline, settle);
  addHistoryCommand(pipeline, settle);
  addReplayCommand(pipeline, settle);
  addShortForms(program, settle);
}

function addShortForms(program: Command, settle: Settle): void {
  addBuildCommand(program, settle);
  addTestCommand(program, settle);
  addRenderCommand(program, settle);
  addDeployCommand(program, settle);
  addApplyCommand(program, settle);
  addRunCommand(program, settle);
  addDevCommand(program, settle);
  addVerifyCommand(program, settle);
  addDeleteCommand(program, settle);
}
