import { describe, expect, test } from 'vitest';

import { config, deployStand } from '../../../../test/fixtures/pipeline/deploy-stand.ts';
import { getOrNull } from '../../../kube/get-or-null.ts';
import { configMaps, namespaces } from '../../../kube/resources.ts';
import { runDelete } from '../drive/deploy.ts';

const cluster = deployStand();

describe('an object of an earlier run', () => {
  test('is deleted when this run does not deploy it, but only while its pipeline label is ours', async () => {
    const s = cluster.session();
    await cluster.server.client.create(configMaps, {
      metadata: { name: 'foreign', namespace: cluster.space },
    });
    await cluster.deploy(s, [config('a'), config('b'), config('taken')]);
    const unlabelled = { metadata: { labels: { 'lifehook.dev/pipeline': 'another' } } };
    const key = { namespace: cluster.space, name: 'taken' };
    await cluster.server.client.patch(configMaps, key, { type: 'merge', body: unlabelled });
    const result = await cluster.deploy(s, [config('b'), config('c')]);
    expect(result.outcome).toBe('Succeeded');
    const left = await cluster.server.client.list(configMaps, { namespace: cluster.space });
    const names = left.items.map(({ metadata }) => metadata?.name ?? '');
    expect(names.filter((one) => !one.startsWith('kube-')).toSorted()).toEqual([
      'b',
      'c',
      'foreign',
      'taken',
    ]);
  });

  test('stays when this run has other profiles or a fresh checkout', async () => {
    const s = cluster.session();
    await cluster.deploy(s, [config('a')]);
    const other = { ...s.session.config, profiles: ['p'] };
    await cluster.deploy(s, [config('b')], { session: { config: other } });
    await cluster.deploy(cluster.session(), [config('c')]);
    expect([
      await cluster.isThere('a'),
      await cluster.isThere('b'),
      await cluster.isThere('c'),
    ]).toEqual([true, true, true]);
  });

  test('stays when this run fails to apply, and is deleted by the next successful run', async () => {
    const s = cluster.session();
    await cluster.deploy(s, [config('a')]);
    await cluster.deploy(s, [config('A_B')]);
    expect(await cluster.isThere('a')).toBe(true);
    // The failed run has kept object a in the inventory.
    await cluster.deploy(s, [config('b')]);
    expect(await cluster.isThere('a')).toBe(false);
  });

  test('is deleted by a later run also where it is of a run that failed halfway', async () => {
    const s = cluster.session();
    expect((await cluster.deploy(s, [config('early'), config('A_B')])).outcome).toBe('Failed');
    expect(await cluster.isThere('early')).toBe(true);
    await cluster.deploy(s, [config('b')]);
    expect(await cluster.isThere('early')).toBe(false);
  });

  test('is deleted by runDelete together with our namespaces, and foreign objects stay', async () => {
    const s = cluster.session();
    const other = `own-${cluster.space}`;
    await cluster.deploy(s, [
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: other } },
      config('a', other),
      config('b'),
    ]);
    await cluster.server.client.create(configMaps, {
      metadata: { name: 'foreign', namespace: cluster.space },
    });
    expect(await runDelete(cluster.sessionOf(s))).toEqual({ outcome: 'Succeeded', value: null });
    expect([await cluster.isThere('b'), await cluster.isThere('foreign')]).toEqual([false, true]);
    const deleted = await getOrNull(cluster.server.client, namespaces, { name: other });
    expect(deleted === null || deleted.metadata?.deletionTimestamp !== undefined).toBe(true);
  });
});
