/** `lifehook recipes list`: lists the built-in recipes. */
import { recipes } from '../../../lifecycles/snapshot/recipes/all-recipes.ts';
import type { Recipe } from '../../../lifecycles/snapshot/recipes/recipe.ts';
import { exitCodes } from '../../exit-codes.ts';
import { type Listing, printListing } from '../../listing.ts';
import type { ListFormat } from '../../shared-options.ts';

export function runRecipesList({ output }: { readonly output: ListFormat }): number {
  printListing(LISTING, output);
  return exitCodes.done;
}

const LISTING: Listing<Recipe> = {
  items: recipes,
  value: recipes.map((recipe) => {
    const { name, application, summary, lockClass, tested } = recipe;
    const { untestedReason = null, refused = null, verify } = recipe;
    const check = verify?.summary ?? null;
    return { name, application, summary, lockClass, tested, untestedReason, refused, check };
  }),
  after: '\nDetails of one recipe: lifehook recipes show NAME\n',
  nameOf: ({ name }) => name,
  columns: [
    { heading: 'RECIPE', cell: ({ name }) => name },
    { heading: 'FOR', cell: ({ application }) => application },
    {
      heading: 'KIND OF LOCK',
      cell: ({ lockClass, refused }) => (refused === undefined ? lockClass : '-'),
    },
    { heading: 'STATE', cell: stateOf },
    { heading: 'SUMMARY', cell: ({ summary }) => summary, isWide: true },
  ],
};

function stateOf({ tested, refused }: Recipe): string {
  if (refused !== undefined) return 'refused';
  return tested ? 'tested' : 'untested';
}
