import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { eventually } from '../../../../../test/fixtures/api-cases/eventually.ts';
import { ApiStand } from '../../../test/api-stand.ts';

let stand: ApiStand;

beforeEach(async () => {
  stand = await ApiStand.open();
});

afterEach(async () => {
  await stand.close();
});

describe('a scale', () => {
  it.each([
    ['deployments', 'deployments.apps "none" not found'],
    ['replicasets', 'replicasets.apps "none" not found'],
    ['statefulsets', 'statefulsets.apps "none" not found'],
  ])(
    'of a missing object in %s is refused with the message of Kubernetes',
    async (plural, message) => {
      const path = `/apis/apps/v1/namespaces/default/${plural}/none/scale`;
      expect(await stand.call(path)).toMatchObject({ status: 404, body: { message } });
    },
  );

  it('is a table with its own columns where the caller asks for one', async () => {
    const labels = { app: 'web' };
    const template = {
      metadata: { labels },
      spec: { containers: [{ name: 'app', image: 'app' }] },
    };
    const path = '/apis/apps/v1/namespaces/default/replicasets';
    const body = {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: { name: 'web' },
      spec: { replicas: 3, selector: { matchLabels: labels }, template },
    };
    expect(await stand.call(path, { method: 'POST', body })).toMatchObject({ status: 201 });
    const headers = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' };
    const { body: table } = await stand.call(`${path}/web/scale`, { headers });
    const { columnDefinitions, rows } = table as Record<string, Record<string, unknown>[]>;
    expect(columnDefinitions?.map(({ name }) => name)).toEqual([
      'Name',
      'Desired',
      'Available',
      'Age',
    ]);
    expect(rows?.map(({ cells }) => cells)).toEqual([['web', 3, 0, expect.any(String)]]);
  });

  it('is not written if the server cannot answer in an accepted format', async () => {
    const path = '/apis/apps/v1/namespaces/default/replicasets';
    const labels = { app: 'web' };
    const spec = { containers: [{ name: 'app', image: 'app' }] };
    const template = { metadata: { labels }, spec };
    const set = { replicas: 3, selector: { matchLabels: labels }, template };
    const body = { metadata: { name: 'web' }, spec: set };
    expect(await stand.call(path, { method: 'POST', body })).toMatchObject({ status: 201 });
    const { revision } = stand.store;
    const headers = { accept: 'text/html', 'content-type': 'application/merge-patch+json' };
    const scaled = { method: 'PATCH', headers, body: { spec: { replicas: 4 } } };
    expect(await stand.call(`${path}/web/scale`, scaled)).toMatchObject({ status: 406 });
    expect(stand.store.revision).toBe(revision);
  });

  it('of a custom object is replaced without a resourceVersion, but not with an old one', async () => {
    const dogs = '/apis/example.com/v1/namespaces/default/dogs';
    await serveDogs();
    await eventually('the kind is served', async () => (await stand.ask(dogs)).status === 200);
    const dog = { apiVersion: 'example.com/v1', kind: 'Dog', metadata: { name: 'd' }, spec: {} };
    expect(await stand.call(dogs, { method: 'POST', body: dog })).toMatchObject({ status: 201 });
    const replace = (metadata: object): ReturnType<ApiStand['call']> => {
      const body = { metadata: { name: 'd', ...metadata }, spec: { replicas: 3 } };
      return stand.call(`${dogs}/d/scale`, { method: 'PUT', body });
    };
    expect(await replace({ resourceVersion: '1' })).toMatchObject({ status: 409 });
    expect(await replace({})).toMatchObject({ status: 200, body: { spec: { replicas: 3 } } });
    expect(await stand.call(`${dogs}/d`)).toHaveProperty('body.spec.replicas', 3);
  });
});

async function serveDogs(): Promise<void> {
  const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
  const openAPIV3Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } };
  const body = {
    metadata: { name: 'dogs.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'dogs', kind: 'Dog' },
      versions: [{ ...version, subresources: { scale } }],
    },
  };
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  expect(await stand.call(path, { method: 'POST', body })).toMatchObject({ status: 201 });
}
