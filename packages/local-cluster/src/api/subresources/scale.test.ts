import { afterEach, beforeEach, describe, expect, it } from 'vitest';

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
});
