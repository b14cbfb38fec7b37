import { describe, expect, test } from 'vitest';

import { factsOf, stand } from '../../../../test/fixtures/pipeline/tag-stand.ts';
import type { BuildStand } from '../../../../test/fixtures/pipeline/build-stand.ts';
import type { TagPolicy } from '../config/model.ts';
import { tagOf } from './tag-of.ts';

type Git = Extract<TagPolicy, { kind: 'gitCommit' }>;

function git(variant: Git['variant'], more: Partial<Git> = {}): Git {
  return { kind: 'gitCommit', variant, prefix: '', ignoreChanges: false, ...more };
}

/** A git repository with one commit of web/ and api/, and without changes. */
function repository(): BuildStand {
  const s = stand();
  s.git('init', '-q');
  s.write('web/a', 'a');
  s.write('api/a', 'a');
  s.git('add', '.');
  s.git('commit', '-qm', 'one');
  return s;
}

describe('tags from git', { tags: 'git' }, () => {
  test.each([
    ['Tags', ['describe', '--always']],
    ['CommitSha', ['rev-parse', 'HEAD']],
    ['AbbrevCommitSha', ['rev-parse', '--short', 'HEAD']],
    ['TreeSha', ['rev-parse', 'HEAD:web']],
    ['AbbrevTreeSha', ['rev-parse', '--short', 'HEAD:web']],
  ] as const)('of the variant %s equal the output of git %j', async (variant, args) => {
    const s = repository();
    expect(await tagOf(git(variant), factsOf(s, `${s.folder}/web`))).toEqual({
      kind: 'tag',
      tag: s.git(...args),
    });
  });

  test('of the variant Tags replace "/" and "+" by "_", take the prefix, and end in "-dirty" only for changes in the context', async () => {
    const s = repository();
    s.git('tag', 'v1/x+2');
    s.write('web/b', 'new');
    const dirty = await tagOf(git('Tags', { prefix: 'p-' }), factsOf(s, `${s.folder}/web`));
    expect(dirty).toEqual({ kind: 'tag', tag: 'p-v1_x_2-dirty' });
    const clean = await tagOf(git('Tags'), factsOf(s, `${s.folder}/api`));
    expect(clean).toEqual({ kind: 'tag', tag: 'v1_x_2' });
    const ignoring = await tagOf(
      git('Tags', { ignoreChanges: true }),
      factsOf(s, `${s.folder}/web`),
    );
    expect(ignoring).toEqual({ kind: 'tag', tag: 'v1_x_2' });
  });

  test('of the variant Branches are the branch, or the commit when no branch is checked out', async () => {
    const s = repository();
    s.git('checkout', '-qb', 'feature/a');
    expect(await tagOf(git('Branches'), factsOf(s))).toEqual({ kind: 'tag', tag: 'feature_a' });
    s.git('checkout', '-q', '--detach');
    const tag = s.git('rev-parse', '--short', 'HEAD');
    expect(await tagOf(git('Branches'), factsOf(s))).toEqual({ kind: 'tag', tag });
  });

  test('are truncated to 128 characters and keep the suffix "-dirty"', async () => {
    const s = repository();
    s.git('checkout', '-qb', 'b'.repeat(200));
    s.write('c', 'new');
    const tag = `${'b'.repeat(122)}-dirty`;
    expect(await tagOf(git('Branches'), factsOf(s))).toEqual({ kind: 'tag', tag });
  });

  test('PIPE-B14: are refused outside of a git repository, without a fallback to "latest"', async () => {
    const s = stand({
      context: { callerEnv: { PATH: '/usr/bin:/bin', GIT_CEILING_DIRECTORIES: '/' } },
    });
    expect(await tagOf(git('Tags'), factsOf(s))).toEqual({
      kind: 'wrong',
      reason: expect.stringContaining('not a git repository'),
    });
  });
});
