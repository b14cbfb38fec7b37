import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';

import { recipeParameters } from '../schema/check-recipe.ts';
import { resolveActions } from '../schema/resolve-actions.ts';
import { recipes, resolveRecipe } from './all-recipes.ts';
import { shellCommand } from './shell-command.ts';

const offered = recipes.filter(({ refused }) => refused === undefined);
const given = { path: '/data', freeze: 'true', thaw: 'true' };

describe('the recipes', () => {
  it('have unique names, and resolve by name', () => {
    const names = recipes.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const recipe of recipes) expect(resolveRecipe(recipe.name)).toBe(recipe);
    expect(resolveRecipe('mariadb')).toBeUndefined();
  });

  it.each(offered.map((recipe) => [recipe.name, recipe] as const))(
    '%s makes valid actions that match its lock class',
    (name, recipe) => {
      const known = Object.fromEntries(
        Object.entries(given).filter(([key]) =>
          recipe.parameters.some((each) => each.name === key),
        ),
      );
      const actions = { recipe: { name, parameters: known } };
      const resolution = resolveActions({ actions, origin: 'the test', resolveRecipe });
      if (!('resolved' in resolution)) throw new Error(JSON.stringify(resolution));
      const {
        preAction,
        postAction,
        expirationSeconds = 0,
        lockScope,
        rescue,
      } = resolution.resolved;
      expect(lockScope).toBe(recipe.lockClass === 'superblock' ? 'Kernel' : 'Process');
      expect(rescue !== undefined).toBe(lockScope === 'Kernel');
      const held = ['session', 'counted', 'flag', 'superblock'].includes(recipe.lockClass);
      expect(preAction.session !== undefined).toBe(held);
      expect(postAction !== undefined).toBe(recipe.lockClass === 'selfExpiring');
      if (recipe.maxFreezeSeconds !== null) {
        expect(expirationSeconds).toBeLessThanOrEqual(recipe.maxFreezeSeconds);
      }
    },
  );

  it.each(
    offered
      .filter(({ name }) => name !== 'generic')
      .map((recipe) => [recipe.name, recipe] as const),
  )('%s never inserts a user value into a script or a statement', (_name, recipe) => {
    const evil = '"; touch /tmp/evil; $(id) `id`';
    const free = recipe.parameters.filter(({ pattern }) => pattern === undefined);
    const hostile = Object.fromEntries(free.map(({ name }) => [name, evil]));
    const { preAction, postAction, probe } = recipe.actions(recipeParameters(recipe, hostile));
    const { client = [], freeze = [], thaw = [] } = preAction.session ?? {};
    const words = [
      client,
      freeze,
      thaw,
      preAction.exec?.command,
      postAction?.exec?.command,
      probe?.command,
    ].flatMap((each = []) => each);
    expect(words.filter((word) => word.includes(evil) && word !== evil)).toEqual([]);
    if (client.length > 0) expect([...freeze, ...thaw]).not.toContain(evil);
  });

  it('pass each value to the shell as an argument of its own, also an empty one', () => {
    const [file = '', ...args] = shellCommand('printf "[%s]" "$@"', '', 'a', '', 'b');
    expect(execFileSync(file, args, { encoding: 'utf8' })).toBe('[][a][][b]');
  });

  it('refuse parameters that do not match their pattern', () => {
    const parameters = { lockWaitSeconds: '1; DROP TABLE t', passwordVariable: 'a b' };
    const actions = { recipe: { name: 'mariadb-lock', parameters } };
    const resolution = resolveActions({ actions, origin: 'the test', resolveRecipe });
    expect(resolution).toMatchObject({
      problems: [
        { field: 'recipe.parameters.passwordVariable', value: 'a b' },
        { field: 'recipe.parameters.lockWaitSeconds', value: '1; DROP TABLE t' },
      ],
    });
  });

  it('explain why there is no recipe for Elasticsearch', () => {
    const actions = { recipe: { name: 'elasticsearch' } };
    const resolution = resolveActions({ actions, origin: 'the test', resolveRecipe });
    const [problem] = 'problems' in resolution ? resolution.problems : [];
    expect(problem?.detail).toContain('may lose data silently: use its own snapshot API');
  });
});
