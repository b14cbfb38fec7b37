import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';

import { HandTimers } from '../../test/fixtures/kube/hand-timers.ts';
import { chunks, runExec, target } from '../../test/fixtures/kube/run-exec.ts';
import { exitStatus, type Peer, streamServer } from '../../test/fixtures/kube/stream-server.ts';
import { untilStill } from '../../test/fixtures/kube/until-still.ts';
import { nodeHttpTransport } from '../platform/node-http-transport.ts';
import { execInPod } from './exec.ts';

const statusFrame = (status: object) => async (peer: Peer) => {
  await peer.send(3, JSON.stringify(status));
  peer.ws.close(1000);
};

describe('a command in a container', () => {
  it('is requested with its exact argv, and returns stdout and stderr separately', async () => {
    const { result, stdout, stderr, paths } = await runExec({
      serve: async (peer) => {
        await peer.send(1);
        await peer.send(1, 'out ');
        await peer.send(2, 'err');
        await peer.send(1, 'put');
        await peer.exit(0);
      },
    });
    expect(result).toEqual({ outcome: 'exited', exitCode: 0 });
    expect({ stdout, stderr }).toEqual({ stdout: 'out put', stderr: 'err' });
    expect(paths).toEqual([
      '/api/v1/namespaces/shop/pods/web-0/exec?container=db&command=pg_dump&command=--all%20b&stdin=false&stdout=true&stderr=true&tty=false',
    ]);
  });

  it('encodes namespace and pod name so that they cannot change the request path', async () => {
    const { paths } = await runExec(
      { serve: (peer) => peer.exit(0) },
      { namespace: '../..', pod: 'a/b?c' },
    );
    expect(paths[0]).toMatch(/^\/api\/v1\/namespaces\/..%2F..\/pods\/a%2Fb%3Fc\/exec\?/);
  });

  it.each([1, 3, 137, 255])('exits with %i', async (code) => {
    const { result } = await runExec({ serve: (peer) => peer.exit(code) });
    expect(result).toMatchObject({ outcome: 'exited', exitCode: code });
  });

  it('has exited when its status arrived in pieces, with output still to come', async () => {
    const text = JSON.stringify(exitStatus(4));
    const { result, stdout } = await runExec({
      serve: async (peer) => {
        await peer.send(3, text.slice(0, 20));
        await peer.send(3, text.slice(20));
        await peer.send(1, 'the last words');
        peer.ws.close(1000);
      },
    });
    expect(result).toMatchObject({ outcome: 'exited', exitCode: 4 });
    expect(stdout).toBe('the last words');
  });

  it('has exited when its status arrived, also if the server never closes the connection', async () => {
    const serve = (peer: Peer): Promise<void> => peer.send(3, JSON.stringify(exitStatus(2)));
    const { result } = await runExec({ serve, speed: 100 });
    expect(result).toMatchObject({ outcome: 'exited', exitCode: 2 });
  });

  const internal = (message: string): object => ({
    status: 'Failure',
    reason: 'InternalError',
    code: 500,
    message: `Internal error occurred: ${message}`,
  });

  it.each([
    'error executing command in container: failed to exec in container: failed to start exec "22c1": OCI runtime exec failed: exec failed: unable to start container process: exec: "nosuch": executable file not found in $PATH: unknown',
    'failed to create exec "1f": container not running',
    'error executing command in container: container not running (c1)',
    'container is in CONTAINER_EXITED state',
  ])('is reported as never started: %s', async (message) => {
    const { result } = await runExec({ serve: statusFrame(internal(message)) });
    expect(result).toMatchObject({ outcome: 'failed', status: { reason: 'InternalError' } });
  });

  it.each([
    [internal('the node went away')],
    [internal('failed to start exec "1f": context deadline exceeded')],
    [{ status: 'Failure', reason: 'NonZeroExitCode', message: 'no causes' }],
    [{ ...exitStatus(1), details: { causes: [{ reason: 'ExitCode', message: 'one' }] } }],
    [{ ...exitStatus(0) }],
  ])('has an unknown outcome when the status has no exit code: %j', async (status) => {
    const { result } = await runExec({ serve: statusFrame(status) });
    expect(result).toMatchObject({ outcome: 'unknown', cause: 'unexplained' });
  });
});

describe('a command that cannot be started', () => {
  it('is never sent on a kept-alive connection, which the server may be closing', async () => {
    await using served = await streamServer({ serve: (peer) => peer.exit(0) });
    const { transport } = served.connection;
    const answer = await transport.request({ method: 'GET', path: '/version', headers: {} });
    for await (const chunk of answer.body) expect(chunk.length).toBe(2);
    await new Promise((resolve) => setTimeout(resolve, 10));
    served.dropConnections();
    expect(await execInPod(served.connection, target)).toMatchObject({ outcome: 'exited' });
  });

  it.each([
    [404, 'NotFound', 'pods "web-0" not found'],
    [400, 'BadRequest', 'container db is not valid for pod web-0'],
    [403, 'Forbidden', 'user cannot get pods/exec'],
    [503, 'ServiceUnavailable', 'starting'],
    [500, 'InternalError', 'unable to upgrade connection: container not found ("db")'],
  ])('fails for certain when the server answers %i %s', async (status, reason, message) => {
    const body = JSON.stringify({
      kind: 'Status',
      status: 'Failure',
      reason,
      message,
      code: status,
    });
    const { result } = await runExec({ refuse: { status, body } });
    expect(result).toMatchObject({ outcome: 'failed', status: { reason, message } });
  });

  it('has an unknown outcome when a gateway answers 502', async () => {
    const { result } = await runExec({ refuse: { status: 502, body: 'bad gateway' } });
    expect(result).toMatchObject({ outcome: 'unknown', cause: 'unexplained' });
  });

  it('fails for certain when nothing listens on the port', async () => {
    const served = await streamServer();
    await served[Symbol.asyncDispose]();
    const transport = nodeHttpTransport({ server: `http://127.0.0.1:${served.port}` });
    const result = await execInPod({ ...served.connection, transport }, target);
    expect(result).toMatchObject({ outcome: 'failed', status: { reason: 'Unreachable' } });
  });

  it('is not sent when its signal is aborted before the call', async () => {
    const { result, paths } = await runExec({}, { signal: AbortSignal.abort() });
    expect(result).toMatchObject({ outcome: 'failed', status: { reason: 'NotStarted' } });
    expect(paths).toEqual([]);
  });

  it('keeps its arguments out of the result when no protocol is agreed on', async () => {
    const { result } = await runExec({ protocols: [] }, { command: ['login', 's3cret'] });
    expect(JSON.stringify(result)).not.toContain('s3cret');
    expect(result.outcome).not.toBe('exited');
  });
});

