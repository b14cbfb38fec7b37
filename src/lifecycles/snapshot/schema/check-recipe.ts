/** The rules for the use of a recipe: it exists, and has all required parameters and no unknown ones. */
import {
  type FieldProblem,
  invalid,
  required,
} from '../../../controller/definitions/field-problem.ts';
import { nearestWord } from '../../../model/nearest-word.ts';
import type { HookActions } from '../kinds.ts';
import type { Recipe } from '../recipes/recipe.ts';

/** Returns the recipe of this name; undefined: there is none. */
export type ResolveRecipe = (name: string) => Recipe | undefined;

export interface CheckRecipeInput {
  readonly actions: HookActions;
  readonly recipe: NonNullable<HookActions['recipe']>;
  /** The path of the recipe: "spec.recipe". */
  readonly field: string;
  readonly resolveRecipe: ResolveRecipe;
}

export function checkRecipe(input: CheckRecipeInput): FieldProblem[] {
  const { actions, recipe, field, resolveRecipe } = input;
  const known = resolveRecipe(recipe.name);
  if (known === undefined) {
    const detail = 'there is no such recipe: "lifehook recipes list" lists them';
    return [invalid(`${field}.name`, recipe.name, detail)];
  }
  if (known.refused !== undefined) return [invalid(`${field}.name`, recipe.name, known.refused)];
  return [
    ...checkParameters(`${field}.parameters`, known, recipe.parameters ?? {}),
    ...checkSafeFreeze(field, known, actions),
  ];
}

/** The rules for the check of a restored copy that a recipe defines. */
export function checkVerify(
  field: string,
  { name, parameters = {} }: CheckRecipeInput['recipe'],
  resolveRecipe: ResolveRecipe,
): FieldProblem[] {
  const known = resolveRecipe(name);
  if (known?.verify === undefined) {
    const detail =
      known === undefined
        ? 'there is no such recipe: "lifehook recipes list" lists them'
        : 'this recipe has no check of a restored copy: give a command instead';
    return [invalid(`${field}.name`, name, detail)];
  }
  const checked = { name, parameters: known.verify.parameters };
  return checkParameters(`${field}.parameters`, checked, parameters);
}

/** All parameters of a recipe, or of its check. A parameter that is not given has its default. */
export function recipeParameters(
  recipe: Pick<Recipe, 'parameters'>,
  given: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(
    recipe.parameters.map(({ name, defaultValue }) => [name, given[name] ?? defaultValue ?? '']),
  );
}

function checkParameters(
  field: string,
  { name: recipe, parameters }: Pick<Recipe, 'name' | 'parameters'>,
  given: Readonly<Record<string, string>>,
): FieldProblem[] {
  const names = parameters.map(({ name }) => name);
  const missing = parameters
    .filter(({ name, defaultValue }) => given[name] === undefined && defaultValue === undefined)
    .map(({ name, description }) => required(`${field}.${name}`, `give it: ${description}`));
  const unknown = Object.keys(given)
    .filter((name) => !names.includes(name))
    .map((name) => invalid(field, name, unknownParameter(name, recipe, names)));
  const wrong = parameters
    .filter(({ name, pattern }) => pattern?.test(given[name] ?? '') === false && name in given)
    .map(({ name, description }) => invalid(`${field}.${name}`, given[name], description));
  return [...missing, ...unknown, ...wrong];
}

function unknownParameter(name: string, recipe: string, names: readonly string[]): string {
  if (names.length === 0) return `the recipe ${recipe} has no parameters: remove it`;
  const meant = nearestWord(name, names);
  const next = meant === null ? 'remove it' : `did you mean ${JSON.stringify(meant)}?`;
  return `the recipe ${recipe} has the parameters ${names.join(', ')}: ${next}`;
}

function checkSafeFreeze(
  field: string,
  { name, maxFreezeSeconds }: Recipe,
  actions: HookActions,
): FieldProblem[] {
  const seconds = actions.expirationSeconds ?? actions.expirationTimeSeconds;
  if (maxFreezeSeconds === null || seconds === undefined || seconds <= maxFreezeSeconds) return [];
  const detail = `the recipe ${name} is safe for at most ${maxFreezeSeconds} seconds: lower expirationSeconds`;
  return [invalid(field, seconds, detail)];
}
