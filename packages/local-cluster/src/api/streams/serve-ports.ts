/**
 * Serves port forwarding in the plain protocol (`v4.channel.k8s.io`).
 *
 * Each port has two channels, one for data and one for errors. The first frame of a channel has the port's number. Each
 * port has one connection; closing the socket closes all of them.
 */
import { frame } from '../../../../../src/kube/stream-frames.ts';
import type { MessageSocket } from '../../../../../src/platform/http-transport.ts';
import type { TcpConnection } from '../../../../../src/platform/tcp-listener.ts';

const MAX_FRAME_BYTES = 32_768;

export interface ForwardedPorts {
  readonly socket: MessageSocket;
  readonly ports: readonly number[];
  readonly connect: (port: number) => Promise<TcpConnection>;
}

export async function servePorts({ socket, ports, connect }: ForwardedPorts): Promise<void> {
  const connections: (TcpConnection | null)[] = [];
  const closeAll = (): void => {
    for (const connection of connections) connection?.close();
  };
  void socket.closed.then(closeAll);
  try {
    for (const [index, port] of ports.entries()) {
      await socket.send(frame(2 * index, numberOf(port)));
      await socket.send(frame(2 * index + 1, numberOf(port)));
      connections.push(await open(socket, index, () => connect(port)));
    }
    const input = takeInput(socket, connections);
    await Promise.all(connections.map((connection, index) => sendAll(socket, index, connection)));
    socket.close();
    await input;
  } catch {
    // The socket is closed: there is no client to report to.
  } finally {
    closeAll();
    socket.close();
  }
}

/** The port as two bytes, little-endian. */
function numberOf(port: number): Uint8Array {
  return new Uint8Array([port & 0xff, port >>> 8]);
}

async function open(
  socket: MessageSocket,
  index: number,
  connect: () => Promise<TcpConnection>,
): Promise<TcpConnection | null> {
  try {
    return await connect();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    await socket.send(frame(2 * index + 1, new TextEncoder().encode(why)));
    return null;
  }
}

async function sendAll(
  socket: MessageSocket,
  index: number,
  connection: TcpConnection | null,
): Promise<void> {
  for await (const piece of connection?.received ?? []) {
    for (let start = 0; start < piece.length; start += MAX_FRAME_BYTES) {
      await socket.send(frame(2 * index, piece.subarray(start, start + MAX_FRAME_BYTES)));
    }
  }
}

/**
 * Passes the client's input on to the connections. Never rejects: a failed write is ignored, because `sendAll` decides
 * the result of a connection.
 */
async function takeInput(
  socket: MessageSocket,
  connections: readonly (TcpConnection | null)[],
): Promise<void> {
  try {
    for await (const message of socket.messages) {
      const [channel = 1] = message;
      if (channel % 2 === 0) await connections[channel / 2]?.write(message.subarray(1));
    }
  } catch {
    // The program at the port has closed its side. `sendAll` reports the end of its output.
  }
}
