/** Declares the commands of a container's life. Names and arguments that runc also has are those of runc. */
import { Option, type Command } from 'commander';

import type { Settle } from '../exit-codes.ts';
import { addSelectionOptions } from './hook-folders.ts';
import type { CreateCommandOptions, LifeOptions } from './life-options.ts';
import { type ListFormat, listOutputOption } from '../shared-options.ts';

export function addLifeCommands(oci: Command, settle: Settle): void {
  addMaking(oci, {
    name: 'run',
    description: 'Run a container in the foreground, and remove it when it ends',
    act: async (id, options) => {
      const { runOciRun } = await import('./life.ts');
      settle(await runOciRun(id, options));
    },
  });
  addMaking(oci, {
    name: 'create',
    description: 'Create a container, whose program waits for start',
    act: async (id, options) => {
      const { runOciCreate } = await import('./life.ts');
      settle(await runOciCreate(id, options));
    },
  });
  addLifeOptions(oci.command('start'))
    .description('Start the program of a created container')
    .argument('<id>', 'id of the container')
    .action(async (id: string, options: LifeOptions) => {
      const { runOciStart } = await import('./life.ts');
      settle(await runOciStart(id, options));
    });
  addLifeOptions(oci.command('state'))
    .description('Print the state of a container, as the OCI specification defines it')
    .argument('<id>', 'id of the container')
    .action(async (id: string, options: LifeOptions) => {
      const { runOciState } = await import('./life.ts');
      settle(await runOciState(id, options));
    });
  addLifeOptions(oci.command('kill'))
    .description('Send a signal to the program of a container')
    .argument('<id>', 'id of the container')
    .argument('[signal]', 'name of the signal, with or without SIG', 'SIGTERM')
    .action(async (id: string, signal: string, options: LifeOptions) => {
      const { runOciKill } = await import('./life.ts');
      settle(await runOciKill(id, signal, options));
    });
  addLifeOptions(oci.command('delete'))
    .description('Delete a stopped container, and run its poststop hooks')
    .argument('<id>', 'id of the container')
    .option('-f, --force', 'kill the container first if it still runs')
    .action(async (id: string, options: LifeOptions & { readonly force?: boolean }) => {
      const { runOciDelete } = await import('./life.ts');
      settle(await runOciDelete(id, options));
    });
  addLifeOptions(oci.command('list'))
    .description('List the containers')
    .addOption(listOutputOption())
    .action(async (options: LifeOptions & { readonly output: ListFormat }) => {
      const { runOciList } = await import('./life.ts');
      settle(await runOciList(options));
    });
}

interface Making {
  readonly name: string;
  readonly description: string;
  readonly act: (id: string, options: CreateCommandOptions) => Promise<void>;
}

function addMaking(oci: Command, { name, description, act }: Making): void {
  const command = addLifeOptions(oci.command(name))
    .description(description)
    .argument('<id>', 'id of the new container')
    .option('-b, --bundle <folder>', 'directory that holds config.json', '.')
    .option('--runner <runner>', 'process, an OCI runtime such as runc, or auto', 'auto')
    .option('--runtime-root <folder>', 'state directory of the OCI runtime')
    .addOption(
      new Option(
        '--poststart-failure <how>',
        'effect of a failed poststart hook: destroy as in OCI 1.3, or warn',
      )
        .choices(['destroy', 'warn'])
        .default('destroy'),
    );
  addSelectionOptions(command).action(act);
}

function addLifeOptions(command: Command): Command {
  return command
    .option(
      '--root <folder>',
      'directory of containers and of the records of their hooks; default: /run/lifehook, without root lifehook in $XDG_RUNTIME_DIR or ~/.local/state',
    )
    .option('-v, --verbose', 'print each hook as it runs');
}
