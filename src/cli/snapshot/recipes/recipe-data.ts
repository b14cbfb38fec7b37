/** The data of a recipe, for JSON and YAML: functions are left out, and patterns are texts. */
import type {
  Recipe,
  RecipeParameter,
  RecipeVerify,
} from '../../../lifecycles/snapshot/recipes/recipe.ts';

export function recipeData({ actions: _actions, verify, ...data }: Recipe): object {
  return {
    ...data,
    parameters: data.parameters.map(parameterData),
    ...(verify === undefined ? {} : { verify: verifyData(verify) }),
  };
}

function verifyData({ command: _command, ...data }: RecipeVerify): object {
  return { ...data, parameters: data.parameters.map(parameterData) };
}

function parameterData({ pattern, ...data }: RecipeParameter): object {
  return { ...data, ...(pattern === undefined ? {} : { pattern: pattern.source }) };
}
