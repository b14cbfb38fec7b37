/** Declares `lifehook ui` and `lifehook runs`; their code is imported when they run. */
import { type Command, InvalidArgumentError, Option } from 'commander';

import type { Lifecycle } from '../../timeline/bar.ts';
import {
  DEFAULT_CLUSTER,
  parseClusterName,
  parsePort,
  parseStateDir,
} from '../cluster/up-command.ts';
import type { Settle } from '../exit-codes.ts';
import {
  listOutputOption,
  type OutputFormat,
  outputOption,
  withKubeOptions,
} from '../shared-options.ts';
import type { RunsOptions } from './run-runs.ts';
import type { UiOptions } from './run-ui.ts';

export function addUiCommands(program: Command, settle: Settle): void {
  withSources(program.command('ui'))
    .description('Show the timeline of all hooks in your browser')
    .addOption(
      new Option('--port <number>', 'port of the page, on 127.0.0.1')
        .argParser(parsePort)
        .default(0, 'any free port'),
    )
    .option('--no-open', 'do not start a browser')
    .option(
      '--export <file>',
      'write the timeline to a .html or .json file, and exit',
      parseExportFile,
    )
    .addHelpText(
      'after',
      '\nExamples:\n  lifehook ui\n  lifehook ui --export incident.html --no-cluster',
    )
    .action(async (options: UiOptions) => {
      const { runUi } = await import('./run-ui.ts');
      settle(await runUi(options));
    });
  addRuns(program, settle);
}

function addRuns(program: Command, settle: Settle): void {
  const runs = program
    .command('runs')
    .description('List recorded runs of all lifecycles, or show one')
    .helpCommand(false);
  withFilter(withSources(runs.command('list')))
    .description('List the last runs, newest first')
    .option('--limit <number>', 'maximum number of runs', parseCount, DEFAULT_LIMIT)
    .addOption(listOutputOption())
    .action(async (options: RunsOptions) => {
      const { listRuns } = await import('./run-runs.ts');
      settle(await listRuns(options));
    });
  withFilter(withSources(runs.command('show')))
    .description('Show every attempt of one run, with the output of those that failed')
    .argument(
      '<run>',
      'name of the run as listed, its last part, or target and name, such as "shop/web rollout 2"',
    )
    .addOption(outputOption())
    .action(async (run: string, options: RunsOptions<OutputFormat>) => {
      const { showRun } = await import('./run-runs.ts');
      settle(await showRun(run, options));
    });
}

const DEFAULT_LIMIT = 30;

/**
 * All lifecycles, which the type checks for completeness. The list itself is not imported, because it would load the
 * timeline at every start.
 */
const LIFECYCLES: Readonly<Record<Lifecycle, true>> = {
  pipeline: true,
  rollout: true,
  snapshot: true,
  pod: true,
  container: true,
};

function withSources(command: Command): Command {
  return withKubeOptions(command)
    .option(
      '--project <directory>',
      'directory of a skaffold.yaml; default: this directory, if it has one',
    )
    .option(
      '--cluster <name>',
      'name of the local cluster, if it is up',
      parseClusterName,
      DEFAULT_CLUSTER,
    )
    .option('--no-cluster', 'leave out all clusters')
    .option('--state-dir <directory>', 'state directory of the local cluster', parseStateDir)
    .option('--records <directory>', 'directory with the records of container hooks');
}

function withFilter(command: Command): Command {
  return command.addOption(
    new Option('--lifecycle <name>', 'only the runs of this lifecycle').choices(
      Object.keys(LIFECYCLES),
    ),
  );
}

function parseExportFile(path: string): string {
  if (/\.(html|json)$/.test(path)) return path;
  throw new InvalidArgumentError('The name of the file must end in .html or .json.');
}

function parseCount(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number from 1 to 999999.');
}
