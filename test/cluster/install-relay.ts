/**
 * The way from a pod to the API server. The one of the tests listens on the loopback alone, and says in the
 * Endpoints of the Service `kubernetes` an address of the machine where nobody answers: here somebody does.
 */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

import type { KubeClient } from '../../src/kube/client.ts';
import { endpoints } from '../../src/kube/resources.ts';
import { clusterAccess } from './real-cluster.ts';

/** Returns what ends it. */
export async function openRelay(client: KubeClient): Promise<() => Promise<void>> {
  const { subsets = [] } = await client.get(endpoints, {
    namespace: 'default',
    name: 'kubernetes',
  });
  const host = subsets[0]?.addresses?.[0]?.ip ?? '';
  const port = subsets[0]?.ports?.[0]?.port ?? 0;
  const { hostname, port: serverPort } = new URL(clusterAccess().server);
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    const onward = connect({ host: hostname, port: Number(serverPort) });
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      open.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
    }
  });
  server.listen({ host, port });
  await once(server, 'listening');
  return async () => {
    server.close();
    for (const socket of open) socket.destroy();
    await once(server, 'close');
  };
}
