/**
 * `lifehook help [COMMAND...]` prints the help of any command, also of a nested one such as "help oci lint". The file
 * also declares `lifehook version`.
 */
import type { Command } from 'commander';

import { nearestWord } from '../model/nearest-word.ts';
import { exitCodes, type Settle } from './exit-codes.ts';
import type { VersionOptions } from './run-version.ts';
import { outputOption, withKubeContext } from './shared-options.ts';

export function addHelpCommand(program: Command): void {
  program
    .helpCommand(false)
    .command('help')
    .description('Show the help of a command')
    .argument('[command...]', 'name of the command, such as "oci lint"')
    .action((path: readonly string[]) => {
      findCommand(program, path).outputHelp();
    });
}

function findCommand(program: Command, path: readonly string[]): Command {
  let found = program;
  for (const [index, word] of path.entries()) {
    const below = found.commands.find((one) => one.name() === word);
    if (below === undefined) return unknown(found, path.slice(0, index + 1));
    found = below;
  }
  return found;
}

/** Throws the error that commander has for an unknown command. */
function unknown(parent: Command, path: readonly string[]): never {
  const names = parent.commands.map((one) => one.name());
  const near = nearestWord(path.at(-1) ?? '', names);
  const before = path.slice(0, -1);
  const hint = near === null ? '' : `\n(Did you mean ${[...before, near].join(' ')}?)`;
  return parent.error(`error: unknown command '${path.join(' ')}'${hint}`, {
    exitCode: exitCodes.wrongUse,
    code: 'commander.unknownCommand',
  });
}

/** Declares `lifehook version`; its code is imported when it runs. */
export function addVersionCommand(program: Command, settle: Settle): void {
  withKubeContext(program.command('version'))
    .description('Print the versions of Lifehook, Node and the API server')
    .option('--server', 'Include the version of the API server')
    .addOption(outputOption())
    .action(async (options: VersionOptions) => {
      const { runVersion } = await import('./run-version.ts');
      settle(await runVersion(options));
    });
}
