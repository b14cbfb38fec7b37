import { afterEach, beforeEach, expect, it } from 'vitest';

import { eventually } from '../../../../../test/fixtures/api-cases/eventually.ts';
import { ApiStand } from '../../../test/api-stand.ts';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const DOGS = '/apis/example.com/v1/namespaces/default/dogs';
/**
 * A text that is a third of etcd's limit in characters, but twice the limit in Go's JSON, which writes `<` as six
 * bytes.
 */
const LONG = '<'.repeat(524_288);

let stand: ApiStand;

beforeEach(async () => {
  stand = await ApiStand.open();
});

afterEach(async () => {
  await stand.close();
});

const dogs = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'dogs.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'dogs', kind: 'Dog' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        },
      },
    ],
  },
};

it('refuses a custom object that is too large as Go encodes it, with the answer of etcd', async () => {
  await stand.call(DEFINITIONS, { method: 'POST', body: dogs });
  const put = (name: string, bark: string): ReturnType<ApiStand['call']> =>
    stand.call(DOGS, {
      method: 'POST',
      body: { apiVersion: 'example.com/v1', kind: 'Dog', metadata: { name }, bark },
    });
  await eventually('the kind is served', async () => (await stand.ask(DOGS)).status === 200);
  expect(await put('large', LONG)).toMatchObject({
    status: 500,
    body: { message: 'etcdserver: request is too large' },
  });
  expect(await put('plain', 'w'.repeat(LONG.length))).toMatchObject({ status: 201 });
});
