/**
 * The way from a pod to the API server. The one of the tests listens on the loopback alone, and says in the
 * Endpoints of the Service `kubernetes` an address of the machine where nobody answers: here somebody does.
 */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

import type { KubeClient } from '../../src/kube/client.ts';
import { endpoints } from '../../src/kube/resources.ts';
import { codeOf } from '../../src/platform/posix-error.ts';
import { clusterAccess } from './real-cluster.ts';

/** Returns what ends it. */
export async function openRelay(client: KubeClient): Promise<() => Promise<void>> {
  const address = await addressIn(client);
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    const { hostname, port } = new URL(clusterAccess().server);
    const onward = connect({ host: hostname, port: Number(port) });
    join(socket, onward, open);
    join(onward, socket, open);
  });
  server.listen(address);
  try {
    await once(server, 'listening');
  } catch (error) {
    // Another cluster, whose server listens there itself, perhaps on another machine.
    const codes = ['EADDRINUSE', 'EADDRNOTAVAIL'];
    if (!codes.includes(codeOf(error) ?? '')) throw error;
    return async () => {};
  }
  return async () => {
    server.close();
    for (const socket of open) socket.destroy();
    await once(server, 'close');
  };
}

async function addressIn(client: KubeClient): Promise<{ host: string; port: number }> {
  const key = { namespace: 'default', name: 'kubernetes' };
  const { subsets: [subset] = [] } = await client.get(endpoints, key);
  return { host: subset?.addresses?.[0]?.ip ?? '', port: subset?.ports?.[0]?.port ?? 0 };
}

function join(from: Socket, to: Socket, open: Set<Socket>): void {
  open.add(from);
  from.pipe(to);
  from.on('error', () => to.destroy());
  from.on('close', () => {
    open.delete(from);
    to.destroy();
  });
}
