/** What is known to freeze which application: the recipes of `lifehook recipes`. */
import { actionsOfRecipe, findRecipe } from '../../cli/snapshot/recipes/resolve-recipe.ts';
import { recipes } from '../../lifecycles/snapshot/recipes/all-recipes.ts';

export interface RecipeSummary {
  readonly name: string;
  readonly application: string;
  readonly summary: string;
  /** false: written from the vendor's documents, never run by us. */
  readonly tested: boolean;
  /** Why it must not be used, and what to do instead. */
  readonly refused?: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly description: string;
    /** Absent: it has to be given. */
    readonly defaultValue?: string;
  }[];
}

/** As they would stand in an ExecutionHookTemplate. */
export interface RecipeActions {
  readonly preAction: Readonly<Record<string, unknown>>;
  /** Absent: there is nothing to undo, or the session of the preAction thaws. */
  readonly postAction?: Readonly<Record<string, unknown>>;
  /** Asks whether the freeze is in force: exit code 0 says yes. */
  readonly probe?: { readonly command: readonly string[]; readonly timeoutSeconds: number };
  readonly expirationSeconds?: number;
}

export function listRecipes(): readonly RecipeSummary[] {
  return recipes.map(({ name, application, summary, tested, refused, parameters }) => ({
    name,
    application,
    summary,
    tested,
    ...(refused !== undefined && { refused }),
    parameters: parameters.map((one) => ({
      name: one.name,
      description: one.description,
      ...(one.defaultValue !== undefined && { defaultValue: one.defaultValue }),
    })),
  }));
}

/** @throws LifehookError LHS501 where there is none of this name, LHS502 where its parameters do not fit. */
export function recipeActions(
  name: string,
  parameters: Readonly<Record<string, string>> = {},
): RecipeActions {
  const { preAction, postAction, probe, expirationSeconds } = actionsOfRecipe(
    findRecipe(name),
    parameters,
  );
  return {
    preAction: { ...preAction },
    ...(postAction !== undefined && { postAction: { ...postAction } }),
    ...(probe !== undefined && { probe }),
    ...(expirationSeconds !== undefined && { expirationSeconds }),
  };
}
