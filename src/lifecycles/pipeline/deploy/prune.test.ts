import { describe, expect, test } from 'vitest';

import {
  config,
  deploy,
  isThere,
  server,
  sessionOf,
  space,
  stand,
} from '../../../../test/fixtures/pipeline/deploy-stand.ts';
import { getOrNull } from '../../../kube/get-or-null.ts';
import { configMaps, namespaces } from '../../../kube/resources.ts';
import { runDelete } from './run-delete.ts';

describe('what an earlier run has deployed', () => {
  test('and this one has not goes, and nothing else', async () => {
    const s = stand();
    await server.client.create(configMaps, { metadata: { name: 'foreign', namespace: space } });
    await deploy(s, [config('a'), config('b'), config('taken')]);
    const unlabelled = { metadata: { labels: { 'lifehook.dev/pipeline': 'another' } } };
    const key = { namespace: space, name: 'taken' };
    await server.client.patch(configMaps, key, { type: 'merge', body: unlabelled });
    const result = await deploy(s, [config('b'), config('c')]);
    expect(result.outcome).toBe('Succeeded');
    const left = await server.client.list(configMaps, { namespace: space });
    const names = left.items.map(({ metadata }) => metadata?.name ?? '');
    expect(names.filter((one) => !one.startsWith('kube-')).toSorted()).toEqual([
      'b',
      'c',
      'foreign',
      'taken',
    ]);
  });

  test('with other profiles, or from a fresh checkout, stays', async () => {
    const s = stand();
    await deploy(s, [config('a')]);
    const other = { ...s.session.config, profiles: ['p'] };
    await deploy(s, [config('b')], { session: { config: other } });
    await deploy(stand(), [config('c')]);
    expect([await isThere('a'), await isThere('b'), await isThere('c')]).toEqual([
      true,
      true,
      true,
    ]);
  });

  test('stays when this run fails to apply', async () => {
    const s = stand();
    await deploy(s, [config('a')]);
    await deploy(s, [config('A_B')]);
    expect(await isThere('a')).toBe(true);
    // It is not forgotten by that.
    await deploy(s, [config('b')]);
    expect(await isThere('a')).toBe(false);
  });

  test('is deleted whole, namespaces of its own too, and only where it is ours', async () => {
    const s = stand();
    const other = `own-${space}`;
    await deploy(s, [
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: other } },
      config('a', other),
      config('b'),
    ]);
    await server.client.create(configMaps, { metadata: { name: 'foreign', namespace: space } });
    expect(await runDelete(sessionOf(s))).toEqual({ outcome: 'Succeeded', value: null });
    expect([await isThere('b'), await isThere('foreign')]).toEqual([false, true]);
    const gone = await getOrNull(server.client, namespaces, { name: other });
    expect(gone === null || gone.metadata?.deletionTimestamp !== undefined).toBe(true);
  });
});
