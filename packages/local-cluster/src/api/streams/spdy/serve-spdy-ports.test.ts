import { constants, createDeflate } from 'node:zlib';
import { describe, expect, it } from 'vitest';

import type { MessageSocket } from '../../../../../../src/platform/http-transport.ts';
import { nodeInflating } from '../../../../../../src/platform/inflating.ts';
import { readBuffered } from '../../../../../../test/fixtures/read-buffered.ts';
import type { TcpConnection } from '../../../../../../src/platform/tcp-listener.ts';
import { socketPair } from '../../in-process-transport.ts';
import { dataFrame, pingFrame, resetFrame } from './frames.ts';
import { headerDictionary, serveSpdyPorts } from './serve-spdy-ports.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A program that sends back each piece it receives. It exits when its input ends; a deaf one never reads. */
function echo(signal: AbortSignal, deaf: boolean): TcpConnection {
  const said: Uint8Array[] = [];
  const state = { ended: false };
  let wake: () => void = () => undefined;
  signal.addEventListener('abort', () => {
    wake();
  });
  return {
    received: (async function* () {
      for (;;) {
        const next = said.shift();
        if (next !== undefined) yield next;
        else if (state.ended || signal.aborted) return;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    })(),
    write: async (piece) => {
      if (deaf) {
        await new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            reject(new Error('dropped'));
          });
        });
      }
      said.push(piece);
      wake();
    },
    endWriting: () => {
      state.ended = true;
      wake();
    },
    close: () => undefined,
  };
}

/** Timeout for events that follow at once, long enough for a slow machine. */
const SOON = { timeout: 20_000 };

class Client {
  readonly frames: string[] = [];
  readonly signals: AbortSignal[] = [];
  readonly served: Promise<void>;
  readonly socket: MessageSocket;
  readonly #deflate = createDeflate({ dictionary: headerDictionary });
  readonly #reading: Promise<void>;

  constructor() {
    const [here, there] = socketPair('SPDY/3.1+portforward.k8s.io');
    this.socket = here;
    this.served = serveSpdyPorts({
      socket: there,
      inflating: nodeInflating,
      connect: async (port, signal) => {
        this.signals.push(signal);
        if (port === 81) throw new Error('nobody listens on 81');
        return echo(signal, port === 82);
      },
    });
    this.#reading = this.#read();
  }

