import { getEventListeners } from 'node:events';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';

import { type Peer, streamServer } from '../../test/fixtures/kube/stream-server.ts';
import type { MessageSocket } from '../platform/http-transport.ts';
import { nodePlatform } from '../platform/node-platform.ts';
import { openExec } from './exec.ts';
import { startSession } from './stream-session.ts';

const target = { namespace: 'shop', pod: 'web-0', command: ['sh'] };

async function textOf(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** A simulated shell: answers each line of input, and exits at the line "exit" or at the end of its input. */
async function echo(peer: Peer): Promise<void> {
  for (let count = 1; ; count += 1) {
    await peer.received(count);
    const [channel, text] = peer.frames[count - 1] ?? [0, ''];
    if (channel === 255) return peer.exit(9);
    if (text === 'exit') return peer.exit(3);
    await peer.send(1, `<${text}>`);
  }
}

describe('an exec session', () => {
  it('exchanges input and output with a command until the command exits', async () => {
    await using server = await streamServer({ serve: echo });
    const session = await openExec(server.connection, { ...target, stdin: true });
    const words: string[] = [];
    const said = session.stdout[Symbol.asyncIterator]();
    for (const word of ['freeze', 'thaw']) {
      expect(await session.write(Buffer.from(word))).toBe(true);
      words.push(Buffer.from((await said.next()).value ?? []).toString());
    }
    expect(words).toEqual(['<freeze>', '<thaw>']);
    expect(session.status).toBeNull();
    await session.write(Buffer.from('exit'));
    expect(await session.ended).toMatchObject({
      kind: 'status',
      status: { reason: 'NonZeroExitCode' },
    });
    expect(await session.write(Buffer.from('more'))).toBe(false);
    expect(await session.resize({ columns: 1, rows: 1 })).toBe(false);
    expect(await textOf(session.stderr)).toBe('');
  });

  it('closes the input of the command and still reads how it exits', async () => {
    await using server = await streamServer({ serve: echo });
    const session = await openExec(server.connection, { ...target, stdin: true });
    expect(await session.endStdin()).toBe(true);
    expect(await session.ended).toMatchObject({ kind: 'status' });
    expect(server.peers[0]?.frames).toEqual([[255, '\0']]);
    expect(await session.endStdin()).toBe(false);
  });

  it('sends the size of its terminal, and requests no stderr with a terminal', async () => {
    await using server = await streamServer({ serve: echo });
    const session = await openExec(server.connection, { ...target, stdin: true, tty: true });
    expect(await session.resize({ columns: 80, rows: 24 })).toBe(true);
    await server.peers[0]?.received(1);
    expect(server.peers[0]?.frames).toEqual([[4, '{"Width":80,"Height":24}']]);
    expect(server.paths[0]).toMatch(/stdin=true&stdout=true&stderr=false&tty=true$/);
    session.close();
  });

  it('ends at once when its signal is aborted, and closes the connection', async () => {
    await using server = await streamServer({
      serve: async (peer) => {
        for (let count = 0; count < 100; count += 1) await peer.send(1, Buffer.alloc(64 * 1024));
      },
    });
    const controller = new AbortController();
    const { signal } = controller;
    const session = await openExec(server.connection, { ...target, signal });
    await new Promise((resolve) => setTimeout(resolve, 30));
    controller.abort();
    expect(await session.ended).toMatchObject({ kind: 'lost', cause: 'left' });
    await expect.poll(() => server.peers[0]?.ws.readyState, { timeout: 20_000 }).toBe(3);
  });

  it('continues with stderr when its reader stops reading stdout', async () => {
    await using server = await streamServer({
      serve: async (peer) => {
        for (let count = 0; count < 40; count += 1) await peer.send(1, Buffer.alloc(64 * 1024));
        await peer.send(2, 'the end');
        await peer.exit(0);
      },
    });
    const session = await openExec(server.connection, target);
    for await (const chunk of session.stdout) if (chunk.length > 0) break;
    expect(await textOf(session.stderr)).toBe('the end');
    expect(await session.ended).toMatchObject({ kind: 'status' });
  });

  it.each([
    ['refuses it as an API server does', { refuse: { status: 403, body: '' } }, 'ApiError'],
    ['opens a connection without one', { protocols: [] }, 'UnreachableError'],
    ['offers an older one', { protocols: ['v4.channel.k8s.io'] }, 'UnreachableError'],
  ])('is rejected with LHK012 when the server %s', async (_, options, name) => {
    await using server = await streamServer(options);
    const opened = openExec(server.connection, target);
    const message = expect.stringMatching(
      /^error LHK012: GET \/api\/v1\/namespaces\/shop\/pods\/web-0\/exec: .*v5\.channel\.k8s\.io/,
    );
    await expect(opened).rejects.toMatchObject({ name, message });
  });
});

describe('a session that has ended', () => {
  it.each([
    ['the server closed it', []],
    ['the server broke the protocol', [new Uint8Array()]],
  ])('closes its connection and listens to no signal when %s', async (_, messages) => {
    let closes = 0;
    const { signal } = new AbortController();
    const socket: MessageSocket = {
      protocol: '',
      messages: Readable.from(messages),
      closed: Promise.resolve({ code: 1000, reason: '' }),
      send: () => Promise.resolve(),
      ping: () => Promise.resolve(),
      close: () => {
        closes += 1;
      },
    };
    const session = startSession({ socket, timers: nodePlatform.timers, signal });
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    expect(await session.ended).toMatchObject({ kind: 'lost' });
    expect(closes).toBeGreaterThan(0);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
