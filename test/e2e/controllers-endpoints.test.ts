import type { EndpointSlice } from 'kubernetes-types/discovery/v1.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { endpointSlices } from '../../packages/local-cluster/src/testing.ts';
import { endpoints, namespaces, pods, services } from '../../src/kube/resources.ts';
import type { CaseWorld } from '../fixtures/api-cases/case.ts';
import { endpointCases, makePod, makeService } from '../fixtures/api-cases/endpoints.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { type ControllersStand, openControllers } from './controllers-stand.ts';

let stand: ControllersStand;

beforeAll(async () => {
  stand = await openControllers();
});

afterAll(async () => {
  await stand.close();
});

async function worldOf(namespace: string): Promise<CaseWorld> {
  await stand.client.create(namespaces, { metadata: { name: namespace } });
  return { client: stand.client, namespace };
}

async function slicesOf({ client, namespace }: CaseWorld): Promise<readonly EndpointSlice[]> {
  return (await client.list(endpointSlices, { namespace })).items;
}

describe('the Endpoints of the local cluster', () => {
  for (const [index, { title, run, expected }] of endpointCases.entries()) {
    it(title, async () => {
      expect(await run(await worldOf(`ep-${index}`))).toEqual(expected);
    });
  }
});

describe('the EndpointSlices of the local cluster', () => {
  it('mark a terminating pod as serving, and are deleted with their service', async () => {
    const world = await worldOf('slices');
    const { client, namespace } = world;
    await makeService(world, 'web', {});
    await makePod(world, 'a', { ip: '10.9.0.1', ready: true });
    const ready = await eventually('a ready endpoint', async () => {
      const [slice] = await slicesOf(world);
      return slice?.endpoints[0]?.conditions?.ready === true ? slice : null;
    });
    expect(ready).toMatchObject({
      addressType: 'IPv4',
      metadata: {
        labels: {
          'kubernetes.io/service-name': 'web',
          'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
        },
        ownerReferences: [{ kind: 'Service', name: 'web', controller: true }],
      },
      ports: [{ name: '', port: 8080, protocol: 'TCP' }],
      endpoints: [{ addresses: ['10.9.0.1'], targetRef: { kind: 'Pod', name: 'a' } }],
    });
    await client.delete(pods, { namespace, name: 'a' });
    const terminating = await eventually('the endpoint goes', async () => {
      const [slice] = await slicesOf(world);
      return slice?.endpoints[0]?.conditions?.terminating === true ? slice : null;
    });
    expect(terminating.endpoints[0]?.conditions).toEqual({
      ready: false,
      serving: true,
      terminating: true,
    });
    await client.delete(services, { namespace, name: 'web' });
    await eventually('no slices', async () => (await slicesOf(world)).length === 0);
  });

  it('mirror Endpoints that a client has created', async () => {
    const world = await worldOf('mirrored');
    const { client, namespace } = world;
    const metadata = { name: 'outside', namespace };
    await client.create(services, { metadata, spec: { ports: [{ port: 80 }] } });
    const subsets = [{ addresses: [{ ip: '10.9.9.9' }], ports: [{ port: 80 }] }];
    await client.create(endpoints, { metadata, subsets });
    const slice = await eventually('a slice', async () => (await slicesOf(world))[0]);
    expect(slice).toMatchObject({
      metadata: {
        labels: {
          'kubernetes.io/service-name': 'outside',
          'endpointslice.kubernetes.io/managed-by': 'endpointslicemirroring-controller.k8s.io',
        },
      },
      endpoints: [{ addresses: ['10.9.9.9'], conditions: { ready: true } }],
    });
    await client.delete(endpoints, { namespace, name: 'outside' });
    await eventually('no slices', async () => (await slicesOf(world)).length === 0);
  });

  it('are still one per service after a restart of the controllers', async () => {
    const world = await worldOf('restarted');
    await makeService(world, 'web', {});
    await makePod(world, 'a', { ip: '10.9.0.1', ready: true });
    await eventually('a slice', async () => (await slicesOf(world)).length === 1);
    await stand.restart();
    await makePod(world, 'b', { ip: '10.9.0.2', ready: true });
    await eventually('both in it', async () => {
      const slices = await slicesOf(world);
      return slices.length === 1 && slices[0]?.endpoints.length === 2;
    });
  });
});
