import process from 'node:process';
import { describe, expect, it, onTestFinished } from 'vitest';

import { channels, closeFrame, frame, resizeFrame } from '../../../../../src/kube/stream-frames.ts';
import { type ExecSession, StartError } from '../../../../../src/platform/container-runtime.ts';
import type { MessageSocket } from '../../../../../src/platform/http-transport.ts';
import { socketPair } from '../in-process-transport.ts';
import { serveRemoteCommand } from './remote-command.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (raw: Uint8Array): string => new TextDecoder().decode(raw);

/** A program that echoes its input line by line, and exits at the end of its input. */
class Echo implements ExecSession {
  readonly reported: string[] = [];
  readonly stderr: AsyncIterable<Uint8Array> = this.#errors();
  readonly exited: ExecSession['exited'];
  #end: (end: { exitCode: number | null; signal: string | null }) => void = () => undefined;
  readonly #written: Uint8Array[] = [];
  #wake: () => void = () => undefined;
  #ended = false;

  constructor(failure?: StartError) {
    this.exited =
      failure === undefined
        ? new Promise((resolve) => {
            this.#end = resolve;
          })
        : Promise.reject(failure);
    if (failure !== undefined) this.#ended = true;
  }

  get stdout(): AsyncIterable<Uint8Array> {
    return this.#echo();
  }

  async *#errors(): AsyncGenerator<Uint8Array> {
    yield bytes('a warning');
  }

  async *#echo(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const next = this.#written.shift();
      if (next !== undefined) yield next;
      else if (this.#ended) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  async write(input: Uint8Array): Promise<void> {
    this.#written.push(input);
    this.#wake();
  }

  endStdin(): void {
    this.finish(3);
  }

  finish(exitCode: number | null, signal: string | null = null): void {
    this.#ended = true;
    this.#end({ exitCode, signal });
    this.#wake();
  }

  resize({ columns, rows }: { columns: number; rows: number }): void {
    this.reported.push(`${columns}x${rows}`);
  }

  close(): void {
    this.reported.push('closed');
    this.finish(null, 'SIGKILL');
  }
}

interface Run {
  readonly echo: Echo;
  readonly client: MessageSocket;
  readonly frames: Promise<Uint8Array[]>;
  readonly served: Promise<void>;
}

interface Options {
  readonly stdin?: boolean;
  readonly stdout?: boolean;
  readonly argv?: readonly string[] | null;
}

function run(options: Options = {}, echo: Echo = new Echo()): Run {
  const { stdin = true, stdout = true, argv = ['cat'] } = options;
  const [client, socket] = socketPair('v5.channel.k8s.io');
  const served = serveRemoteCommand({
    socket,
    session: echo,
    argv,
    stdin,
    stdout,
    stderr: true,
  });
  const read = async (): Promise<Uint8Array[]> => {
    const frames: Uint8Array[] = [];
    for await (const message of client.messages) frames.push(message);
    return frames;
  };
  return { echo, client, served, frames: read() };
}

const on = (frames: readonly Uint8Array[], channel: number): string =>
  frames
    .filter(([first]) => first === channel)
    .map((message) => text(message.subarray(1)))
    .join('|');