  async #read(): Promise<void> {
    for await (const message of this.socket.messages) {
      const frame = Buffer.from(message);
      const last = frame[4] === 1 ? ' last' : '';
      this.frames.push(
        frame.readUInt8(0) < 0x80
          ? `data ${frame.readUInt32BE(0)}${last} ${frame.toString('utf8', 8)}`
          : `type ${frame.readUInt16BE(2)} ${frame.readUInt32BE(8)}`,
      );
    }
  }

  async open(stream: number, headers: Readonly<Record<string, string>>): Promise<void> {
    const parts = Object.entries(headers).flatMap(([name, value]) =>
      [name, value].flatMap((text) => [number32(text.length), Buffer.from(text)]),
    );
    this.#deflate.write(Buffer.concat([number32(Object.keys(headers).length), ...parts]));
    await new Promise<void>((resolve) => {
      this.#deflate.flush(constants.Z_SYNC_FLUSH, resolve);
    });
    const block = readBuffered(this.#deflate);
    const head = Buffer.concat([number32(0x80_03_00_01), number32(10 + block.length)]);
    await this.socket.send(
      Buffer.concat([head, number32(stream), number32(0), Buffer.from([0, 0]), block]),
    );
  }

  /** Opens the streams as kubectl does: the error stream, which is closed at once, then the data stream. */
  async connect(stream: number, port: number): Promise<void> {
    const common = { port: String(port), requestid: String(stream) };
    await this.open(stream, { streamtype: 'error', ...common });
    await this.socket.send(dataFrame(stream, bytes(''), true));
    await this.open(stream + 2, { streamtype: 'data', ...common });
  }

  async say(stream: number, text: string, last = false): Promise<void> {
    await this.socket.send(dataFrame(stream, bytes(text), last));
  }

  async got(expected: readonly string[]): Promise<void> {
    await expect.poll(() => this.frames, SOON).toEqual(expected);
  }

  async close(): Promise<void> {
    this.socket.close();
    await Promise.all([this.served, this.#reading]);
  }
}

function number32(number: number): Buffer {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32BE(number);
  return buffer;
}

describe('port forwarding over SPDY', () => {
  it('carries a connection until both sides have closed, and then another one', async () => {
    const client = new Client();
    await client.connect(1, 80);
    await client.say(3, 'hello');
    await client.got(['type 2 1', 'type 2 3', 'data 3 hello']);
    await client.say(3, ' and goodbye', true);
    await client.got([
      'type 2 1',
      'type 2 3',
      'data 3 hello',
      'data 3  and goodbye',
      'data 3 last ',
      'data 1 last ',
    ]);
    client.frames.length = 0;
    await client.connect(5, 80);
    await client.say(7, 'again', true);
    await client.got(['type 2 5', 'type 2 7', 'data 7 again', 'data 7 last ', 'data 5 last ']);
    expect(client.signals.map(({ aborted }) => aborted)).toEqual([true, true]);
    await client.close();
  });

  it('reports a failed connection on the error stream', async () => {
    const client = new Client();
    await client.connect(1, 81);
    await client.got(['type 2 1', 'type 2 3', 'data 3 last ', 'data 1 last nobody listens on 81']);
    await client.close();
  });

  it('does not block other connections when one program stops reading', async () => {
    const client = new Client();
    await client.connect(1, 82);
    await client.connect(5, 80);
    for (let sent = 0; sent < 20; sent += 1) await client.say(3, 'x'.repeat(32_768));
    await client.say(7, 'heard', true);
    await expect.poll(() => client.frames.at(-1), SOON).toBe('data 5 last ');
    expect(client.frames).toContain('data 7 heard');
    await client.socket.send(resetFrame(3, 5));
    await expect.poll(() => client.signals[0]?.aborted, SOON).toBe(true);
    await client.close();
  });

  it('stops reading from the client when too much is queued, and ends when the client disconnects', async () => {
    const client = new Client();
    await client.connect(1, 82);
    await client.connect(5, 80);
    // These bytes exceed the limit plus the buffer of the socket, so no later frame is read. If the kernel's buffer is
    // small, a send waits until the connection closes.
    const sent = Array.from({ length: 34 }, () => client.say(3, 'x'.repeat(32_768)));
    const all = Promise.allSettled([...sent, client.say(7, 'late', true)]);
    await Promise.race([all, new Promise((resolve) => setTimeout(resolve, 5_000))]);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(client.frames).not.toContain('data 7 late');
    await client.close();
    expect(client.signals.every(({ aborted }) => aborted)).toBe(true);
  });

  it('resets invalid streams, and answers pings', async () => {
    const client = new Client();
    await client.open(1, { streamtype: 'data', port: '80', requestid: '1' });
    await client.open(3, { streamtype: 'error', port: '70000', requestid: '1' });
    await client.open(5, { streamtype: 'other', port: '80', requestid: '1' });
    await client.socket.send(pingFrame(number32(9)));
    await client.got(['type 3 1', 'type 3 3', 'type 3 5', 'type 6 9']);
    await client.close();
  });

  it('forgets an error stream that is reset before its data stream is opened', async () => {
    const client = new Client();
    const common = { port: '80', requestid: '1' };
    await client.open(1, { streamtype: 'error', ...common });
    await client.socket.send(resetFrame(1, 5));
    await client.open(3, { streamtype: 'data', ...common });
    await client.got(['type 2 1', 'type 3 3']);
    await client.close();
  });

  it('closes every connection when a client does not speak SPDY', async () => {
    const client = new Client();
    await client.connect(1, 80);
    await client.say(3, 'hello');
    await client.got(['type 2 1', 'type 2 3', 'data 3 hello']);
    await client.socket.send(bytes('GET / HTTP/1.1\r\n\r\n'));
    await client.close();
    expect(client.signals.map(({ aborted }) => aborted)).toEqual([true]);
  });
});
