/** @module-tag git */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

import { problemOfBase, rangesSince } from './git-changes.ts';

/** Creates a git repository with one commit of these files. */
function repository(files: readonly string[]): string {
  const root = mkdtempSync(join(tmpdir(), 'lifehook-changes-'));
  onTestFinished(() => {
    rmSync(root, { recursive: true });
  });
  for (const file of files) put(root, file, 'one;\ntwo;\nthree;\n');
  git(root, 'init', '--quiet');
  commit(root);
  return root;
}

function put(root: string, file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}

function git(root: string, ...args: readonly string[]): void {
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
    cwd: root,
  });
}

function commit(root: string): void {
  git(root, 'add', '.');
  git(root, 'commit', '--quiet', '--message', 'all');
}

it('finds changes of the product in src and in packages, also of files that git does not know', () => {
  const root = repository(['src/a.ts', 'packages/b/src/b.ts', 'test/c.ts']);
  for (const file of ['src/a.ts', 'packages/b/src/b.ts', 'test/c.ts']) {
    put(root, file, 'one;\n2;\nthree;\n');
  }
  put(root, 'packages/b/src/new.ts', 'one;\n');
  expect(rangesSince('HEAD', root).map(({ file, first }) => [file, first])).toEqual([
    ['packages/b/src/b.ts', 2],
    ['src/a.ts', 2],
    ['packages/b/src/new.ts', 1],
  ]);
});

it('finds the changed lines of a file that was moved, and none of one that was deleted', () => {
  const root = repository(['src/a.ts', 'src/b.ts']);
  mkdirSync(join(root, 'packages'));
  renameSync(join(root, 'src/a.ts'), join(root, 'packages/a.ts'));
  put(root, 'packages/a.ts', 'one;\ntwo;\n3;\n');
  rmSync(join(root, 'src/b.ts'));
  git(root, 'add', '.');
  expect(rangesSince('HEAD', root)).toEqual([{ file: 'packages/a.ts', first: 3, last: 3 }]);
});

it.each(['diff.mnemonicPrefix', 'diff.noprefix'])(
  'finds changes where a user has set %s',
  (key) => {
    const root = repository(['src/a.ts']);
    git(root, 'config', key, 'true');
    put(root, 'src/a.ts', 'one;\n2;\nthree;\n');
    expect(rangesSince('HEAD', root)).toHaveLength(1);
  },
);

it('says that a base is no commit', () => {
  const root = repository(['src/a.ts']);
  expect(problemOfBase('HEAD', root)).toBeNull();
  for (const base of ['nosuchref', 'HEAD:src/a.ts', '--all']) {
    expect(problemOfBase(base, root)).toContain(`git knows none named ${base}`);
  }
});
