import { describe, expect, it } from 'vitest';

import { recipeParameters } from '../schema/check-recipe.ts';
import { resolveActions } from '../schema/resolve-actions.ts';
import { recipes, resolveRecipe } from './all-recipes.ts';

const offered = recipes.filter(({ refused }) => refused === undefined);
const given = { path: '/data', freeze: 'true', thaw: 'true' };

describe('the recipes', () => {
  it('have names of their own, and are found by them', () => {
    const names = recipes.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const recipe of recipes) expect(resolveRecipe(recipe.name)).toBe(recipe);
    expect(resolveRecipe('mariadb')).toBeUndefined();
  });

  it.each(offered.map((recipe) => [recipe.name, recipe] as const))(
    '%s makes actions that every rule lets pass, and that fit what it declares',
    (name, recipe) => {
      const known = Object.fromEntries(
        Object.entries(given).filter(([key]) =>
          recipe.parameters.some((each) => each.name === key),
        ),
      );
      const actions = { recipe: { name, parameters: known } };
      const resolution = resolveActions({ actions, origin: 'the test', resolveRecipe });
      if (!('resolved' in resolution)) throw new Error(JSON.stringify(resolution));
      const { preAction, postAction, expirationSeconds = 0 } = resolution.resolved;
      const held = ['session', 'counted', 'flag', 'superblock'].includes(recipe.lockClass);
      expect(preAction.session !== undefined).toBe(held);
      expect(postAction !== undefined).toBe(recipe.lockClass === 'selfExpiring');
      if (recipe.maxFreezeSeconds !== null) {
        expect(expirationSeconds).toBeLessThanOrEqual(recipe.maxFreezeSeconds);
      }
    },
  );

  it('never put what a user gave into a script', () => {
    const evil = '"; touch /tmp/evil; $(id) `id`';
    for (const recipe of offered.filter(({ name }) => name !== 'generic')) {
      const parameters = recipeParameters(
        recipe,
        Object.fromEntries(
          recipe.parameters
            .filter(({ pattern }) => pattern === undefined)
            .map(({ name }) => [name, evil]),
        ),
      );
      const { preAction, postAction, probe } = recipe.actions(parameters);
      const commands = [
        preAction.exec?.command,
        preAction.session?.client,
        preAction.session?.client === undefined ? preAction.session?.freeze : undefined,
        preAction.session?.client === undefined ? preAction.session?.thaw : undefined,
        postAction?.exec?.command,
        probe?.command,
      ];
      for (const command of commands) {
        const holding = (command ?? []).filter((word) => word.includes(evil));
        expect(holding.every((word) => word === evil)).toBe(true);
      }
      for (const line of preAction.session?.client === undefined ? [] : preAction.session.freeze) {
        expect(line).not.toContain(evil);
      }
    }
  });

  it('refuse parameters that are not what they have to be', () => {
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

  it('say why there is none for Elasticsearch', () => {
    const actions = { recipe: { name: 'elasticsearch' } };
    const resolution = resolveActions({ actions, origin: 'the test', resolveRecipe });
    const [problem] = 'problems' in resolution ? resolution.problems : [];
    expect(problem?.detail).toContain('may lose data silently: use its own snapshot API');
  });
});
