/** The built-in freeze recipes, which `lifehook recipes` lists. */
import { actionsOfRecipe, findRecipe } from '../../cli/snapshot/recipes/resolve-recipe.ts';
import { recipes } from '../../lifecycles/snapshot/recipes/all-recipes.ts';

export interface RecipeSummary {
  readonly name: string;
  readonly application: string;
  readonly summary: string;
  /** Whether Lifehook has tested the recipe; false: it was written from the vendor's documents only. */
  readonly tested: boolean;
  /** The reason why the recipe must not be used, and the alternative. Absent: it can be used. */
  readonly refused?: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly description: string;
    /** Default value. Absent: the parameter is required. */
    readonly defaultValue?: string;
  }[];
}

/** The actions in the form of an ExecutionHookTemplate. */
export interface RecipeActions {
  readonly preAction: Readonly<Record<string, unknown>>;
  /** Undoes the preAction. Absent: there is nothing to undo, or the session of the preAction thaws. */
  readonly postAction?: Readonly<Record<string, unknown>>;
  /** Checks whether the application is frozen: exit code 0 means yes. */
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

/** @throws LifehookError LHS501 if no recipe has this name, LHS502 if its parameters do not fit. */
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
