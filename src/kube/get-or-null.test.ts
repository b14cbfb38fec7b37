import { expect, it } from 'vitest';

import { scriptedTransport } from '../../test/fixtures/scripted-transport.ts';
import { nodePlatform } from '../platform/node-platform.ts';
import type { KubeClient } from './client.ts';
import { ApiError } from './api-error.ts';
import { createOrGet, deleteIfSame, getOrNull } from './get-or-null.ts';
import { makeKubeClient } from './make-client.ts';
import { pods, namespaces } from './resources.ts';

const clientOf = (transport: ReturnType<typeof scriptedTransport>): KubeClient =>
  makeKubeClient({ transport, platform: nodePlatform, userAgent: 'test', random: () => 0 });

const key = { namespace: 'shop', name: 'web' };

async function answered(code: number, reason: string): Promise<unknown> {
  const status = { kind: 'Status', status: 'Failure', message: reason, code, reason };
  const transport = scriptedTransport(() => ({ status: code, body: status }));
  return getOrNull(clientOf(transport), pods, key);
}

it('returns null for a missing object, and rejects on any other error', async () => {
  expect(await answered(404, 'NotFound')).toBeNull();
  await expect(answered(403, 'Forbidden')).rejects.toMatchObject({ reason: 'Forbidden' });
});

const wished = { metadata: { name: 'shop', labels: { by: 'us' } } };

async function created(code: number, reason: string): Promise<unknown> {
  const status = { kind: 'Status', status: 'Failure', message: reason, code, reason };
  const standing = { metadata: { name: 'shop', labels: { by: 'another' } } };
  const transport = scriptedTransport(({ method }) =>
    method === 'POST' ? { status: code, body: status } : { body: standing },
  );
  return createOrGet(clientOf(transport), namespaces, wished);
}

it('returns the existing object unchanged when the create is refused as AlreadyExists', async () => {
  expect(await created(409, 'AlreadyExists')).toMatchObject({
    metadata: { labels: { by: 'another' } },
  });
});

it('rejects when the create is refused for another reason', async () => {
  await expect(created(403, 'Forbidden')).rejects.toMatchObject({ reason: 'Forbidden' });
});

it('deletes no later object of the same name, and takes a deleted one as done', async () => {
  let uid: string | null = 'of the later one';
  const deleted: string[] = [];
  const client: Pick<KubeClient, 'delete'> = {
    delete: async (_resource, { name }, { preconditions = {} } = {}) => {
      if (uid === null) throw new ApiError(404, { reason: 'NotFound' });
      if ((preconditions.uid ?? uid) !== uid) throw new ApiError(409, { reason: 'Conflict' });
      deleted.push(name);
      return null;
    },
  };
  const pod = { metadata: { namespace: 'ns', name: 'hook', uid: 'u' } };
  await deleteIfSame(client, pods, pod);
  uid = null;
  await deleteIfSame(client, pods, pod);
  expect(deleted).toEqual([]);
  uid = 'u';
  await deleteIfSame(client, pods, pod);
  expect(deleted).toEqual(['hook']);
});
