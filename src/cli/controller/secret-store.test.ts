import type { Secret } from 'kubernetes-types/core/v1.js';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { ApiStand } from '../../../packages/local-cluster/src/testing.ts';
import type { KubeClient } from '../../kube/client.ts';
import { makeKubeClient } from '../../kube/make-client.ts';
import { secrets } from '../../kube/resources.ts';
import { makeAuthority } from '../../platform/node-certificate.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import { certificatesIn, decideBySecret, type SecretData } from './secret-store.ts';

const key = { namespace: 'default', name: 'lifehook-webhook' };
let stand: ApiStand;
let client: KubeClient;

beforeEach(async () => {
  stand = await ApiStand.open();
  const { transport } = stand;
  const random = (): number => 0.5;
  client = makeKubeClient({ transport, platform: nodePlatform, userAgent: 'test', random });
});

afterEach(async () => {
  await stand.close();
});

/** Changes to the Secret that another process makes once, between our read and our write. */
const troubles: Readonly<Record<string, (secret: Secret) => Promise<unknown>>> = {
  changed: (secret) => client.replace(secrets, { ...secret, data: { theirs: btoa('1') } }),
  deleted: () => client.delete(secrets, key),
  'created again': async () => {
    await client.delete(secrets, key);
    await client.create(secrets, { metadata: key, data: { theirs: btoa('1') } });
  },
};

it.each(Object.entries(troubles))(
  'decides again by what is stored when the Secret was %s since its read',
  async (_, trouble) => {
    const seen: SecretData[] = [];
    const decided = await decideBySecret(client, key, async (data) => {
      seen.push({ ...data });
      if (seen.length === 1) await trouble(await client.get(secrets, key));
      data['ours'] = btoa(String(seen.length));
      return seen.length;
    });
    expect(decided).toBe(2);
    const { data } = await client.get(secrets, key);
    expect(data).toEqual({ ...seen[1], ours: btoa('2') });
  },
);

it('writes nothing when the decision changes nothing', async () => {
  await decideBySecret(client, key, async () => null);
  const before = await client.get(secrets, key);
  await decideBySecret(client, key, async () => null);
  expect((await client.get(secrets, key)).metadata).toEqual(before.metadata);
});

it('keeps a pair of a certificate and its key, and takes one that cannot be read for none', async () => {
  const nowMs = Date.now();
  const spec = { commonName: 'a', notBeforeMs: nowMs, notAfterMs: nowMs + 86_400_000 };
  const made = makeAuthority(spec);
  const data: SecretData = { 'next-ca.crt': btoa('damaged'), 'next-ca.key': btoa('damaged') };
  const store = certificatesIn(data);
  await store.write('ca', made);
  expect([await store.read('ca'), await store.read('next-ca')]).toEqual([made, null]);
});
