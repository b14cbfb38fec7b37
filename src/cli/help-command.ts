/** `lifehook help [COMMAND...]`: the help of any command of the tree, "help oci lint" too. */
import type { Command } from 'commander';

import { nearestWord } from '../model/nearest-word.ts';
import { exitCodes } from './exit-codes.ts';

export function addHelpCommand(program: Command): void {
  program
    .helpCommand(false)
    .command('help')
    .description('Show the help of a command')
    .argument('[command...]', 'its name, as "oci lint"')
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

/** In the words of an unknown command. Never returns. */
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
