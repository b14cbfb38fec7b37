import { afterEach, describe, expect, test } from 'vitest';

import {
  artifactIn,
  type BuildStand,
  buildStand,
} from '../../../../test/fixtures/pipeline/build-stand.ts';
import type { TagPolicy } from '../config/model.ts';
import { type TagFacts, tagOf } from './tag-of.ts';

const stands: BuildStand[] = [];

function stand(...more: Parameters<typeof buildStand>): BuildStand {
  const made = buildStand(...more);
  stands.push(made);
  return made;
}

afterEach(() => {
  for (const one of stands.splice(0)) one.remove();
});

function factsOf({ folder, session }: BuildStand, context = folder): TagFacts {
  const digest = (): Promise<string> => Promise.resolve('d1'.repeat(32));
  return { artifact: artifactIn(context, 'acme/web'), session, atMs: 1_000, digest };
}

type Git = Extract<TagPolicy, { kind: 'gitCommit' }>;

function git(variant: Git['variant'], more: Partial<Git> = {}): Git {
  return { kind: 'gitCommit', variant, prefix: '', ignoreChanges: false, ...more };
}

/** A commit with web/ and api/, nothing changed. */
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
  ] as const)('of the variant %s are what git says of %s', async (variant, args) => {
    const s = repository();
    expect(await tagOf(git(variant), factsOf(s, `${s.folder}/web`))).toEqual({
      kind: 'tag',
      tag: s.git(...args),
    });
  });

  test('take the tag of the commit, with "/" as "_", a prefix, and "-dirty" for changes in the folder alone', async () => {
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

  test('are the branch, or the commit where none is checked out', async () => {
    const s = repository();
    s.git('checkout', '-qb', 'feature/a');
    expect(await tagOf(git('Branches'), factsOf(s))).toEqual({ kind: 'tag', tag: 'feature_a' });
    s.git('checkout', '-q', '--detach');
    const tag = s.git('rev-parse', '--short', 'HEAD');
    expect(await tagOf(git('Branches'), factsOf(s))).toEqual({ kind: 'tag', tag });
  });

  test('are cut to 128 characters, and keep their "-dirty"', async () => {
    const s = repository();
    s.git('checkout', '-qb', 'b'.repeat(200));
    s.write('c', 'new');
    const tag = `${'b'.repeat(122)}-dirty`;
    expect(await tagOf(git('Branches'), factsOf(s))).toEqual({ kind: 'tag', tag });
  });

  test('B14: outside of a repository are an error, and no "latest"', async () => {
    const s = stand({
      context: { callerEnv: { PATH: '/usr/bin:/bin', GIT_CEILING_DIRECTORIES: '/' } },
    });
    expect(await tagOf(git('Tags'), factsOf(s))).toEqual({
      kind: 'wrong',
      reason: expect.stringContaining('not a git repository'),
    });
  });
});

describe('other tags', () => {
  test('are latest, the digest, and the one moment of the build', async () => {
    const facts = factsOf(stand());
    expect(await tagOf({ kind: 'sha256' }, facts)).toEqual({ kind: 'tag', tag: 'latest' });
    expect(await tagOf({ kind: 'inputDigest' }, facts)).toEqual({
      kind: 'tag',
      tag: 'd1'.repeat(32),
    });
    const date = {
      kind: 'dateTime',
      format: '2006-01-02_15-04-05_-0700',
      timezone: 'UTC',
    } as const;
    expect(await tagOf(date, facts)).toEqual({ kind: 'tag', tag: '1970-01-01_00-00-01__0000' });
  });

  test('of an envTemplate know the environment, the image, and what hooks have said', async () => {
    const s = stand({ context: { callerEnv: { PATH: '/usr/bin:/bin', FOO: 'bar' } } });
    s.context.values.record({
      hook: 'version',
      iteration: 1,
      values: { V: '2' },
      outputs: {},
      secrets: [],
    });
    const template = '{{.FOO}}-{{ .hooks.version.V }}-{{ cmd "echo" "x" }}';
    expect(await tagOf({ kind: 'envTemplate', template }, factsOf(s))).toEqual({
      kind: 'tag',
      tag: 'bar-2-x',
    });
  });

  test('of an old envTemplate, which gives the whole name, are what follows it', async () => {
    const s = stand({ context: { callerEnv: { PATH: '/usr/bin:/bin', FOO: 'bar' } } });
    const template = '{{.IMAGE_NAME}}:{{.FOO}}';
    const tag = await tagOf({ kind: 'envTemplate', template }, factsOf(s));
    expect(tag).toEqual({ kind: 'tag', tag: 'bar' });
  });

  test('of a customTemplate are put together from components', async () => {
    const components = [
      { name: 'A', policy: { kind: 'sha256' } },
      { name: 'B', policy: { kind: 'dateTime', format: '2006', timezone: 'UTC' } },
    ] as const;
    const policy = { kind: 'customTemplate', template: '{{.A}}_{{.B}}', components } as const;
    expect(await tagOf(policy, factsOf(stand()))).toEqual({ kind: 'tag', tag: 'latest_1970' });
  });

  test.each<[string, TagPolicy, string]>([
    ['an unset variable', { kind: 'envTemplate', template: '{{.NOPE}}' }, 'has no value'],
    ['what is no tag', { kind: 'envTemplate', template: 'a b' }, 'it gives "a b", and a tag has'],
    ['an empty template', { kind: 'envTemplate', template: '' }, 'it gives ""'],
    [
      'an unknown zone',
      { kind: 'dateTime', format: '2006', timezone: 'X/Y' },
      'no time zone "X/Y"',
    ],
    [
      'a component that fails',
      {
        kind: 'customTemplate',
        template: '{{.A}}',
        components: [{ name: 'A', policy: { kind: 'envTemplate', template: '{{.NOPE}}' } }],
      },
      'its component "A": {{.NOPE}} has no value',
    ],
    [
      'a component of components',
      {
        kind: 'customTemplate',
        template: '{{.A}}',
        components: [
          { name: 'A', policy: { kind: 'customTemplate', template: '', components: [] } },
        ],
      },
      'is a customTemplate itself',
    ],
  ])('B14: %s is an error', async (_, policy, reason) => {
    expect(await tagOf(policy, factsOf(stand()))).toEqual({
      kind: 'wrong',
      reason: expect.stringContaining(reason),
    });
  });
});
