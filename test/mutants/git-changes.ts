/** Asks git what changed in the product since a base commit, in commits or in the work tree. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

import { changedRanges, type LineRange } from './changes.ts';

const DAY_S = 86_400;

const git = (...args: readonly string[]): string =>
  execFileSync('git', args, { encoding: 'utf8', maxBuffer: 2 ** 30 }).trim();

/**
 * The newest commit that is a day older than HEAD: a clean checkout knows no branch to compare with, and what lands together
 * is of one day. Null where the history, or the part of it that was cloned, is younger.
 */
export function baseOfTheDay(): string | null {
  const headS = Number(git('log', '-1', '--format=%ct', 'HEAD'));
  const commit = git('rev-list', '-1', `--before=${headS - DAY_S}`, 'HEAD');
  return commit === '' ? null : commit;
}

/** Moved files count with the lines that changed in them; files that git does not know yet count as a whole. */
export function rangesSince(base: string): LineRange[] {
  const diff = git('diff', '--unified=0', '--find-renames', '--no-color', base, '--', 'src');
  const untracked = git('ls-files', '--others', '--exclude-standard', '--', 'src');
  const added = untracked.split('\n').filter((file) => file.endsWith('.ts'));
  return [
    ...changedRanges(diff),
    ...added.map((file) => ({
      file,
      first: 1,
      last: readFileSync(file, 'utf8').split('\n').length,
    })),
  ];
}
