import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ApiServerStand } from './api-server-stand.ts';

let stand: ApiServerStand;

beforeAll(async () => {
  stand = await ApiServerStand.open();
});

afterAll(async () => {
  await stand.close();
});

const field = (what: string, path: string): Promise<string> =>
  stand.kubectl(`get ${what} -o jsonpath={${path}}`);

describe('the API server with kubectl', { tags: 'kubectl' }, () => {
  it('has the initial namespaces of a cluster, and its own service', async () => {
    const namespaces = await stand.kubectl('get namespaces -o name');
    expect(namespaces.split('\n').slice(0, 4)).toEqual([
      'namespace/default',
      'namespace/kube-node-lease',
      'namespace/kube-public',
      'namespace/kube-system',
    ]);
    expect(await stand.kubectl('get service kubernetes')).toContain('127.96.0.1');
  });

  it('refuses new objects in a terminating namespace', async () => {
    await stand.kubectl('create namespace ending');
    await stand.kubectl('delete namespace ending --wait=false');
    expect(await field('namespace/ending', '.status.phase')).toBe('Terminating');
    expect(await stand.kubectl('create configmap late -n ending')).toContain(
      'unable to create new content in namespace ending because it is being terminated',
    );
  });
});

describe('the API server on its socket', () => {
  it('refuses requests without a valid token, except for /healthz', async () => {
    expect(await stand.ask('/api/v1/pods')).toMatchObject({ status: 401 });
    expect(await stand.ask('/api/v1/pods', { authorization: 'Bearer wrong' })).toMatchObject({
      status: 401,
      body: expect.stringContaining('"reason":"Unauthorized"'),
    });
    expect(await stand.ask('/healthz')).toEqual({ status: 200, body: 'ok' });
  });

  it(
    'has the same objects, revisions and certificate after kill -9',
    { tags: 'kubectl' },
    async () => {
      await stand.kubectl('create configmap kept --from-literal=a=b');
      const before = await stand.kubectl('get configmaps,deployments,services -A -o json');
      await stand.kubectl('create configmap last --from-literal=a=b');
      await stand.kill();
      await stand.start();
      expect(await field('configmap/last', '.data.a')).toBe('b');
      await stand.kubectl('delete configmap last');
      expect(await stand.kubectl('get configmaps,deployments,services -A -o json')).toBe(before);
    },
  );
});
