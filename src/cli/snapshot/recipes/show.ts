/** `lifehook recipes show NAME`: prints the actions of a recipe. */
import process from 'node:process';

import type { HookActions, ResolvedActions } from '../../../lifecycles/snapshot/kinds.ts';
import type {
  Recipe,
  RecipeParameter,
  RecipeVerify,
} from '../../../lifecycles/snapshot/recipes/recipe.ts';
import { yamlText } from '../../../model/yaml-text.ts';
import { exitCodes } from '../../exit-codes.ts';
import { printed } from '../../listing.ts';
import type { OutputFormat } from '../../shared-options.ts';
import { actionsOfRecipe, findRecipe } from './resolve-recipe.ts';

export interface RecipesShowOptions {
  readonly output: OutputFormat;
  readonly set: Readonly<Record<string, string>>;
}

export function runRecipesShow(name: string, { output, set }: RecipesShowOptions): number {
  const recipe = findRecipe(name);
  const { refused } = recipe;
  if (refused !== undefined) {
    const text = `${recipe.name}: refused\n\n${sentence(refused)}\n`;
    process.stdout.write(printed(recipeData(recipe), output, () => text));
    return exitCodes.done;
  }
  const missing = recipe.parameters.filter(
    ({ name: each, defaultValue }) => defaultValue === undefined && set[each] === undefined,
  );
  const shown = Object.fromEntries(missing.map((each) => [each.name, placeholderFor(each)]));
  const actions = asWritten(actionsOfRecipe(recipe, { ...shown, ...set }));
  const text = `${facts(recipe)}\nActions:\n${indent(yamlText(actions, { blockQuote: 'literal' }))}`;
  process.stdout.write(printed({ ...recipeData(recipe), actions }, output, () => text));
  return exitCodes.done;
}

/** The data of a recipe, for JSON and YAML: functions are left out, and patterns are texts. */
function recipeData({ actions: _actions, verify, ...data }: Recipe): object {
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

/** The name of a required parameter in brackets, in place of its value; as a path if the parameter must be one. */
function placeholderFor({ name, pattern }: RecipeParameter): string {
  const placeholder = `<${name}>`;
  return pattern?.test(placeholder) === false ? `/${placeholder}` : placeholder;
}

/** The actions in the form in which a hook or a template contains them. */
function asWritten({ origin: _origin, probe, ...actions }: ResolvedActions): HookActions {
  if (probe === undefined) return actions;
  const { command, timeoutSeconds } = probe;
  return { ...actions, probe: { exec: { command }, timeoutSeconds } };
}

const kinds: Readonly<Record<Recipe['lockClass'], string>> = {
  session:
    'session: ends with the session that took it, so a session helper keeps the session open',
  counted: 'counted: must be released as often as it was taken, and outlives its session',
  flag: 'flag: a setting that stays until the thaw restores its earlier value',
  superblock: 'superblock: locks a whole file system, no matter which program froze it',
  selfExpiring: 'selfExpiring: ends by itself after its time',
  none: 'none: there is nothing to undo',
};

const scopes: Readonly<Record<Recipe['lockScope'], string>> = {
  Process: "Process: ends with the container's processes",
  Kernel: 'Kernel: only a thaw ends it; it outlives the pod',
};

function facts(recipe: Recipe): string {
  const { needs, maxFreezeSeconds, priorState, exitCodes: codes, verify } = recipe;
  const lines: [string, string][] = [
    ['For', recipe.application],
    ['Lock', kinds[recipe.lockClass]],
    ['Scope', scopes[recipe.lockScope]],
    ['State', stateOf(recipe)],
    ['Programs', needs.programs.join(', ') || 'none'],
    ...needs.privileges.map((each): [string, string] => ['Needs', each]),
    ['Longest', maxFreezeSeconds === null ? 'no limit is known' : `${maxFreezeSeconds} s`],
    ...(priorState === null ? [] : [['Before', priorState] satisfies [string, string]]),
    ...Object.entries(codes).map(([code, means]): [string, string] => [`Code ${code}`, means]),
    ['Check', verify === undefined ? 'the recipe has none for a restored copy' : checkOf(verify)],
  ];
  const table = lines.map(([name, value]) => `${`${name}:`.padEnd(10)} ${value}`).join('\n');
  return `${recipe.name}\n${recipe.summary}\n\n${table}\n${parameterList('Parameters', recipe.parameters)}${parameterList('Parameters of the check', verify?.parameters ?? [])}`;
}

function checkOf({ summary, tested }: RecipeVerify): string {
  return tested ? summary : `${summary} UNTESTED`;
}

function stateOf({ tested, untestedReason = '' }: Recipe): string {
  if (tested) return 'tested against the real application';
  return `UNTESTED: written from the vendor's documents, never run by us: ${untestedReason}`;
}

function parameterList(title: string, parameters: readonly RecipeParameter[]): string {
  if (parameters.length === 0) return '';
  const lines = parameters.map(({ name, description, defaultValue }) => {
    const value = defaultValue === '' ? 'empty' : defaultValue;
    return `  ${name} (${value === undefined ? 'required' : `default: ${value}`})\n      ${description}\n`;
  });
  return `\n${title}:\n${lines.join('')}`;
}

function indent(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ');
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
