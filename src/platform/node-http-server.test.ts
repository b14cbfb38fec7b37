import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';

import { deferred } from '../../test/fixtures/deferred.ts';
import { nodeFiles } from './files.ts';
import type { HttpServer, HttpService, HttpServiceRequest } from './http-server.ts';
import { type ServerCertificates, serverCertificates } from './node-certificates.ts';
import { nodeHttpServer } from './node-http-server.ts';

const NOW = Date.now();
const DAY_MS = 86_400_000;

let folder: string;
let certificates: ServerCertificates;
let server: HttpServer;

const make = (nowMs: number): Promise<ServerCertificates> =>
  serverCertificates({ files: nodeFiles, folder: join(folder, 'pki'), nowMs });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lifehook-https-'));
  certificates = await make(NOW);
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

afterEach(async () => {
  await server.close();
});

async function serve(service: Partial<HttpService>): Promise<void> {
  server = await nodeHttpServer({
    ...certificates,
    port: 0,
    service: {
      refuse: () => null,
      isBinary: () => false,
      handle: async ({ method, path, query, body }) => ({
        status: 200,
        headers: {},
        body: JSON.stringify({ method, path, query: [...query], body }),
      }),
      upgrade: async () => ({ kind: 'refused', answer: { status: 404, headers: {}, body: 'no' } }),
      tooLarge: (limit) => ({ status: 413, headers: {}, body: `limit ${limit}` }),
      ...service,
    },
  });
}

function call(path: string, options: object = {}): ClientRequest {
  const at = { ca: certificates.authority, agent: false, ...options };
  return request(new URL(path, server.url), at).on('error', () => undefined);
}

async function answerOf(asked: ClientRequest): Promise<{ status: number; body: string }> {
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  let body = '';
  for await (const chunk of response.setEncoding('utf8')) body += chunk as string;
  return { status: response.statusCode ?? 0, body };
}

