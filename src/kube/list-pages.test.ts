import { describe, expect, it } from 'vitest';

import { type Script, scriptedTransport } from '../../test/fixtures/scripted-transport.ts';
import { nodePlatform } from '../platform/node-platform.ts';
import { listPages, type ListPart } from './list-pages.ts';
import type { KubeObject } from './object.ts';
import { pods } from './resources.ts';

async function listing(
  script: Script,
  options: object = {},
): Promise<{ paths: string[]; reported: string[] }> {
  const transport = scriptedTransport(script);
  const connection = { transport, platform: nodePlatform, userAgent: 'test', random: () => 0 };
  const reported: string[] = [];
  for await (const part of listPages(connection, pods, options)) reported.push(describePart(part));
  return {
    paths: transport.requests.map(({ path }) => path.replace('/api/v1/pods', '')),
    reported,
  };
}

function describePart(part: ListPart<KubeObject>): string {
  if (part.kind === 'restart') return 'restart';
  return `${part.items.map(({ metadata }) => metadata?.name).join('')}@${part.resourceVersion}`;
}

const page = (names: string, next = ''): object => ({
  metadata: { resourceVersion: '5', continue: next },
  items: names.split('').map((name) => ({ metadata: { name } })),
});
const expired = { status: 410, body: { kind: 'Status', reason: 'Expired', code: 410 } };

describe('listPages', () => {
  it('follows the continue tokens to the last page', async () => {
    const bodies = [page('ab', 't/1'), page('c', 't2'), page('d')];
    const { paths, reported } = await listing((_, index) => ({ body: bodies[index] ?? {} }), {
      labelSelector: 'a=b',
      resourceVersion: '3',
      pageSize: 2,
    });
    expect(reported).toEqual(['ab@5', 'c@5', 'd@5']);
    expect(paths).toEqual([
      '?labelSelector=a%3Db&limit=2&resourceVersion=3',
      '?labelSelector=a%3Db&limit=2&continue=t%2F1',
      '?labelSelector=a%3Db&limit=2&continue=t2',
    ]);
  });

  it('restarts when the continue token has expired, the second time without a page limit', async () => {
    const { paths, reported } = await listing(({ path }) => {
      if (path.includes('continue')) return expired;
      return { body: path.includes('limit') ? page('ab', 't') : page('xyz') };
    });
    expect(reported).toEqual(['ab@5', 'restart', 'ab@5', 'restart', 'xyz@5']);
    expect(paths).toEqual([
      '?limit=500',
      '?limit=500&continue=t',
      '?limit=500',
      '?limit=500&continue=t',
      '',
    ]);
  });

  it('rejects when even a list without a page limit expires', async () => {
    let lists = 0;
    const listed = listing(({ path }) => {
      if (path.includes('continue')) return expired;
      lists += 1;
      return lists > 3 ? { body: page('') } : { body: page('ab', 't') };
    });
    await expect(listed).rejects.toMatchObject({ code: 410 });
    expect(lists).toBe(3);
  });

  it('rejects when the first page is refused as expired, since a restart would not help', async () => {
    await expect(listing(() => expired, { resourceVersion: '1' })).rejects.toMatchObject({
      code: 410,
    });
  });

  it('sets apiVersion and kind on each item, which servers omit', async () => {
    const transport = scriptedTransport(() => ({ body: page('a') }));
    const connection = { transport, platform: nodePlatform, userAgent: 'test', random: () => 0 };
    for await (const part of listPages(connection, pods, {})) {
      expect(part).toMatchObject({ items: [{ apiVersion: 'v1', kind: 'Pod' }] });
    }
    expect.assertions(1);
  });

  it('reads null items as an empty list', async () => {
    const { reported } = await listing(() => ({ body: { metadata: {}, items: null } }));
    expect(reported).toEqual(['@']);
  });
});
