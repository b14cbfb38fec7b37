/** `lifehook recipes list`. */
import process from 'node:process';

import { recipes } from '../../lifecycles/snapshot/recipes/all-recipes.ts';
import { exitCodes } from '../exit-codes.ts';
import { textTable } from '../text-table.ts';

export function runRecipesList({ output }: { readonly output: 'text' | 'json' }): number {
  if (output === 'json') {
    const list = recipes.map(
      ({ name, application, summary, lockClass, tested, refused = null }) => ({
        name,
        application,
        summary,
        lockClass,
        tested,
        refused,
      }),
    );
    process.stdout.write(`${JSON.stringify(list, null, 2)}\n`);
    return exitCodes.done;
  }
  const rows = recipes.map(({ name, application, lockClass, tested, refused }) =>
    refused === undefined
      ? [name, application, lockClass, tested ? 'tested' : 'untested']
      : [name, application, '-', 'refused'],
  );
  process.stdout.write(textTable(['RECIPE', 'FOR', 'KIND OF LOCK', 'STATE'], rows));
  process.stdout.write('\nAll of one: lifehook recipes show NAME\n');
  return exitCodes.done;
}