describe('nodeHttpServer', () => {
  it('passes the decoded request to the service', async () => {
    await serve({});
    const answer = await answerOf(call('/a%20b?x=1&x=2', { method: 'POST' }).end('grüß'));
    const received = {
      method: 'POST',
      path: '/a b',
      query: [
        ['x', '1'],
        ['x', '2'],
      ],
      body: 'grüß',
    };
    expect(JSON.parse(answer.body)).toEqual(received);
  });

  it('is trusted only by clients that know its authority, also as localhost', async () => {
    await serve({});
    expect(await answerOf(call(`https://localhost:${server.port}/`).end())).toMatchObject({
      status: 200,
    });
    const stranger = request(new URL('/', server.url), { agent: false }).end();
    await expect(once(stranger, 'response')).rejects.toThrow(/certificate/);
  });

  it('refuses a request by its headers, before the body arrives', async () => {
    await serve({ refuse: () => ({ status: 401, headers: {}, body: 'who?' }) });
    const asked = call('/', { method: 'POST', headers: { 'content-length': 100 } });
    asked.flushHeaders();
    expect(await answerOf(asked)).toEqual({ status: 401, body: 'who?' });
  });

  it('refuses a body that is too large, with and without a content-length', async () => {
    await serve({});
    const announced = call('/', { method: 'POST', headers: { 'content-length': 4_000_000 } });
    announced.flushHeaders();
    expect(await answerOf(announced)).toEqual({ status: 413, body: 'limit 3145728' });
    const silent = call('/', { method: 'POST', headers: { 'transfer-encoding': 'chunked' } });
    const answered = answerOf(silent);
    silent.write(Buffer.alloc(3_200_000));
    expect(await answered).toMatchObject({ status: 413 });
  });

  it('streams no faster than the client reads, and aborts when the client disconnects', async () => {
    let given = 0;
    let closed: Promise<void> = Promise.resolve();
    const handle = async ({ signal }: HttpServiceRequest): ReturnType<HttpService['handle']> => {
      closed = new Promise((resolve) => {
        signal.addEventListener('abort', resolve);
      });
      async function* pieces(): AsyncGenerator<Uint8Array> {
        for (;;) {
          given += 1;
          yield new Uint8Array(65_536);
        }
      }
      return { status: 200, headers: {}, body: pieces() };
    };
    await serve({ handle });
    const asked = call('/').end();
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    response.pause();
    let seen = -1;
    const isStill = (): boolean => {
      const wasSeen = seen;
      seen = given;
      return wasSeen === seen;
    };
    await expect.poll(isStill, { interval: 100, timeout: 20_000 }).toBe(true);
    expect(given).toBeLessThan(1_000);
    asked.destroy();
    await closed;
  });

  it('opens web sockets in the protocol that the service chose, and refuses others with its response', async () => {
    await serve({
      upgrade: async ({ path }) =>
        path === '/open'
          ? {
              kind: 'accepted',
              protocol: 'second',
              serve: async (socket) => {
                for await (const message of socket.messages) await socket.send(message);
              },
            }
          : { kind: 'refused', answer: { status: 403, headers: {}, body: 'no' } },
    });
    const ca = certificates.authority;
    const url = server.url.replace('https', 'wss');
    const socket = new WebSocket(`${url}/open`, ['first', 'second'], { ca });
    await once(socket, 'open');
    expect(socket.protocol).toBe('second');
    socket.send(Buffer.from('echo'));
    const [message] = (await once(socket, 'message')) as [Buffer];
    expect(message.toString()).toBe('echo');
    const refused = new WebSocket(`${url}/other`, ['first'], { ca });
    const [error] = (await once(refused, 'error')) as [Error];
    expect(error.message).toContain('403');
    socket.close();
    await once(socket, 'close');
  });

  it('closes a web socket that opens while the server closes', async () => {
    const asked = deferred<undefined>();
    const decided = deferred<undefined>();
    await serve({
      upgrade: async () => {
        asked.resolve(undefined);
        await decided.promise;
        return {
          kind: 'accepted',
          protocol: 'first',
          serve: async (socket) => {
            for await (const _ of socket.messages) continue;
          },
        };
      },
    });
    const url = server.url.replace('https', 'wss');
    const socket = new WebSocket(url, ['first'], { ca: certificates.authority });
    const over = once(socket, 'close');
    socket.on('error', () => undefined);
    await asked.promise;
    const closing = server.close();
    decided.resolve(undefined);
    await over;
    await closing;
  });

  it('ends open streams when it closes', async () => {
    const handle = async ({ signal }: HttpServiceRequest): ReturnType<HttpService['handle']> => {
      async function* forever(): AsyncGenerator<string> {
        yield 'begun';
        await new Promise<void>((resolve) => {
          signal.addEventListener('abort', resolve);
        });
      }
      return { status: 200, headers: {}, body: forever() };
    };
    await serve({ handle });
    const asked = call('/').end();
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    await once(response, 'data');
    await server.close();
    await once(response, 'close');
  });
});

describe('serverCertificates', () => {
  it('are kept with mode 600 until they are about to expire', async () => {
    await serve({});
    expect(await make(NOW + DAY_MS)).toEqual(certificates);
    expect((await stat(join(folder, 'pki/server.key'))).mode & 0o777).toBe(0o600);
    const renewed = await make(NOW + 330 * DAY_MS);
    expect(renewed.authority).toBe(certificates.authority);
    expect(renewed.certificate).not.toBe(certificates.certificate);
    const muchLater = await make(NOW + 3_500 * DAY_MS);
    expect(muchLater.authority).not.toBe(certificates.authority);
  });

  it('are created again when they cannot be read', async () => {
    await serve({});
    const before = await make(NOW);
    await writeFile(join(folder, 'pki/server.crt'), 'nonsense');
    const after = await make(NOW);
    expect(after.authority).toBe(before.authority);
    expect(after.certificate).not.toBe(before.certificate);
    expect(await readFile(join(folder, 'pki/server.crt'), 'latin1')).toBe(after.certificate);
  });
});

it('nodeHttpServer serves plain HTTP without a certificate', async () => {
  server = await nodeHttpServer({
    port: 0,
    service: {
      refuse: () => null,
      isBinary: () => false,
      handle: async ({ path }) => ({ status: 200, headers: {}, body: path }),
      upgrade: async () => ({ kind: 'refused', answer: { status: 404, headers: {}, body: 'no' } }),
      tooLarge: (limit) => ({ status: 413, headers: {}, body: `limit ${limit}` }),
    },
  });
  expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(await (await fetch(`${server.url}/metrics`)).text()).toBe('/metrics');
});
