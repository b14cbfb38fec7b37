import { afterEach, beforeEach, expect, it } from 'vitest';

import { ApiStand } from '../../../test/sim/cluster/api-stand.ts';
import { inProcessTransport } from '../../cluster/api/in-process-transport.ts';
import { isReason } from '../../kube/api-error.ts';
import type { KubeClient } from '../../kube/client.ts';
import { makeKubeClient } from '../../kube/make-client.ts';
import { makeAuthority, type MadeCertificate } from '../../platform/node-certificate.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import { secretStore } from './secret-store.ts';

const key = { namespace: 'default', name: 'lifehook-webhook' };
let stand: ApiStand;
let client: KubeClient;

beforeEach(async () => {
  stand = await ApiStand.open();
  const transport = inProcessTransport(stand.server, nodePlatform.timers);
  const random = (): number => 0.5;
  client = makeKubeClient({ transport, platform: nodePlatform, userAgent: 'test', random });
});

afterEach(async () => {
  await stand.close();
});

function authority(): MadeCertificate {
  const nowMs = Date.now();
  return makeAuthority({ commonName: 'a', notBeforeMs: nowMs, notAfterMs: nowMs + 86_400_000 });
}

it('refuses the write of a replica that has not seen what another has written', async () => {
  const [first, second] = [secretStore(client, key), secretStore(client, key)];
  expect([await first.read('ca'), await second.read('ca')]).toEqual([null, null]);
  const kept = authority();
  await first.write('ca', kept);
  const late = await second.write('ca', authority()).catch((error: unknown) => error);
  expect(isReason(late, 'Conflict')).toBe(true);
  expect(await second.read('ca')).toEqual(kept);
});

it('writes one after the other without reading again', async () => {
  const store = secretStore(client, key);
  const [ca, server] = [authority(), authority()];
  await store.write('ca', ca);
  await store.write('server', server);
  expect([await store.read('ca'), await store.read('server')]).toEqual([ca, server]);
});
