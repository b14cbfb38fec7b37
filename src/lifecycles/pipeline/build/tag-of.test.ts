import { describe, expect, test } from 'vitest';

import { factsOf, stand } from '../../../../test/fixtures/pipeline/tag-stand.ts';
import type { TagPolicy } from '../config/model.ts';
import { tagOf } from './tag-of.ts';

describe('tags without git', () => {
  test('are "latest" for sha256, the digest for inputDigest, and the time of the build for dateTime', async () => {
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

  test('of an envTemplate use environment variables, hook values and command output', async () => {
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

  test('of an envTemplate that starts with the image name are the part after that name', async () => {
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
    ['an invalid tag', { kind: 'envTemplate', template: 'a b' }, 'it gives "a b", but a tag has'],
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
      'must not be a customTemplate',
    ],
  ])('PIPE-B14: %s is an error', async (_, policy, reason) => {
    expect(await tagOf(policy, factsOf(stand()))).toEqual({
      kind: 'wrong',
      reason: expect.stringContaining(reason),
    });
  });
});
