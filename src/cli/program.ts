/**
 * The command tree: nouns first, and product-wide verbs at the top level. This file only declares commands; the code of
 * a command is imported when it runs.
 */
import type { Command } from 'commander';
import process from 'node:process';
import { COMPLETE, type Shell, shells } from './completion/shells.ts';
import { addByFileCommands } from './by-file/commands.ts';
import { addHelpCommand, addVersionCommand } from './help-command.ts';
import { addImageCommands } from './image.ts';
import { addClusterCommands } from './cluster/commands.ts';
import { addDoctorCommand } from './doctor/command.ts';
import { addConvertCommand } from './convert/commands.ts';
import { addInstallCommand } from './install/install.ts';
import { addLintCommand } from './lint/lint-command.ts';
import { commands } from './lifecycle-commands.ts';
import { addControllerCommand } from './controller/commands.ts';
import { addUiCommands } from './ui/commands.ts';
import { rootCommand, runCommandLine } from './root-command.ts';
import type { Settle } from './exit-codes.ts';
import { version } from './version.ts';

const SUMMARY = `Lifehook runs your own commands at the moments that matter in a container's life,
with ordering, deadlines, retries, failure policies and a record of what happened.`.replaceAll(
  '\n',
  ' ',
);

const EXAMPLES = `
Examples:
  lifehook demo                       see it work, in a minute
  lifehook up                         start a small Kubernetes on this machine
  lifehook lint deploy skaffold.yaml  find mistakes in files, without a cluster
  lifehook snapshot create nightly --claim data --recipe mariadb-lock
  lifehook rollout watch web          follow a rollout and its hooks
  lifehook doctor                     find out what is wrong

Exit codes: 0 done, 1 failed, 2 wrong use, 3 a hook failed (its own code is in
the message), 5 a verdict below what is required, 124 deadline, 130 interrupted.
Environment: NO_COLOR=1 and FORCE_COLOR=1 turn colours off and on.
Documentation: docs/ next to the program; error codes: docs/errors.md.`;

/** Runs one command line and resolves with its exit code; never rejects. */
export async function runProgram(args: readonly string[]): Promise<number> {
  const [first, ...words] = args;
  if (first !== COMPLETE) return runCommandLine(args, buildProgram);
  const { runComplete } = await import('./completion/complete.ts');
  return runComplete(
    buildProgram(() => undefined),
    words,
  );
}

/** Builds the command tree. `settle` receives the exit code of the command that ran. */
export function buildProgram(settle: Settle): Command {
  const program = rootCommand()
    .description(SUMMARY)
    .version(version, '-V, --version', 'print the version')
    .addHelpText('after', EXAMPLES);
  addGroups(program, settle);
  return program;
}

/** Adds the commands in the order of the help. */
function addGroups(program: Command, settle: Settle): void {
  const addOf = (wanted: string): void => {
    for (const { group, add } of Object.values(commands))
      if (group === wanted) add(program, settle);
  };
  program.commandsGroup('Local cluster:');
  addClusterCommands(program, settle);
  addImageCommands(program, settle);
  addDemo(program, settle);
  program.commandsGroup('Pipeline:');
  addOf('Pipeline:');
  program.commandsGroup('Kubernetes:');
  addOf('Kubernetes:');
  addInstallCommand(program, settle);
  addControllerCommand(program, settle);
  program.commandsGroup('Containers:');
  addOf('Containers:');
  program.commandsGroup('Files of any lifecycle:');
  addLintCommand(program, settle);
  addByFileCommands(program, settle, runProgram);
  addConvertCommand(program, settle);
  program.commandsGroup('Looking back:');
  addUiCommands(program, settle);
  addDoctorCommand(program, settle);
  program.commandsGroup('This program:');
  addVersionCommand(program, settle);
  addCompletion(program);
  addHelpCommand(program);
}

function addDemo(program: Command, settle: Settle): void {
  program
    .command('demo')
    .description('Run an order service through all five lifecycles')
    .action(async () => {
      const { runDemo } = await import('./demo/run-demo.ts');
      settle(await runDemo());
    });
}

function addCompletion(program: Command): void {
  program
    .command('completion')
    .description('Print a completion script for your shell')
    .addArgument(program.createArgument('<shell>', 'the shell').choices(shells))
    .addHelpText('after', '\nExample:\n  source <(lifehook completion bash)')
    .action(async (shell: Shell) => {
      const { completionScript } = await import('./completion/completion-script.ts');
      process.stdout.write(completionScript(program, shell));
    });
}