describe('the output of a command', () => {
  it('stays on the server until it is read: 50 MB and a slow reader', async () => {
    const pieceBytes = 64 * 1024;
    const pieces = 800;
    let taken = 0;
    let takenWhileHeld = 0;
    let received = 0;
    const serve = async (peer: Peer): Promise<void> => {
      for (; taken < pieces; taken += 1) await peer.send(1, Buffer.alloc(pieceBytes));
      await peer.exit(0);
    };
    const { result } = await runExec(
      { serve },
      {
        onOutput: async (_stream, bytes) => {
          if (received === 0) {
            await untilStill(() => taken);
            takenWhileHeld = taken * pieceBytes;
          }
          received += bytes.length;
        },
      },
    );
    expect(result).toMatchObject({ outcome: 'exited', exitCode: 0 });
    expect(received).toBe(pieces * pieceBytes);
    // The server could send only as much as the two socket buffers of the loopback hold, not all 50 MB.
    expect(takenWhileHeld).toBeGreaterThan(0);
    expect(takenWhileHeld).toBeLessThan(16 * 1024 * 1024);
  });

  it('rejects with the error that its listener throws', async () => {
    const failing = runExec(
      { serve: (peer) => peer.send(1, 'x') },
      {
        onOutput: () => {
          throw new Error('disk full');
        },
      },
    );
    await expect(failing).rejects.toThrow('disk full');
  });
});

it('does not start a command without time left, and reports that, or its cancellation', async () => {
  const serve = (peer: Peer): Promise<void> => peer.exit(0);
  const late = await runExec({ serve }, { timeoutMs: 0 });
  expect(late.result).toMatchObject({
    outcome: 'failed',
    status: { reason: 'NotStarted', message: 'its time was over before it began' },
  });
  const signal = AbortSignal.abort();
  const cancelled = await runExec({ serve }, { timeoutMs: 0, signal });
  expect(cancelled.result).toMatchObject({
    status: { message: 'it was cancelled before it began' },
  });
  expect([...late.paths, ...cancelled.paths]).toEqual([]);
});

describe('a command that has ended', () => {
  it.each([
    ['it exited', {}],
    ['no session was opened', { refuse: { status: 403, body: '{}' } }],
  ])('leaves no timer and no listener when %s', async (_, server) => {
    const timers = new HandTimers();
    const { signal } = new AbortController();
    const serve = (peer: Peer): Promise<void> => peer.exit(0);
    await runExec({ ...server, serve, timers }, { timeoutMs: 1_000, signal });
    expect(timers.count).toBeGreaterThan(0);
    expect(timers.waiting).toEqual([]);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});

describe('the input of a command', () => {
  it('is closed by a frame of its own', async () => {
    const serve = async (peer: Peer): Promise<void> => {
      await peer.received(3);
      await peer.exit(0);
    };
    const { result, peers, paths } = await runExec({ serve }, { stdin: chunks('ab', 'cd') });
    expect(peers[0]?.frames).toEqual([
      [0, 'ab'],
      [0, 'cd'],
      [255, '\0'],
    ]);
    expect(result).toEqual({ outcome: 'exited', exitCode: 0 });
    expect(paths[0]).toContain('stdin=true');
  });

  it('is split into frames of a size that every server accepts', async () => {
    const serve = async (peer: Peer): Promise<void> => {
      await peer.received(4);
      await peer.exit(0);
    };
    const { peers } = await runExec({ serve }, { stdin: chunks('x'.repeat(100_000)) });
    const sizes = peers[0]?.frames.map(([, text]) => text.length);
    expect(sizes).toEqual([32_768, 32_768, 32_768, 1696, 1]);
  });

  it('does not delay the result of a command that exited without reading it', async () => {
    const never: AsyncIterable<Uint8Array> = {
      [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined) }),
    };
    const { result } = await runExec({ serve: (peer) => peer.exit(5) }, { stdin: never });
    expect(result).toEqual({ outcome: 'exited', exitCode: 5 });
  });

  it('makes the outcome unknown when it cannot be read', async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('half');
      throw new Error('disk on fire');
    }
    const { result } = await runExec({}, { stdin: broken() });
    expect(result).toMatchObject({ outcome: 'unknown', cause: 'inputFailed' });
    expect(result).toHaveProperty('reason', expect.stringContaining('disk on fire'));
  });
});
