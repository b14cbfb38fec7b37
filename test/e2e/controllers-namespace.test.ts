import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { getOrNull } from '../../src/kube/get-or-null.ts';
import { configMaps, namespaces } from '../../src/kube/resources.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { namespaceCases } from '../fixtures/api-cases/namespaces.ts';
import { type ControllersStand, openControllers } from './controllers-stand.ts';

let stand: ControllersStand;

beforeAll(async () => {
  stand = await openControllers({ authority: 'the certificate' });
});

afterAll(async () => {
  await stand.close();
});

describe('the namespaces of the local cluster', () => {
  for (const [index, { title, run, expected }] of namespaceCases.entries()) {
    it(title, async () => {
      const namespace = `ns-${index}`;
      await stand.client.create(namespaces, { metadata: { name: namespace } });
      expect(await run({ client: stand.client, namespace })).toEqual(expected);
    });
  }

  it('contain the certificate of the API server, which is restored after a change', async () => {
    const key = { namespace: 'default', name: 'kube-root-ca.crt' };
    const data = { 'ca.crt': 'the certificate' };
    const look = async (): Promise<boolean> => {
      const found = await getOrNull(stand.client, configMaps, key);
      return found?.data?.['ca.crt'] === data['ca.crt'];
    };
    expect(await eventually('the certificate', look)).toBe(true);
    const body = { data: { 'ca.crt': 'another' } };
    await stand.client.patch(configMaps, key, { type: 'merge', body });
    expect(await eventually('the certificate again', look)).toBe(true);
  });
});
