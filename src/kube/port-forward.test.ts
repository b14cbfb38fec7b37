import { describe, expect, it } from 'vitest';

import { type Peer, protocol, streamServer } from '../../test/fixtures/kube/stream-server.ts';
import { untilStill } from '../../test/fixtures/kube/until-still.ts';
import { forwardPort } from './port-forward.ts';

const target = { namespace: 'shop', pod: 'web-0', port: 8080 };
/** Port 8080 in little-endian bytes, with which both channels begin. */
const portNumber = Buffer.from([0x90, 0x1f]);
const protocols = [protocol.v4];

async function greet(peer: Peer): Promise<void> {
  await peer.send(0, portNumber);
  await peer.send(1, portNumber);
}

async function textOf(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

describe('a forwarded port', () => {
  it('carries bytes in both directions, without the port number that begins each channel', async () => {
    const serve = async (peer: Peer): Promise<void> => {
      await peer.send(0, portNumber.subarray(0, 1));
      await peer.send(0, Buffer.concat([portNumber.subarray(1), Buffer.from('he')]));
      await peer.send(1, portNumber);
      await peer.received(1);
      await peer.send(0, `llo ${peer.frames[0]?.[1]}`);
      peer.ws.close(1000);
    };
    await using server = await streamServer({ protocols, serve });
    const port = await forwardPort(server.connection, target);
    expect(await port.write(Buffer.from('world'))).toBe(true);
    expect(await textOf(port.received)).toBe('hello world');
    expect(await port.ended).toEqual({ kind: 'closed' });
    expect(await port.write(Buffer.from('more'))).toBe(false);
    expect(server.paths).toEqual(['/api/v1/namespaces/shop/pods/web-0/portforward?ports=8080']);
  });

  it('fails with the error message of the node', async () => {
    const serve = async (peer: Peer): Promise<void> => {
      await greet(peer);
      await peer.send(1, 'error forwarding port 8080: connection refused');
      peer.ws.close(1000);
    };
    await using server = await streamServer({ protocols, serve });
    const port = await forwardPort(server.connection, target);
    expect(await textOf(port.received)).toBe('');
    expect(await port.ended).toEqual({
      kind: 'failed',
      message: 'error forwarding port 8080: connection refused',
    });
  });

  it('ends as lost, not closed, when the connection breaks or stops answering', async () => {
    const broken = async (peer: Peer): Promise<void> => {
      await greet(peer);
      peer.tcp.resetAndDestroy();
    };
    await using server = await streamServer({ protocols, serve: broken });
    const port = await forwardPort(server.connection, target);
    expect(await port.ended).toEqual({ kind: 'lost', why: 'the connection broke' });

    await using silent = await streamServer({
      protocols,
      serve: greet,
      autoPong: false,
      speed: 200,
    });
    const held = await forwardPort(silent.connection, target);
    expect(await held.ended).toEqual({ kind: 'lost', why: 'the server stopped answering' });
  });

  it('closes at once when its signal is aborted', async () => {
    await using server = await streamServer({ protocols, serve: greet });
    const controller = new AbortController();
    const port = await forwardPort(server.connection, { ...target, signal: controller.signal });
    controller.abort();
    expect(await port.ended).toEqual({ kind: 'closed' });
    await expect.poll(() => server.peers[0]?.ws.readyState, { timeout: 20_000 }).toBe(3);
  });

  it('leaves unread bytes on the server', async () => {
    let sent = 0;
    const serve = async (peer: Peer): Promise<void> => {
      await greet(peer);
      for (; sent < 50; sent += 1) await peer.send(0, Buffer.alloc(1024 * 1024));
      peer.ws.close(1000);
    };
    await using server = await streamServer({ protocols, serve });
    const port = await forwardPort(server.connection, target);
    await untilStill(() => sent);
    expect(sent).toBeLessThan(20);
    let bytes = 0;
    for await (const chunk of port.received) bytes += chunk.length;
    expect(bytes).toBe(50 * 1024 * 1024);
  });
});
