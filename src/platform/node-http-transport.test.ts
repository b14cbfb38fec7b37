import * as http from 'node:http';
import * as net from 'node:net';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';

import type { HttpTransport, TransportAnswer } from './http-transport.ts';
import { nodeHttpTransport } from './node-http-transport.ts';
import type { NodeTransportOptions } from './node-server-link.ts';

const endings: (() => void)[] = [];

afterEach(() => {
  for (const end of endings.splice(0)) end();
});

async function serve(handler: http.RequestListener): Promise<{ server: http.Server; url: string }> {
  const server = http.createServer(handler);
  const url = await listen(server);
  endings.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { server, url };
}

async function listen(server: net.Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`;
}

function transportOf(server: string, more: Partial<NodeTransportOptions> = {}): HttpTransport {
  const transport = nodeHttpTransport({ server, ...more });
  endings.push(() => {
    transport.close();
  });
  return transport;
}

const get = (path: string, signal?: AbortSignal): Parameters<HttpTransport['request']>[0] => ({
  method: 'GET',
  path,
  headers: {},
  ...(signal === undefined ? {} : { signal }),
});

async function textOf({ body }: TransportAnswer): Promise<string> {
  let text = '';
  for await (const chunk of body) text += Buffer.from(chunk).toString();
  return text;
}

describe('nodeHttpTransport', () => {
  it('reports that the server refuses the credentials', async () => {
    const statuses = [200, 403, 401];
    const { url } = await serve((_, response) => response.writeHead(statuses.shift() ?? 500).end());
    const onRefused = vi.fn();
    const transport = transportOf(url, { onRefused });
    while (statuses.length > 0) await textOf(await transport.request(get('/')));
    expect(onRefused).toHaveBeenCalledOnce();
  });

  it.each(['PATCH', 'DELETE'] as const)(
    'sends a %s with path, headers and body',
    async (method) => {
      const { url } = await serve((request, response) => {
        let body = '';
        request.on('data', (chunk: Buffer) => (body += chunk.toString()));
        request.on('end', () => {
          response.setHeader('Set-Cookie', ['a', 'b']).writeHead(418);
          response.end(
            `${request.method} ${request.url} ${String(request.headers['x-y'])} ${body}`,
          );
        });
      });
      const transport = transportOf(`${url}/prefix/`);
      const answer = await transport.request({
        method,
        path: '/a%2Fb?c=d',
        headers: { 'x-y': 'z' },
        body: 'ü',
      });
      expect(answer.status).toBe(418);
      expect(answer.headers['set-cookie']).toBe('a, b');
      expect(await textOf(answer)).toBe(`${method} /prefix/a%2Fb?c=d z ü`);
    },
  );

  it('reads the credentials before every request', async () => {
    const { url } = await serve((request, response) => response.end(request.headers.authorization));
    let count = 0;
    const credentials = async (): Promise<{ authorization: string }> => {
      count += 1;
      return { authorization: `Bearer ${count}` };
    };
    const transport = transportOf(url, { credentials });
    expect(await textOf(await transport.request(get('/')))).toBe('Bearer 1');
    expect(await textOf(await transport.request(get('/')))).toBe('Bearer 2');
  });

  it('reuses a connection for the next request without leaking listeners', async () => {
    const warnings: Error[] = [];
    const warn = (warning: Error): number => warnings.push(warning);
    process.on('warning', warn);
    endings.push(() => process.off('warning', warn));
    let connections = 0;
    const { server, url } = await serve((_, response) => response.end('x'));
    server.on('connection', () => (connections += 1));
    const transport = transportOf(url);
    for (let i = 0; i < 12; i += 1) {
      await textOf(await transport.request(get('/')));
      await pause(2);
    }
    expect(connections).toBe(1);
    expect(warnings).toEqual([]);
  });

  it('retries a GET whose reused connection was closed, and no other method', async () => {
    let requests = 0;
    const { url } = await serve((request, response) => {
      requests += 1;
      if (requests % 2 === 0) request.socket.resetAndDestroy();
      else response.end('x');
    });
    const transport = transportOf(url);
    await textOf(await transport.request(get('/')));
    await pause(5);
    expect(await textOf(await transport.request(get('/')))).toBe('x');
    await pause(5);
    const post = transport.request({ ...get('/'), method: 'POST' });
    await expect(post).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(requests).toBe(4);
  });

  it('rejects with ECONNREFUSED when no server listens', async () => {
    const probe = net.createServer();
    const url = await listen(probe);
    probe.close();
    await expect(transportOf(url).request(get('/'))).rejects.toMatchObject({
      code: 'ECONNREFUSED',
      message: expect.stringContaining(url) as string,
    });
  });

  it('rejects with ECONNRESET when the connection breaks before a response', async () => {
    const { url } = await serve((request) => request.socket.resetAndDestroy());
    await expect(transportOf(url).request(get('/'))).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it.each(['chunked', 'counted'])(
    'rejects the reader of a %s body that ends early',
    async (way) => {
      const { url } = await serve((request, response) => {
        if (way === 'counted') response.setHeader('content-length', 10);
        response.write('begin');
        setTimeout(() => request.socket.destroy(), 10);
      });
      const answer = await transportOf(url).request(get('/'));
      await expect(textOf(answer)).rejects.toMatchObject({ code: 'ECONNRESET' });
    },
  );

  it('is aborted by its signal before the response and while its body is read', async () => {
    const { url } = await serve((request, response) => {
      if (request.url === '/body') response.write('begin');
    });
    const transport = transportOf(url);
    for (const path of ['/none', '/body']) {
      const controller = new AbortController();
      const text = transport.request(get(path, controller.signal)).then(textOf);
      setTimeout(() => {
        controller.abort();
      }, 20);
      await expect(text).rejects.toThrow();
    }
    const aborted = AbortSignal.abort();
    await expect(transport.request(get('/', aborted))).rejects.toMatchObject({ code: 'ECANCELED' });
  });

  it('closes the connection when the reader leaves the loop', async () => {
    let dropped = false;
    const { url } = await serve((request, response) => {
      request.socket.on('close', () => (dropped = true));
      response.write('begin');
    });
    const { body } = await transportOf(url).request(get('/'));
    for await (const chunk of body) {
      expect(Buffer.from(chunk).toString()).toBe('begin');
      break;
    }
    await expect.poll(() => dropped, { timeout: 20_000 }).toBe(true);
  });

  it('reads no more from the socket than the reader takes', async () => {
    const total = 64 * 1_048_576;
    let left = total;
    const { url } = await serve((_, response) => {
      const chunk = Buffer.alloc(1_048_576);
      const write = (): void => {
        while (left > 0) {
          left -= chunk.length;
          if (!response.write(chunk)) {
            response.once('drain', write);
            return;
          }
        }
        response.end();
      };
      write();
    });
    const { body } = await transportOf(url).request(get('/'));
    await pause(100);
    expect(left).toBeGreaterThan(total / 2);
    let read = 0;
    for await (const chunk of body) read += chunk.length;
    expect(read).toBe(total);
  });

  it('aborts open requests when it is closed, and rejects new ones', async () => {
    const { url } = await serve((_, response) => response.write('begin'));
    const transport = transportOf(url);
    const text = transport.request(get('/')).then(textOf);
    setTimeout(() => {
      transport.close();
    }, 20);
    await expect(text).rejects.toThrow();
    await expect(transport.request(get('/'))).rejects.toMatchObject({ code: 'ECANCELED' });
  });

  it('refuses a server that is no HTTP URL', () => {
    expect(() => nodeHttpTransport({ server: 'localhost' })).toThrow(/https:\/\/host:port/);
  });

  it('uses a proxy, whose password may have a bare "%", and reports its refusal', async () => {
    const { url } = await serve((request, response) => response.end(request.url));
    const seen: string[] = [];
    const proxy = await serve(() => undefined);
    proxy.server.on('connect', (request, socket: net.Socket) => {
      seen.push(`${request.url} ${request.headers['proxy-authorization']}`);
      if (seen.length > 1) {
        socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
        return;
      }
      const to = net.connect(Number(new URL(url).port), '127.0.0.1');
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.pipe(to).pipe(socket);
    });
    const proxyUrl = proxy.url.replace('//', '//m%40e:50%@');
    const through = transportOf(url, { proxyUrl });
    expect(await textOf(await through.request(get('/inside')))).toBe('/inside');
    const authorization = `Basic ${Buffer.from('m@e:50%').toString('base64')}`;
    expect(seen).toEqual([`${new URL(url).host} ${authorization}`]);
    await expect(transportOf(url, { proxyUrl }).request(get('/'))).rejects.toThrow(/answered 403/);
  });

  it('uses no tunnel that a proxy opens after the transport was closed', async () => {
    let served = 0;
    const target = await serve((_, response) => {
      served += 1;
      response.end();
    });
    target.server.on('upgrade', (_, socket: net.Socket) => {
      served += 1;
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    });
    const waiting: (() => void)[] = [];
    const proxy = await serve(() => undefined);
    const bothWait = new Promise<void>((resolve) => {
      proxy.server.on('connect', (_, socket: net.Socket) => {
        waiting.push(() => {
          const to = net.connect(Number(new URL(target.url).port), '127.0.0.1');
          socket.write('HTTP/1.1 200 OK\r\n\r\n');
          socket.on('error', () => undefined);
          to.on('error', () => undefined);
          socket.pipe(to).pipe(socket);
          endings.push(() => {
            socket.destroy();
            to.destroy();
          });
        });
        if (waiting.length === 2) resolve();
      });
    });
    const transport = transportOf(target.url, { proxyUrl: proxy.url });
    const calls = [
      transport.request(get('/')),
      transport.openSocket({ path: '/', headers: {}, protocols: ['a'] }),
    ];
    const settled = Promise.allSettled(calls);
    await bothWait;
    transport.close();
    for (const answer of waiting) answer();
    const reason = { code: 'ECANCELED' };
    expect(await settled).toMatchObject([
      { status: 'rejected', reason },
      { status: 'rejected', reason },
    ]);
    expect(served).toBe(0);
  });
});