describe('serveRemoteCommand', () => {
  it('carries stdin, stdout and stderr, and sends the exit code last', async () => {
    const { client, frames } = run();
    await client.send(frame(channels.stdin, bytes('one')));
    await client.send(closeFrame(channels.stdin));
    const received = await frames;
    expect(on(received, channels.stdout)).toBe('one');
    expect(on(received, channels.stderr)).toBe('a warning');
    expect(received.at(-1)?.[0]).toBe(channels.status);
    expect(JSON.parse(on(received, channels.status))).toMatchObject({
      status: 'Failure',
      reason: 'NonZeroExitCode',
      details: { causes: [{ reason: 'ExitCode', message: '3' }] },
    });
  });

  it('reports success, and a signal as exit code 128 + n', async () => {
    const first = run();
    first.echo.finish(0);
    expect(JSON.parse(on(await first.frames, channels.status))).toEqual({ status: 'Success' });
    const second = run();
    second.echo.finish(null, 'SIGTERM');
    expect(on(await second.frames, channels.status)).toContain('"message":"143"');
  });

  it('reports only success when an attached container exits', async () => {
    const { echo, frames } = run({ argv: null });
    echo.finish(4);
    expect(JSON.parse(on(await frames, channels.status))).toEqual({ status: 'Success' });
  });

  it('reports why a command could not be started, without an exit code', async () => {
    const failure = new StartError(
      'StartError',
      'exec: "nope": executable file not found in $PATH',
    );
    const { frames } = run({}, new Echo(failure));
    const status: unknown = JSON.parse(on(await frames, channels.status));
    expect(status).toMatchObject({
      status: 'Failure',
      reason: 'InternalError',
      message: expect.stringContaining('executable file not found'),
    });
  });

  it('splits long output into frames, and discards output that was not requested', async () => {
    const long = run();
    await long.echo.write(new Uint8Array(70_000));
    long.echo.finish(0);
    const sizes = (await long.frames).filter(([first]) => first === 1).map(({ length }) => length);
    expect(sizes).toEqual([32_769, 32_769, 4_465]);
    const unasked = run({ stdout: false });
    await unasked.echo.write(bytes('unseen'));
    unasked.echo.finish(0);
    expect(on(await unasked.frames, channels.stdout)).toBe('');
  });

  it('forwards terminal sizes, and ignores invalid ones', async () => {
    const { echo, client, frames } = run();
    await client.send(frame(channels.resize, bytes('{"Width":"wide"}')));
    await client.send(frame(channels.resize, bytes('no JSON')));
    await client.send(resizeFrame({ columns: 80, rows: 24 }));
    await client.send(closeFrame(channels.stdin));
    await frames;
    expect(echo.reported[0]).toBe('80x24');
  });

  it('does not write or close stdin that the client did not request', async () => {
    const { echo, client, frames } = run({ stdin: false });
    await client.send(frame(channels.stdin, bytes('unwanted')));
    await client.send(closeFrame(channels.stdin));
    await client.send(resizeFrame({ columns: 1, rows: 1 }));
    while (echo.reported.length === 0) await new Promise((resolve) => setImmediate(resolve));
    echo.finish(0);
    const received = await frames;
    expect(on(received, channels.stdout)).toBe('');
    expect(JSON.parse(on(received, channels.status))).toEqual({ status: 'Success' });
  });

  it('ends in order when a send fails while the program still runs', async () => {
    const unhandled: unknown[] = [];
    const listener = (error: unknown): void => void unhandled.push(error);
    process.on('unhandledRejection', listener);
    onTestFinished(() => {
      process.removeListener('unhandledRejection', listener);
    });
    const [client, server] = socketPair('v5.channel.k8s.io');
    const echo = new Echo();
    // A program that takes 20 ms to exit after its session was closed.
    echo.close = () => {
      setTimeout(() => {
        echo.finish(null, 'SIGKILL');
      }, 20);
    };
    const lost: MessageSocket = {
      protocol: server.protocol,
      messages: server.messages,
      closed: server.closed,
      ping: () => server.ping(),
      close: () => {
        server.close();
      },
      send: () => Promise.reject(new Error('the web socket is closed')),
    };
    const streams = { stdin: true, stdout: true, stderr: true };
    const served = serveRemoteCommand({ socket: lost, session: echo, argv: ['a'], ...streams });
    await new Promise((resolve) => setTimeout(resolve, 20));
    client.close();
    echo.finish(0);
    await served;
    expect(unhandled).toEqual([]);
  });

  it('closes the session when the client disconnects', async () => {
    const { echo, client, served } = run();
    client.close();
    await served;
    expect(echo.reported).toContain('closed');
  });
});
