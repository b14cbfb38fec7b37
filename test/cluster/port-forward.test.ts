/** Forwards ports of pods of the real cluster through its API server. */
import { afterAll, beforeAll, expect, it } from 'vitest';

import type { KubeConnection } from '../../src/kube/client.ts';
import { forwardPort, type PortConnection } from '../../src/kube/port-forward.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { type ClusterPod, clusterPods } from '../fixtures/kube/cluster-pod.ts';

let world: ClusterPod;

beforeAll(async () => {
  world = await clusterPods('k2-port');
  const page = 'mkdir /www; head -c 3000000 /dev/zero | tr "\\000" p > /www/big';
  await world.start('web', `${page}; echo hello > /www/index.html; httpd -f -p 8080 -h /www`);
  // The pod runs before its server listens.
  await eventually('the server answers', async () => (await get(await open(8080), '/')) !== '');
});

afterAll(() => world.remove());

function open(
  port: number,
  connection: KubeConnection = world.cluster.connection,
): Promise<PortConnection> {
  return forwardPort(connection, { namespace: world.namespace, pod: 'web', port });
}

async function get(port: PortConnection, path: string): Promise<string> {
  await port.write(Buffer.from(`GET ${path} HTTP/1.0\r\n\r\n`));
  const chunks: Uint8Array[] = [];
  for await (const chunk of port.received) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

it('forwards several connections to the program in parallel', async () => {
  const ports = await Promise.all([open(8080), open(8080), open(8080)]);
  const [first, second, big] = await Promise.all(
    ports.map((port, index) => get(port, index === 2 ? '/big' : '/')),
  );
  expect(first).toMatch(/^HTTP\/1\.[01] 200 OK/);
  expect(first).toMatch(/hello\n$/);
  expect(second).toBe(first);
  expect(big?.split('\r\n\r\n')[1]).toHaveLength(3_000_000);
  for (const port of ports) expect(await port.ended).toEqual({ kind: 'closed' });
});

it('fails with the error of the node when no process listens on the port', async () => {
  const port = await open(81);
  expect(await get(port, '/')).toBe('');
  expect(await port.ended).toMatchObject({
    kind: 'failed',
    message: expect.stringContaining('refused'),
  });
});

it('is lost when its connection breaks', async () => {
  const port = await open(8080, world.fragile);
  world.proxy.reset();
  expect(await port.ended).toMatchObject({ kind: 'lost' });
});

it('is refused for a pod that does not exist', async () => {
  const missing = forwardPort(world.cluster.connection, {
    namespace: world.namespace,
    pod: 'nosuch',
    port: 80,
  });
  await expect(missing).rejects.toMatchObject({ name: 'ApiError', code: 404 });
});
