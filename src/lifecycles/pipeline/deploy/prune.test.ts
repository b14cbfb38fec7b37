import { describe, expect, test } from 'vitest';

import { config, deployStand } from '../../../../test/fixtures/pipeline/deploy-stand.ts';
import { fastPlatform } from '../../../../test/fixtures/pipeline/fast-platform.ts';
import { getOrNull } from '../../../kube/get-or-null.ts';
import { configMaps, namespaces } from '../../../kube/resources.ts';
import { posixError } from '../../../platform/posix-error.ts';
import { driveDelete, runDelete } from '../drive/deploy.ts';

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

  test('is deleted by runDelete where it is a namespace that a later run did not deploy', async () => {
    const s = cluster.session();
    const other = `kept-${cluster.space}`;
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: other } };
    const isThere = async (): Promise<boolean> => {
      const found = await getOrNull(cluster.server.client, namespaces, { name: other });
      return found !== null && found.metadata?.deletionTimestamp === undefined;
    };
    await cluster.deploy(s, [namespace, config('a')]);
    await cluster.deploy(s, [config('a')]);
    expect(await isThere()).toBe(true);
    await runDelete(cluster.sessionOf(s));
    expect(await isThere()).toBe(false);
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

test.each(['deploys', 'deletes'])(
  'a session that %s keeps what another one records meanwhile',
  async (verb) => {
    const s = cluster.session();
    await cluster.deploy(s, [config('a')]);
    const profiles = { config: { ...s.session.config, profiles: ['p'] } };
    const { target, ...rest } = cluster.sessionOf(s);
    if (target === null) throw new Error('the stand has a cluster');
    const client = Object.assign(Object.create(target.client) as typeof target.client, {
      delete: async (...given: Parameters<typeof target.client.delete>) => {
        await cluster.deploy(s, [config('other')], { session: profiles });
        return target.client.delete(...given);
      },
    });
    const session = { ...rest, target: { ...target, client } };
    if (verb === 'deletes') await runDelete(session);
    else await cluster.deploy(s, [config('b')], { session });
    expect([await cluster.isThere('a'), await cluster.isThere('other')]).toEqual([false, true]);
    await runDelete(cluster.sessionOf(s));
    expect([await cluster.isThere('b'), await cluster.isThere('other')]).toEqual([false, false]);
  },
);

test('an object that another session deploys again during the deletion is deleted by the next one', async () => {
  const s = cluster.session();
  await cluster.deploy(s, [config('a'), config('b')]);
  const { target, ...rest } = cluster.sessionOf(s);
  if (target === null) throw new Error('the stand has a cluster');
  let deleted = 0;
  const client = Object.assign(Object.create(target.client) as typeof target.client, {
    delete: async (...given: Parameters<typeof target.client.delete>) => {
      const result = await target.client.delete(...given);
      deleted += 1;
      if (deleted === 1) await cluster.deploy(s, [config('a'), config('b')]);
      return result;
    },
  });
  await runDelete({ ...rest, target: { ...target, client } });
  expect([await cluster.isThere('a'), await cluster.isThere('b')]).toEqual([false, true]);
  await runDelete(cluster.sessionOf(s));
  expect(await cluster.isThere('b')).toBe(false);
});

test('two first sessions of a checkout deploy as one project', async () => {
  const s = cluster.session();
  const { target, ...rest } = cluster.sessionOf(s);
  if (target === null) throw new Error('the stand has a cluster');
  let isFirst = true;
  const client = Object.assign(Object.create(target.client) as typeof target.client, {
    raw: async (...given: Parameters<typeof target.client.raw>) => {
      if (isFirst) {
        isFirst = false;
        await cluster.deploy(s, [config('b')], { session: { runId: 'another-run' } });
      }
      return target.client.raw(...given);
    },
  });
  await cluster.deploy(s, [config('a')], { session: { ...rest, target: { ...target, client } } });
  await runDelete(cluster.sessionOf(s));
  expect([await cluster.isThere('a'), await cluster.isThere('b')]).toEqual([false, false]);
});

test.each([
  ['cannot be read', () => Promise.reject(posixError('EMFILE', 'too many open files'))],
  ['is damaged', () => Promise.resolve('{"project": "')],
])('nothing is deployed or deleted if the record of deployed objects %s', async (_, read) => {
  const s = cluster.session();
  await cluster.deploy(s, [config('a')]);
  const platform = { ...fastPlatform, files: { ...fastPlatform.files, read } };
  const unreadable = cluster.sessionOf(s, { platform });
  await expect(runDelete(unreadable)).rejects.toThrow('LHL420');
  await expect(cluster.deploy(s, [config('b')], { session: { platform } })).rejects.toThrow(
    'LHL420',
  );
  expect([await cluster.isThere('a'), await cluster.isThere('b')]).toEqual([true, false]);
  await runDelete(cluster.sessionOf(s));
  expect(await cluster.isThere('a')).toBe(false);
});

test('a deletion that rejects has an end in the events', async () => {
  const s = cluster.session();
  const replace = (): Promise<never> => Promise.reject(new Error('ENOSPC'));
  const platform = { ...fastPlatform, files: { ...fastPlatform.files, replace } };
  await expect(driveDelete(cluster.sessionOf(s, { platform }))).rejects.toThrow('ENOSPC');
  expect(s.events.filter(({ type }) => type === 'PhaseEvent')).toMatchObject([
    { phase: 'cleanup', status: 'InProgress' },
    { phase: 'cleanup', status: 'Failed', message: 'ENOSPC' },
  ]);
});
