import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { checkVerify, recipeParameters } from '../schema/check-recipe.ts';
import { type ActionsResolution, resolveActions } from '../schema/resolve-actions.ts';
import { recipes, resolveRecipe } from './all-recipes.ts';
import { checkCommand } from './checks/check-shell.ts';
import type { Recipe } from './recipe.ts';
import { shellCommand } from './shell-command.ts';

const offered = recipes.filter(({ refused }) => refused === undefined);

/** Values of the parameters that a recipe requires. */
const given = {
  path: '/data',
  database: '/data/shop.db',
  file: '/data/backup.db',
  freeze: 'true',
  thaw: 'true',
};

const requiredOf = ({ parameters }: Recipe): Record<string, string> =>
  Object.fromEntries(
    Object.entries(given).filter(([key]) =>
      parameters.some(({ name, defaultValue }) => name === key && defaultValue === undefined),
    ),
  );

describe('the recipes', () => {
  it('say why they were never run, if they were not', () => {
    for (const { name, tested, untestedReason } of offered)
      expect([name, untestedReason === undefined]).toEqual([name, tested]);
  });

  it('have unique names, and resolve by name', () => {
    const names = recipes.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const recipe of recipes) expect(resolveRecipe(recipe.name)).toBe(recipe);
    expect(resolveRecipe('mariadb')).toBeUndefined();
  });

  it.each(offered.map((recipe) => [recipe.name, recipe] as const))(
    '%s makes valid actions that match its lock class',
    (name, recipe) => {
      const actions = { recipe: { name, parameters: requiredOf(recipe) } };
      const resolution = resolveActions({ actions, origin: 'the test', resolveRecipe });
      if (!('resolved' in resolution)) throw new Error(JSON.stringify(resolution));
      const {
        preAction,
        postAction,
        expirationSeconds = 0,
        lockScope,
        rescue,
      } = resolution.resolved;
      expect(lockScope).toBe(recipe.lockScope);
      // A rescue pod can thaw only a lock of the node's kernel, since it does not run in the container.
      expect(rescue !== undefined).toBe(recipe.lockClass === 'superblock');
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

  const checks = recipes.flatMap(({ name, verify }) =>
    verify === undefined ? [] : ([[name, verify]] as const),
  );

  it.each(checks)(
    '%s has a check that never inserts a user value into its script',
    (_name, check) => {
      const evil = '"; touch /tmp/evil; $(id) `id`';
      const hostile = Object.fromEntries(check.parameters.map(({ name }) => [name, evil]));
      const command = check.command(recipeParameters(check, hostile), `/mnt/${evil}`);
      const [shell, option, script = '', ...args] = command;
      expect([shell, option]).toEqual(['sh', '-c']);
      expect(script).not.toContain(evil);
      expect(args).toContain(`/mnt/${evil}`);
    },
  );

  it.each(['..', '../data', 'data/..', 'a/../../b', '/data'])(
    'refuse a check outside of the copy, in the directory %s',
    (directory) => {
      const recipe = { name: 'mariadb-lock', parameters: { directory } };
      expect(checkVerify('spec.verify', recipe, resolveRecipe)).toMatchObject([
        { value: directory },
      ]);
    },
  );

  it('take any directory below the copy for a check', () => {
    for (const directory of ['', 'data', 'mysql/data', '..data', 'a..b/c']) {
      const recipe = { name: 'mariadb-lock', parameters: { directory } };
      expect(checkVerify('spec.verify', recipe, resolveRecipe)).toEqual([]);
    }
  });

  it.each(['restored/data', '-data'])(
    'check the copy in %s, whatever CDPATH the image sets',
    (path) => {
      const folder = realpathSync(mkdtempSync(join(tmpdir(), 'check-')));
      try {
        for (const each of [folder, join(folder, 'other')])
          mkdirSync(join(each, path), { recursive: true });
        const script = 'printf %s "$copy"';
        const [file = '', ...args] = checkCommand({ script, path, parameters: {} });
        const env = { ...process.env, CDPATH: join(folder, 'other') };
        const copy = execFileSync(file, args, { cwd: folder, encoding: 'utf8', env });
        expect(copy).toBe(join(folder, path));
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  );

  it.each(['', 'inner'])(
    'judge no copy that their user may not enter, directory %j (SNAP-V11)',
    (directory) => {
      const folder = mkdtempSync(join(tmpdir(), 'check-'));
      try {
        chmodSync(folder, 0o755);
        mkdirSync(join(folder, 'data'), { mode: 0o000 });
        const [file = '', ...args] = checkCommand({
          script: `[ -f "$copy/PG_VERSION" ] || broken 'it has no data'`,
          path: join(folder, 'data'),
          parameters: { directory },
        });
        const other = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
        const { status, stderr } = spawnSync(file, args, { encoding: 'utf8', ...other });
        expect({ status, stderr }).toMatchObject({
          status: 2,
          stderr: expect.stringContaining(
            `the user may not enter the directory ${folder}/data`,
          ) as string,
        });
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  );

  it('judge no copy whose server they cannot run as the owner of the data (SNAP-V11)', () => {
    const folder = mkdtempSync(join(tmpdir(), 'check-'));
    try {
      const programs = join(folder, 'programs');
      mkdirSync(programs);
      for (const each of ['sh', 'stat', 'mktemp', 'rm', 'sleep', 'tail']) {
        symlinkSync(
          execFileSync('sh', ['-c', `command -v ${each}`], { encoding: 'utf8' }).trim(),
          join(programs, each),
        );
      }
      for (const [name, line] of [
        ['id', 'echo 0'],
        ['chown', 'exit 0'],
      ] as const) {
        writeFileSync(join(programs, name), `#!/bin/sh\n${line}\n`, { mode: 0o755 });
      }
      const script = 'answers() { return 1; }\nserve sleep 0';
      const [file = '', ...args] = checkCommand({ script, path: folder, parameters: {} });
      const { status, stderr } = spawnSync(file, args, {
        encoding: 'utf8',
        env: { PATH: programs },
      });
      expect([status, stderr]).toEqual([2, 'the image has no "setpriv"\n']);
    } finally {
      rmSync(folder, { recursive: true });
    }
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

  const seconds = offered.flatMap((recipe) =>
    recipe.parameters
      .filter(({ name }) => name.endsWith('Seconds'))
      .map(({ name }) => [recipe.name, name, recipe] as const),
  );

  it.each(seconds)(
    'take %s with %s of a day, and refuse more, less and fractions',
    (name, field, recipe) => {
      const resolve = (value: string): ActionsResolution => {
        const parameters = { ...requiredOf(recipe), [field]: value };
        const actions = { recipe: { name, parameters } };
        return resolveActions({ actions, origin: 'the test', resolveRecipe });
      };
      for (const taken of ['1', '999', '9999', '10000', '86399', '86400'])
        expect(resolve(taken)).toHaveProperty('resolved');
      for (const value of ['0', '-1', '1.5', '08', '86401', '87000', '90000', '99999', '100000']) {
        expect(resolve(value)).toMatchObject({
          problems: [{ field: `recipe.parameters.${field}`, value }],
        });
      }
    },
  );

  it.each(['statement_timeout', 'idle_session_timeout', 'transaction_timeout'])(
    'keep the backup mode of PostgreSQL by switching off %s, if the server has it',
    (name) => {
      const [, off = ''] =
        resolveRecipe('postgresql-backup')?.actions({}).preAction.session?.freeze ?? [];
      expect(off).toContain("SELECT set_config(name, '0', false) FROM pg_settings WHERE name IN (");
      expect(off).toContain(`'${name}'`);
    },
  );

  it('explain why there is no recipe for Elasticsearch', () => {
    const actions = { recipe: { name: 'elasticsearch' } };
    const resolution = resolveActions({ actions, origin: 'the test', resolveRecipe });
    const [problem] = 'problems' in resolution ? resolution.problems : [];
    expect(problem?.detail).toContain('may lose data silently: use its own snapshot API');
  });
});
