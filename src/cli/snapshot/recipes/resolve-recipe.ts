import { fieldProblemMessage } from '../../../controller/definitions/field-problem.ts';
import type { ResolvedActions } from '../../../lifecycles/snapshot/kinds.ts';
import { recipes, resolveRecipe } from '../../../lifecycles/snapshot/recipes/all-recipes.ts';
import type { Recipe } from '../../../lifecycles/snapshot/recipes/recipe.ts';
import { resolveActions } from '../../../lifecycles/snapshot/schema/resolve-actions.ts';
import { nearestWord } from '../../../model/nearest-word.ts';
import { LifehookError } from '../../../model/problem.ts';

/** Throws `LifehookError` (LHS501) if no recipe has this name. */
export function findRecipe(name: string): Recipe {
  const recipe = resolveRecipe(name);
  if (recipe !== undefined) return recipe;
  const names = recipes.map((each) => each.name);
  const near = names.filter((each) => each.startsWith(name.toLowerCase().slice(0, NEAR)));
  const meant = nearestWord(name, names);
  const next =
    meant !== null
      ? `Did you mean "${meant}"?`
      : near.length > 0 && name !== ''
        ? `There are ${near.join(', ')}.`
        : 'See `lifehook recipes list`.';
  throw new LifehookError({
    code: 'LHS501',
    message: `There is no recipe "${name}".`,
    next,
  });
}

/**
 * Number of leading letters that identify an application, as in "mysql" and "mysql8", or "postgres" and "postgresql".
 */
const NEAR = 5;

/** The actions of the recipe with these parameters. Throws `LifehookError` (LHS502) if the recipe rejects them. */
export function actionsOfRecipe(
  { name }: Recipe,
  parameters: Readonly<Record<string, string>>,
): ResolvedActions {
  const actions = { recipe: { name, parameters: { ...parameters } } };
  const origin = 'the command line';
  const resolution = resolveActions({ actions, origin, resolveRecipe });
  if ('resolved' in resolution) return resolution.resolved;
  throw new LifehookError(
    resolution.problems.map((problem) => ({
      code: 'LHS502',
      severity: 'error' as const,
      message: `${fieldProblemMessage(problem)}.`,
      next: `See \`lifehook recipes show ${name}\`, and give parameters as --set NAME=VALUE.`,
    })),
  );
}
