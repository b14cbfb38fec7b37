import { expect, it } from 'vitest';

import { scriptedTransport } from '../../test/fixtures/scripted-transport.ts';
import { nodePlatform } from '../platform/node-platform.ts';
import { createOrGet } from './create-or-get.ts';
import { makeKubeClient } from './make-client.ts';
import { namespaces } from './resources.ts';

const wished = { metadata: { name: 'shop', labels: { by: 'us' } } };

async function answered(code: number, reason: string): Promise<unknown> {
  const status = { kind: 'Status', status: 'Failure', message: reason, code, reason };
  const standing = { metadata: { name: 'shop', labels: { by: 'another' } } };
  const transport = scriptedTransport(({ method }) =>
    method === 'POST' ? { status: code, body: status } : { body: standing },
  );
  const connection = { transport, platform: nodePlatform, userAgent: 'test', random: () => 0 };
  return createOrGet(makeKubeClient(connection), namespaces, wished);
}

it('returns the existing object unchanged when the create is refused as AlreadyExists', async () => {
  expect(await answered(409, 'AlreadyExists')).toMatchObject({
    metadata: { labels: { by: 'another' } },
  });
});

it('rejects when the create is refused for another reason', async () => {
  await expect(answered(403, 'Forbidden')).rejects.toMatchObject({ reason: 'Forbidden' });
});
