/** Asks git which lines of the product changed since a base commit, in commits and in the work tree. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { changedRanges, type LineRange } from './changes.ts';

const DAY_S = 86_400;

/** Directories of the product. */
const FOLDERS = ['src', 'packages'];

/** Runs git in `root`, by default in the working directory. */
const gitIn =
  (root = '.') =>
  (...args: readonly string[]): string =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 30 }).trim();

/**
 * The newest commit that is a day older than HEAD; null if the cloned history is younger. A clean checkout has no
 * branch to compare with, and commits that land together are from one day.
 */
export function baseOfTheDay(): string | null {
  const git = gitIn();
  const headS = Number(git('log', '-1', '--format=%ct', 'HEAD'));
  const commit = git('rev-list', '-1', `--before=${headS - DAY_S}`, 'HEAD');
  return commit === '' ? null : commit;
}

/** Why `base` is not a commit; null if it is one. */
export function problemOfBase(base: string, root: string = '.'): string | null {
  const name = `${base}^{commit}`;
  const { status } = spawnSync(
    'git',
    ['rev-parse', '--verify', '--quiet', '--end-of-options', name],
    {
      cwd: root,
    },
  );
  return status === 0 ? null : `--changed compares with a commit, and git knows none named ${base}`;
}

/** The lines that changed since the base: of a moved file only its changed lines, of an untracked file all. */
export function rangesSince(base: string, root: string = '.'): LineRange[] {
  const git = gitIn(root);
  // Sets the prefixes that the parser expects, because the configuration of a user may change them.
  const prefixes = ['--src-prefix=a/', '--dst-prefix=b/', '--no-ext-diff', '--no-color'];
  const diff = git('diff', '--unified=0', '--find-renames', ...prefixes, base, '--', ...FOLDERS);
  const untracked = git('ls-files', '--others', '--exclude-standard', '--', ...FOLDERS);
  const added = untracked.split('\n').filter((file) => file.endsWith('.ts'));
  return [
    ...changedRanges(diff),
    ...added.map((file) => ({
      file,
      first: 1,
      last: readFileSync(join(root, file), 'utf8').split('\n').length,
    })),
  ];
}
