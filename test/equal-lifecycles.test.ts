/**
 * The lifecycles are equal: each has the same pages and proofs. A task of several lifecycles is in a file of the same
 * name in each of them. A new lifecycle needs the files of `EACH`. A file of `SHARED` may be renamed only in all of its
 * lifecycles.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, it } from 'vitest';

import { projectFiles } from './project-files.ts';

const ROOT = 'src/lifecycles';
const CONTROLLERS = ['rollout', 'snapshot'];
const WITH_LOOP = ['container', 'pod', ...CONTROLLERS];

const lifecycles = readdirSync(ROOT);
const files = projectFiles();

const EACH = [
  `${ROOT}/NAME/README.md`,
  'docs/requirements/NAME.md',
  'src/cli/NAME/commands.ts',
  'test/first/NAME.test.ts',
  'test/sim/NAME/coverage.ts',
  'test/sim/NAME/mutants.ts',
  'test/sim/NAME/simulate.ts',
];

/**
 * The file names that belong to a task, and the lifecycles that must have a file with such a name, in any directory.
 */
const SHARED: Readonly<Record<string, readonly string[]>> = {
  'decide.ts': lifecycles,
  'drive.ts': WITH_LOOP,
  'facts.ts': WITH_LOOP,
  'acting.ts': CONTROLLERS,
  'caches.ts': CONTROLLERS,
  'carry-out.ts': CONTROLLERS,
  'conditions-of.ts': CONTROLLERS,
  'context.ts': CONTROLLERS,
  'controllers.ts': CONTROLLERS,
  'gather.ts': CONTROLLERS,
  'kinds.ts': CONTROLLERS,
  'names.ts': CONTROLLERS,
  'permissions.ts': CONTROLLERS,
  'schema/check-hook.ts': CONTROLLERS,
  'schema/definitions.ts': CONTROLLERS,
  'schema/limits.ts': CONTROLLERS,
  'schema/validate.ts': CONTROLLERS,
  'schema/validation-rules.ts': CONTROLLERS,
  'step.ts': CONTROLLERS,
};

/** The functions that several lifecycles export, and the file that may export each of them. */
const FUNCTIONS: Readonly<Record<string, string>> = {
  carryOut: 'carry-out.ts',
  decide: 'decide.ts',
  withConditions: 'conditions-of.ts',
};

it('has five lifecycles', () => {
  expect(lifecycles).toEqual(['container', 'pipeline', 'pod', 'rollout', 'snapshot']);
});

it.each(lifecycles)(
  '%s has its README, requirements, commands, first run and simulation',
  (name) => {
    const needed = EACH.map((path) => path.replace('NAME', name));
    expect(needed.filter((path) => !files.includes(path))).toEqual([]);
  },
);

it.each(Object.entries(SHARED))('%s has one name in %s', (file, names) => {
  const absent = names.filter(
    (name) =>
      !files.some((path) => path.startsWith(`${ROOT}/${name}/`) && path.endsWith(`/${file}`)),
  );
  expect(absent).toEqual([]);
});

it.each(Object.entries(FUNCTIONS))('%s is exported by files %s only', (name, file) => {
  const exporting = files.filter(
    (path) =>
      path.startsWith(`${ROOT}/`) &&
      path.endsWith('.ts') &&
      new RegExp(`^export (async )?function ${name}\\b`, 'm').test(readFileSync(path, 'utf8')),
  );
  expect(exporting.length).toBeGreaterThan(1);
  expect(exporting.filter((path) => basename(path) !== file)).toEqual([]);
});
