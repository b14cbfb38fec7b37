import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { ApiStand } from '../../test/api-stand.ts';
import type { JsonObject } from '../../../../src/kube/object.ts';

const SERVICES = '/api/v1/namespaces/default/services';

let stand: ApiStand;

const create = (
  name: string,
  spec: JsonObject = {},
  query: string = '',
): ReturnType<ApiStand['call']> =>
  stand.call(`${SERVICES}${query}`, {
    method: 'POST',
    body: { metadata: { name }, spec: { ports: [{ port: 80 }], ...spec } },
  });

const specOf = ({ body }: { body: JsonObject }): JsonObject => body['spec'] as JsonObject;

beforeEach(async () => {
  stand = await ApiStand.open();
});

afterEach(async () => {
  await stand.close();
});

describe('cluster IPs of services', () => {
  it('are loopback addresses, each allocated once, also to concurrent requests', async () => {
    const made = await Promise.all(['a', 'b', 'c', 'd'].map((name) => create(name)));
    const addresses = made.map((answer) => specOf(answer)['clusterIP']);
    expect(new Set(addresses).size).toBe(4);
    for (const address of addresses) expect(address).toMatch(/^127\.96\.\d+\.\d+$/);
  });

  it('are free again after a deletion or a dry run', async () => {
    const first = specOf(await create('a', {}, '?dryRun=All'))['clusterIP'];
    expect(specOf(await create('a'))['clusterIP']).toBe(first);
    await stand.call(`${SERVICES}/a`, { method: 'DELETE' });
    expect(specOf(await create('b'))['clusterIP']).toBe(first);
  });

  it('are not allocated to headless and ExternalName services', async () => {
    expect(specOf(await create('a', { clusterIP: 'None' }))['clusterIP']).toBe('None');
    const named = await create('b', { type: 'ExternalName', externalName: 'example.com' });
    expect(specOf(named)['clusterIP']).toBeUndefined();
  });

  it('can be requested if they are in the range and free', async () => {
    expect(specOf(await create('a', { clusterIP: '127.96.0.9' }))['clusterIP']).toBe('127.96.0.9');
    expect(await create('b', { clusterIP: '127.96.0.9' })).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining('provided IP is already allocated') },
    });
    expect(await create('c', { clusterIP: '10.0.0.1' })).toMatchObject({ status: 422 });
  });

  it('are refused to a service without a name, except in a dry run', async () => {
    const message = (answer: { body: JsonObject }): unknown => answer.body['message'];
    const refused = 'is invalid: spec.parentRef.name: Required value';
    expect(message(await create(''))).toContain(`failed to allocate IP: IPAddress`);
    expect(message(await create('', { clusterIP: '127.96.0.9' }))).toContain(
      `failed to allocate IP 127.96.0.9: IPAddress.networking.k8s.io "127.96.0.9" ${refused}`,
    );
    const named = 'metadata.name: Required value: name or generateName is required';
    expect(message(await create('', {}, '?dryRun=All'))).toContain(named);
    expect(message(await create('', { clusterIP: 'None' }))).toContain(named);
  });

  it('are immutable, and are released when the service becomes an ExternalName', async () => {
    const { body } = await create('a', { clusterIP: '127.96.0.9' });
    const put = (spec: JsonObject): ReturnType<ApiStand['call']> =>
      stand.call(`${SERVICES}/a`, {
        method: 'PUT',
        body: { ...body, spec: { ...specOf({ body }), ...spec } },
      });
    expect(await put({ clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1'] })).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining('may not change once set') },
    });
    const named = await put({ type: 'ExternalName', externalName: 'example.com' });
    expect(named.status).toBe(200);
    expect(specOf(named)).not.toHaveProperty('clusterIP');
    expect((await create('b', { clusterIP: '127.96.0.9' })).status).toBe(201);
  });
});

describe('node ports', () => {
  it('are allocated to the services that need them, each once', async () => {
    const spec = {
      type: 'NodePort',
      ports: [
        { port: 80, name: 'a' },
        { port: 81, name: 'b' },
      ],
    };
    const made = await Promise.all([create('a', spec), create('b', spec)]);
    const ports = made.flatMap((answer) =>
      (specOf(answer)['ports'] as JsonObject[]).map(({ nodePort }) => nodePort),
    );
    expect(new Set(ports)).toEqual(new Set([30_000, 30_001, 30_002, 30_003]));
  });

  it('differ from those that other ports of the same service name or already have', async () => {
    const ports = [
      { port: 80, name: 'a' },
      { port: 81, name: 'b', nodePort: 30_000 },
    ];
    const { body } = await create('a', { type: 'NodePort', ports });
    const portsIn = (answer: { body: JsonObject }): unknown[] =>
      (specOf(answer)['ports'] as JsonObject[]).map(({ nodePort }) => nodePort);
    expect(portsIn({ body })).toEqual([30_001, 30_000]);
    const more = [...(specOf({ body })['ports'] as JsonObject[]), { port: 82, name: 'c' }];
    const put = { ...body, spec: { ...specOf({ body }), ports: more } };
    const updated = await stand.call(`${SERVICES}/a`, { method: 'PUT', body: put });
    expect(portsIn(updated)).toEqual([30_001, 30_000, 30_002]);
  });

  it('are not allocated to a load balancer that needs none', async () => {
    const made = await create('a', { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false });
    expect(specOf(made)['ports']).toEqual([{ port: 80, protocol: 'TCP', targetPort: 80 }]);
  });

  it('are refused if two ports of a service name the same one', async () => {
    const ports = [
      { port: 80, name: 'a', nodePort: 30_000 },
      { port: 81, name: 'b', nodePort: 30_000 },
    ];
    expect(await create('a', { type: 'NodePort', ports })).toMatchObject({
      status: 422,
      body: {
        message: expect.stringContaining(
          'spec.ports[1].nodePort: Invalid value: 30000: provided port is already allocated',
        ),
      },
    });
  });

  it('are allocated by an update to NodePort, and refused outside of the range', async () => {
    const { body } = await create('a');
    const spec = { ...(body['spec'] as JsonObject), type: 'NodePort' };
    const updated = await stand.call(`${SERVICES}/a`, { method: 'PUT', body: { ...body, spec } });
    expect(specOf(updated)['ports']).toMatchObject([{ nodePort: 30_000 }]);
    const outside = await create('b', { type: 'NodePort', ports: [{ port: 80, nodePort: 80 }] });
    expect(outside).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining('The range of valid ports is 30000-32767') },
    });
  });
});
