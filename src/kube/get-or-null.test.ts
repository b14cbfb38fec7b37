import { expect, it } from 'vitest';

import { scriptedTransport } from '../../test/fixtures/scripted-transport.ts';
import { nodePlatform } from '../platform/node-platform.ts';
import { getOrNull } from './get-or-null.ts';
import { makeKubeClient } from './make-client.ts';
import { pods } from './resources.ts';

const key = { namespace: 'shop', name: 'web' };

async function answered(code: number, reason: string): Promise<unknown> {
  const status = { kind: 'Status', status: 'Failure', message: reason, code, reason };
  const transport = scriptedTransport(() => ({ status: code, body: status }));
  const connection = { transport, platform: nodePlatform, userAgent: 'test', random: () => 0 };
  return getOrNull(makeKubeClient(connection), pods, key);
}

it('returns null for a missing object, and rejects on any other error', async () => {
  expect(await answered(404, 'NotFound')).toBeNull();
  await expect(answered(403, 'Forbidden')).rejects.toMatchObject({ reason: 'Forbidden' });
});
