/**
 * The command tree: nouns first, product-wide verbs on top. Everything here is declaration; a
 * command's code is imported when it runs.
 */
import type { Command } from 'commander';
import process from 'node:process';
import { completionScript, shells } from './completion.ts';
import { addByFileCommands } from './by-file/commands.ts';
import { addImageCommands } from './image.ts';
import { addClusterCommands } from './cluster/commands.ts';
import { addDoctorCommand } from './doctor/command.ts';
import { addConvertCommand } from './convert/commands.ts';
import { addInstallCommand } from './install/install.ts';
import { addOciCommands } from './oci.ts';
import { addPodCommands } from './pod.ts';
import { addRecipeCommands } from './recipes.ts';
import { addControllerCommand } from './controller/commands.ts';
import { addPipelineCommands } from './pipeline/commands.ts';
import { addRolloutCommands } from './rollout/commands.ts';
import { addSnapshotCommands } from './snapshot/commands.ts';
import { rootCommand, runCommandLine } from './root-command.ts';
import type { Settle } from './settle.ts';
import { version } from './version.ts';

const SUMMARY = `Lifehook runs your own commands at the moments that matter in a container's life,
with ordering, deadlines, retries, failure policies and a record of what happened.`.replaceAll(
  '\n',
  ' ',
);

const EXAMPLES = `
Examples:
  lifehook demo                                    see it work, in a minute
  lifehook up                                      a small Kubernetes on this machine
  lifehook pod lint deployment.yaml                what is wrong with these postStart and preStop hooks
  lifehook oci run --hooks-dir hooks.d web         run the bundle in this folder with its hooks
  lifehook oci explain . --hooks-dir hooks.d       which hooks would run, and why not the others
  lifehook oci lint /etc/containers/oci/hooks.d    what is wrong with these hook files
  lifehook lint deploy/*.yaml skaffold.yaml        what is wrong with the hooks of these files
  lifehook convert deploymentconfig.yaml           what was made for another product, for here

Exit codes: 0 done, 1 failed, 2 wrong use, 3 a hook failed, 5 a verdict below what is required, 124 deadline, 130 interrupted.
Documentation: docs/ beside the program; error codes: docs/errors.md.`;

/** Runs one command line and returns its exit code; never rejects. */
export function runProgram(args: readonly string[]): Promise<number> {
  return runCommandLine(args, buildProgram);
}

/** `settle` is told the exit code of the command that was run. */
export function buildProgram(settle: Settle): Command {
  const program = rootCommand()
    .description(SUMMARY)
    .version(version, '-V, --version', 'print the version')
    .addHelpText('after', EXAMPLES);
  addClusterCommands(program, settle);
  addDoctorCommand(program, settle);
  addPodCommands(program, settle);
  addPipelineCommands(program, settle);
  addRolloutCommands(program, settle);
  addSnapshotCommands(program, settle);
  addControllerCommand(program, settle);
  addInstallCommand(program, settle);
  addRecipeCommands(program, settle);
  addByFileCommands(program, settle, runProgram);
  addConvertCommand(program, settle);
  addOciCommands(program, settle);
  addImageCommands(program, settle);
  program
    .command('demo')
    .description('an order service goes through all five lifecycles, and every claim is checked')
    .action(async () => {
      const { runDemo } = await import('./demo/run-demo.ts');
      settle(await runDemo());
    });
  program
    .command('completion')
    .description('print a completion script for your shell')
    .addArgument(program.createArgument('<shell>', 'the shell').choices(shells))
    .addHelpText('after', '\nExample:\n  source <(lifehook completion bash)')
    .action((shell: string) => {
      process.stdout.write(completionScript(program, shell));
    });
  return program;
}
