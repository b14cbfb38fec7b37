/** Declares `lifehook oci …`, the commands of the container lifecycle; a command's code is imported when it runs. */
import { type Command, InvalidArgumentError, Option } from 'commander';

import { SETTINGS_PATH } from '../../lifecycles/container/shim/runtime-settings.ts';
import type { Settle } from '../exit-codes.ts';
import {
  addFolderOptions,
  addSelectionOptions,
  allowUntrustedOption,
  prestartOption,
  withoutFolders,
} from './hook-folders.ts';
import type { ConvertOptions } from '../convert/run-convert.ts';
import type { ExplainCommandOptions } from './explain.ts';
import type { IndexCommandOptions } from './index-hooks.ts';
import type { InjectCommandOptions } from './inject.ts';
import type { CreateCommandOptions, LifeOptions } from './life-options.ts';
import type { LintCommandOptions } from './lint.ts';
import type { RecordsCommandOptions } from './records.ts';
import { jsonOption, type ListFormat, listOutputOption } from '../shared-options.ts';

export function addOciCommands(program: Command, settle: Settle): void {
  const oci = program
    .command('oci')
    .description('Work with OCI containers, their bundles and hooks.d files')
    .helpCommand(false);
  addLint(oci, settle);
  addExplain(oci, settle);
  addConvert(oci, settle);
  addInject(oci, settle);
  addShimCommands(oci, settle);
  addLifeCommands(oci, settle);
}

function addLint(oci: Command, settle: Settle): void {
  oci
    .command('lint')
    .description('Find mistakes in hook files')
    .argument(
      '[directory...]',
      `hook directories, the last one takes precedence (${withoutFolders})`,
    )
    .option('--runtime <program>', 'also report the stages that this OCI runtime does not know')
    .addOption(allowUntrustedOption())
    .addOption(jsonOption())
    .action(async (folders: string[], options: LintCommandOptions) => {
      const { runOciLint } = await import('./lint.ts');
      settle(await runOciLint(folders, options));
    });
}

function addExplain(oci: Command, settle: Settle): void {
  const command = oci
    .command('explain')
    .description('Show which hooks a container would get, and why it would not get the others')
    .argument(
      '[bundle]',
      'directory that holds config.json; without it, the options describe the container',
    )
    .option(
      '--annotation <key=value>',
      'annotation that overrides those of the bundle; repeatable',
      collect,
    )
    .option('--command <path>', 'replacement for process.args[0] of the bundle')
    .option('--bind-mounts', 'assume that the user gives the container bind mounts')
    .option('--no-bind-mounts', 'assume that the user gives it no bind mounts')
    .addOption(prestartOption())
    .addOption(jsonOption());
  addFolderOptions(command).action(
    async (bundle: string | undefined, options: ExplainCommandOptions) => {
      const { runOciExplain } = await import('./explain.ts');
      settle(await runOciExplain(bundle, options));
    },
  );
}

function addConvert(oci: Command, settle: Settle): void {
  oci
    .command('convert')
    .description('Convert a 0.1.0 hook file to 1.0.0, with the same meaning')
    .argument('<file>', 'the 0.1.0 file')
    .option('--out <directory>', 'directory for the file; an existing file is not replaced')
    .option('--per-condition', 'write one file per condition if one 1.0.0 file cannot express them')
    .action(async (file: string, options: ConvertOptions) => {
      const { runOciConvert } = await import('./convert.ts');
      settle(await runOciConvert(file, options));
    });
}

function addInject(oci: Command, settle: Settle): void {
  const command = oci
    .command('inject')
    .description('Add the matching hooks to config.json, and change nothing else')
    .argument('<bundle>', 'directory that holds config.json');
  addSelectionOptions(command).action(async (bundle: string, options: InjectCommandOptions) => {
    const { runOciInject } = await import('./inject.ts');
    settle(await runOciInject(bundle, options));
  });
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

const RECORDS_DEFAULT = '50';

/** Declares the commands of the shim: its index, and the records of its runners. */
function addShimCommands(oci: Command, settle: Settle): void {
  oci
    .command('index')
    .description('Build the index of the hook directories for lifehook-runtime')
    .option('--config <file>', `settings file of lifehook-runtime (default: ${SETTINGS_PATH})`)
    .option(
      '--watch',
      'keep running: watch the directories, keep the index up to date, report problems',
    )
    .action(async (options: IndexCommandOptions) => {
      const { runOciIndex } = await import('./index-hooks.ts');
      settle(await runOciIndex(options));
    });
  oci
    .command('records')
    .description('List the runs of hooks, newest first, including those of removed containers')
    .option('--root <directory>', 'directory with the containers and their records')
    .option(
      '--spool <directory>',
      'directory of the records of lifehook-runtime; needed if its settings have "spool"',
    )
    .option('--limit <number>', 'maximum number of records', wholeNumber, RECORDS_DEFAULT)
    .addOption(listOutputOption())
    .action(async (options: RecordsCommandOptions) => {
      const { runOciRecords } = await import('./records.ts');
      settle(await runOciRecords(options));
    });
}

function wholeNumber(text: string): string {
  if (/^[1-9]\d{0,5}$/.test(text)) return text;
  throw new InvalidArgumentError('It must be a whole number from 1 to 999999.');
}

/** Declares the commands that run a container. If runc has the same command, names and arguments are those of runc. */
function addLifeCommands(oci: Command, settle: Settle): void {
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
    description: 'Create a container, but do not start its program',
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
    .option('-b, --bundle <directory>', 'directory that holds config.json', '.')
    .option('--runner <runner>', 'process, an OCI runtime such as runc, or auto', 'auto')
    .option('--runtime-root <directory>', 'state directory of the OCI runtime')
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
      '--root <directory>',
      'directory of containers and of the records of their hooks; default: /run/lifehook; if you are not root, lifehook in $XDG_RUNTIME_DIR or ~/.local/state',
    )
    .option('-v, --verbose', 'print each hook as it runs');
}
