/** Declares `lifehook recipes …`; a command's code is imported when it runs. */
import { type Command, InvalidArgumentError, Option } from 'commander';

import type { Settle } from '../exit-codes.ts';
import type { RecipesShowOptions } from './recipes/show.ts';
import type { RecipesTestOptions } from './recipes/test-command.ts';
import {
  type ListFormat,
  listOutputOption,
  outputOption,
  withKubeOptions,
} from '../shared-options.ts';

export function addRecipeCommands(program: Command, settle: Settle): void {
  const recipes = program
    .command('recipes')
    .description('List, show and try the built-in freeze recipes')
    .helpCommand(false);
  recipes
    .command('list')
    .description('List the recipes')
    .addOption(listOutputOption())
    .action(async (options: { output: ListFormat }) => {
      const { runRecipesList } = await import('./recipes/list.ts');
      settle(runRecipesList(options));
    });
  recipes
    .command('show')
    .description('Show one recipe, and its actions')
    .argument('<name>', 'name of the recipe')
    .addOption(parameterOption())
    .addOption(outputOption())
    .action(async (name: string, options: RecipesShowOptions) => {
      const { runRecipesShow } = await import('./recipes/show.ts');
      settle(runRecipesShow(name, options));
    });
  withKubeOptions(recipes.command('test'))
    .description(
      'Freeze a container with a recipe, hold and thaw it, and run the probe at each step',
    )
    .argument('<name>', 'name of the recipe')
    .requiredOption('--pod <name>', 'name of the pod to freeze')
    .option('-c, --container <name>', 'name of the container, if the pod has several')
    .option('--hold <seconds>', 'seconds of the freeze', parseHoldSeconds, 3)
    .addOption(parameterOption())
    .addHelpText(
      'after',
      '\nExample:\n  lifehook recipes test mariadb-lock --pod shop-db-0 -c mariadb --hold 5',
    )
    .action(async (name: string, options: RecipesTestOptions) => {
      const { runRecipesTest } = await import('./recipes/test-command.ts');
      settle(await runRecipesTest(name, options));
    });
}

function parameterOption(): Option {
  return new Option('--set <name=value>', 'parameter of the recipe; repeatable')
    .argParser(collectParameter)
    .default({}, 'none');
}

function collectParameter(
  text: string,
  before: Readonly<Record<string, string>>,
): Record<string, string> {
  const at = text.indexOf('=');
  if (at <= 0) throw new InvalidArgumentError('It must be NAME=VALUE, such as user=backup.');
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
}

/** Seconds; most applications cannot stay frozen longer. */
const HOLD_SECONDS_MAX = 300;

function parseHoldSeconds(text: string): number {
  const seconds = Number(text);
  if (/^\d+$/.test(text) && seconds <= HOLD_SECONDS_MAX) return seconds;
  throw new InvalidArgumentError(
    `It must be a whole number of seconds, at most ${HOLD_SECONDS_MAX}.`,
  );
}
