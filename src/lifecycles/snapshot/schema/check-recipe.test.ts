/** Recipes and rescues at admission (SNAP-G14). */
import { describe, expect, it } from 'vitest';

import { fieldProblemMessage } from '../../../controller/definitions/field-problem.ts';
import type { HookAction, HookActions } from '../kinds.ts';
import { resolveRecipe } from '../recipes/all-recipes.ts';
import { checkActions } from './check-actions.ts';
import { checkRecipe } from './check-recipe.ts';
import { resolveActions } from './resolve-actions.ts';

const recipe = (name: string, parameters?: Record<string, string>, actions: HookActions = {}) =>
  checkRecipe({
    actions,
    recipe: { name, ...(parameters === undefined ? {} : { parameters }) },
    field: 'recipe',
    resolveRecipe,
  }).map(fieldProblemMessage);

describe('a recipe', () => {
  it.each<[string, () => string[], string]>([
    [
      'that does not exist',
      () => recipe('mariadb'),
      'recipe.name: Invalid value: "mariadb": there is no such recipe: "lifehook recipes list" lists them',
    ],
    [
      'that would lose data silently',
      () => recipe('elasticsearch'),
      'recipe.name: Invalid value: "elasticsearch": ',
    ],
    [
      'without a parameter that it needs',
      () => recipe('generic', { freeze: 'true' }),
      'recipe.parameters.thaw: Required value: give it: a command line for sh; it may run more than once',
    ],
    [
      'with a misspelt parameter',
      () => recipe('redis-pause', { pauseSecond: '5' }),
      'recipe.parameters: Invalid value: "pauseSecond": the recipe redis-pause has the parameters port, passwordVariable, pauseSeconds: did you mean "pauseSeconds"?',
    ],
    [
      'with a parameter of no meaning',
      () => recipe('redis-pause', { colour: 'blue' }),
      'recipe.parameters: Invalid value: "colour": the recipe redis-pause has the parameters port, passwordVariable, pauseSeconds: remove it',
    ],
    [
      'with a freeze that is longer than safe',
      () => recipe('mariadb-lock', undefined, { expirationSeconds: 301 }),
      'recipe: Invalid value: 301: the recipe mariadb-lock is safe for at most 300 seconds: lower expirationSeconds',
    ],
  ])('%s is refused', (_, find, message) => {
    const found = find();
    expect(found).toHaveLength(1);
    expect(found[0]?.startsWith(message)).toBe(true);
  });

  it('is accepted with the longest safe freeze, and with any where none is known to be too long', () => {
    expect(recipe('mariadb-lock', undefined, { expirationSeconds: 300 })).toEqual([]);
    expect(recipe('redis-pause', undefined, { expirationSeconds: 9_000 })).toEqual([]);
  });
});

describe('a rescue pod', () => {
  const exec: HookAction = { exec: { command: ['freeze'] } };
  const httpGet: HookAction = { httpGet: { port: 80 } };
  const commands: HookAction = { session: { freeze: ['f'], thaw: ['t'] } };
  const client: HookAction = {
    session: { client: ['db'], freeze: ['f'], thaw: ['t'], ready: 'frozen' },
  };
  const refuses = (actions: HookActions): boolean =>
    checkActions({ actions, field: 'spec', resolveRecipe }).some(({ field, detail }) => {
      return field === 'spec.rescue' && detail.startsWith('a rescue needs lockScope Kernel');
    });
  const kernel = { lockScope: 'Kernel', rescue: {} } as const;

  it.each<[string, HookActions, boolean]>([
    ['a thaw by a command', { ...kernel, preAction: exec, postAction: exec }, false],
    ['a session without a client', { ...kernel, preAction: commands }, false],
    ['a session with a client', { ...kernel, preAction: client }, true],
    ['no thaw', { ...kernel, preAction: exec }, true],
    [
      'a thaw by HTTP, though the freeze is a session',
      { ...kernel, preAction: commands, postAction: httpGet },
      true,
    ],
    ['a lock that ends with its process', { rescue: {}, preAction: exec, postAction: exec }, true],
    ['no rescue', { lockScope: 'Kernel', preAction: exec }, false],
  ])('for %s is refused or not', (_, actions, expected) => {
    expect(refuses(actions)).toBe(expected);
  });
});

describe('the actions of a hook as they are stored (SNAP-G1, SNAP-I10)', () => {
  const resolved = (actions: HookActions): object => {
    const resolution = resolveActions({ actions, origin: 'a test', resolveRecipe });
    if (!('resolved' in resolution)) throw new Error(JSON.stringify(resolution));
    return resolution.resolved;
  };
  const action = { exec: { command: ['freeze'] } };

  it('have what was written and the defaults, and no empty field', () => {
    expect(Object.keys(resolved({ preAction: action })).toSorted()).toEqual([
      'origin',
      'policy',
      'preAction',
    ]);
    const { preAction } = resolved({ preAction: action }) as { preAction: object };
    expect(preAction).toEqual({ ...action, actionTimeoutSeconds: 30 });
    expect(Object.keys(preAction)).not.toContain('idempotent');
  });

  it('have the path and the scheme of an HTTP action', () => {
    expect(resolved({ preAction: { httpGet: { port: 80 }, idempotent: true } })).toMatchObject({
      preAction: { httpGet: { path: '/', scheme: 'HTTP', port: 80 }, idempotent: true },
    });
  });

  it('have the policy of the hook, and the actions of its recipe', () => {
    const written = { policy: 'ExecuteOnce', recipe: { name: 'redis-pause' } } as const;
    expect(resolved(written)).toMatchObject({
      policy: 'ExecuteOnce',
      expirationSeconds: 30,
      origin: 'recipe redis-pause, named by a test',
    });
    expect(resolved({ recipe: { name: 'redis-pause' } })).toMatchObject({ policy: 'ExecuteAll' });
  });
});
