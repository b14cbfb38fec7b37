import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { readFileSync } from 'node:fs';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';

import { attempt } from '../../test/fixtures/processes/attempt.ts';
import { handTime } from '../../test/fixtures/processes/hand-time.ts';
import type { HttpGetHandler } from '../model/hook.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function serve(answer: Answer, server = createServer(answer)): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

function get(port: number, more: Partial<HttpGetHandler> = {}): HttpGetHandler {
  const where = { scheme: 'HTTP', host: '127.0.0.1', path: '/', httpHeaders: [] } as const;
  return { kind: 'httpGet', ...where, port, ...more };
}

const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (_, response) => {
    response.writeHead(code, headers).end(`body of ${code}`);
  };

describe('an HTTP hook', () => {
  test.each([
    [200, 'Succeeded'],
    [204, 'Succeeded'],
    [304, 'Succeeded'],
    [399, 'Succeeded'],
    [400, 'Failed'],
    [404, 'Failed'],
    [500, 'Failed'],
  ])('judges %i as Kubernetes judges a probe: %s', async (code, outcome) => {
    const result = await attempt(get(await serve(status(code))));
    expect(result).toMatchObject({ outcome, exitCode: null, signal: null });
    expect(result.reason).toContain(`was answered with ${code}`);
  });

  test('judges a status below 100, which no server of Node sends, as a failure', async () => {
    const server = createTcpServer((socket) => {
      socket.once('data', () => socket.end('HTTP/1.1 050 Odd\r\nContent-Length: 0\r\n\r\n'));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const result = await attempt(get((server.address() as AddressInfo).port));
    expect(result).toMatchObject({ outcome: 'Failed', reason: expect.stringContaining('with 50') });
  });

  test.each([
    ['2xx', 201, 'Succeeded'],
    ['2xx', 304, 'Failed'],
    ['204', 200, 'Failed'],
    ['404', 404, 'Succeeded'],
    ['200-299,302', 302, 'Succeeded'],
  ])('with expect %s judges %i: %s', async (expected, code, outcome) => {
    const port = await serve(status(code, code === 302 ? { location: '/elsewhere' } : {}));
    const result = await attempt(get(port, { expect: expected }));
    expect(result.outcome).toBe(outcome);
    if (outcome === 'Failed') expect(result.reason).toContain(`${expected} is required`);
  });

  test.each([
    [200, 'Succeeded', ''],
    [404, 'Succeeded', ''],
    [301, 'Succeeded', '; warning: the redirect was not followed, since it names no location'],
  ])('with expect any judges %i: %s', async (code, outcome, more) => {
    const port = await serve(status(code));
    const result = await attempt(get(port, { expect: 'any' }));
    expect(result).toMatchObject({
      outcome,
      reason: `GET http://127.0.0.1:${port}/ was answered with ${code}${more}.`,
    });
  });

  test('follows a redirect with expect any, as a lifecycle hook of the kubelet does', async () => {
    const port = await serve((request, response) => {
      if (request.url === '/') response.writeHead(302, { location: '/last' });
      else response.writeHead(500);
      response.end();
    });
    const result = await attempt(get(port, { expect: 'any' }));
    expect(result.reason).toBe(`GET http://127.0.0.1:${port}/ was answered with 500.`);
  });

  test.each([
    [{}, ', but 200-399 is required'],
    [{ expect: '2xx' }, ', but 2xx is required'],
  ])('says what was required: %j', async (more, required) => {
    const port = await serve(status(404));
    expect((await attempt(get(port, more))).reason).toBe(
      `GET http://127.0.0.1:${port}/ was answered with 404${required}.`,
    );
  });

  test('writes an IPv6 address in brackets', async () => {
    const result = await attempt(get(1, { host: '::1', scheme: 'HTTPS' }));
    expect(result.reason).toMatch(/^GET https:\/\/\[::1\]:1\/ failed: /);
  });

  test('asks its own host, also where the path looks like a URL', async () => {
    const urls: (string | undefined)[] = [];
    const port = await serve((request, response) => {
      urls.push(request.url);
      response.end();
    });
    const paths = ['//elsewhere.invalid/x', 'http://elsewhere.invalid/x'];
    for (const path of paths) {
      expect(await attempt(get(port, { path }))).toMatchObject({ outcome: 'Succeeded' });
    }
    expect(urls).toEqual(['//elsewhere.invalid/x', '/http://elsewhere.invalid/x']);
  });

  test('masks the secrets of its hook', async () => {
    const port = await serve((_, response) => {
      response.end('pw hunter22');
    });
    const result = await attempt(get(port), { secrets: ['hunter22'] });
    expect(result.stdout.text).toBe('pw ***');
  });

  test('keeps the response body as its output', async () => {
    const live: string[] = [];
    const result = await attempt(get(await serve(status(500))), {
      onOutput: (stream, text) => live.push(`${stream}: ${text}`),
    });
    expect(result.stdout).toEqual({ text: 'body of 500', totalBytes: 11 });
    expect(result.stderr).toEqual({ text: '', totalBytes: 0 });
    expect(live).toEqual(['stdout: body of 500']);
  });

  test('reads no more of an endless response than it keeps', async () => {
    const port = await serve((_, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(10_000)));
      };
      response.on('drain', more);
      more();
    });
    const result = await attempt(get(port));
    expect(result).toMatchObject({ outcome: 'Succeeded', stdout: { totalBytes: 65_536 } });
    expect(result.reason).toContain('of the body only the first 65536 bytes were read');
  });

  test('sends path, query, headers and Host as they were given', async () => {
    let seen: IncomingMessage | undefined;
    const port = await serve((request, response) => {
      seen = request;
      response.end();
    });
    const httpHeaders = [
      { name: 'Host', value: 'shop.example' },
      { name: 'X-Twice', value: 'a' },
      { name: 'x-twice', value: 'b' },
      { name: 'user-agent', value: 'mine' },
    ];
    await attempt(get(port, { path: 'ready?full=1', httpHeaders }));
    expect(seen?.url).toBe('/ready?full=1');
    expect(seen?.headers).toMatchObject({
      host: 'shop.example',
      'x-twice': 'a, b',
      'user-agent': 'mine',
      accept: '*/*',
    });
  });

  test('reveals neither the secrets in its headers nor the query of its path', async () => {
    const port = await serve((request, response) => {
      response.writeHead(400).end(`got ${request.headers.authorization}, that is s3cr3t-abc`);
    });
    const httpHeaders = [{ name: 'Authorization', value: 'Bearer s3cr3t-abc' }];
    const result = await attempt(get(port, { path: '/x?sig=s1gnature', httpHeaders }));
    expect(result.stdout.text).toBe('got ***, that is ***');
    expect(result.reason).toContain('/x was answered');
  });
});

describe('an HTTP hook that is redirected', () => {
  test('follows on the same host, with its headers', async () => {
    const urls: string[] = [];
    const port = await serve((request, response) => {
      urls.push(`${request.url} ${request.headersDistinct['x-key']?.join()}`);
      if (request.url === '/a') response.writeHead(307, { location: 'b?c' });
      else response.writeHead(200);
      response.end();
    });
    const httpHeaders = [{ name: 'X-Key', value: 'k' }];
    const result = await attempt(get(port, { path: '/a', httpHeaders }));
    expect(result.reason).toContain('was answered with 200');
    expect(urls).toEqual(['/a k', '/b?c k']);
  });

  test('succeeds with a warning for a redirect to another host, which it does not follow', async () => {
    const port = await serve(status(302, { location: 'http://elsewhere.invalid/' }));
    const result = await attempt(get(port));
    expect(result.outcome).toBe('Succeeded');
    expect(result.reason).toContain('warning: the redirect was not followed');
    expect(result.reason).toContain('elsewhere.invalid');
    const strict = await attempt(get(port, { expect: '2xx' }));
    expect(strict).toMatchObject({ outcome: 'Failed' });
  });

  test('succeeds with a warning for a redirect without a location', async () => {
    const result = await attempt(get(await serve(status(301))));
    expect(result.outcome).toBe('Succeeded');
    expect(result.reason).toContain('it names no location');
  });

  test('gives up after ten requests', async () => {
    let count = 0;
    const port = await serve((_, response) => {
      count += 1;
      response.writeHead(302, { location: `/${count}` }).end();
    });
    const result = await attempt(get(port));
    expect(result).toMatchObject({ outcome: 'Failed' });
    expect(result.reason).toContain('stopped after 10 redirects');
    expect(count).toBe(10);
  });
});

describe('an HTTP hook that gets no response', () => {
  test('fails when the connection is refused or reset, or the response is cut off', async () => {
    const port = await serve((_, response) => {
      response.socket?.destroy();
    });
    expect((await attempt(get(port))).reason).toContain('socket hang up');
    await new Promise((resolve) => servers.pop()?.close(resolve));
    const refused = await attempt(get(port));
    expect(refused.outcome).toBe('Failed');
    expect(refused.reason).toContain('ECONNREFUSED');
    const broken = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('half');
      setTimeout(() => response.destroy(), 50);
    });
    expect(await attempt(get(broken))).toMatchObject({ outcome: 'Failed' });
  });

  test('ends at its deadline or cancellation, and closes the connection', async () => {
    let closed = 0;
    const { advance, platform } = handTime();
    let stop = (): void => {
      advance(200);
    };
    const port = await serve((_, response) => {
      response.on('close', () => (closed += 1));
      response.write('half an answer');
      setTimeout(() => {
        stop();
      }, 20);
    });
    const late = await attempt(get(port), { platform, timeoutMs: 200 });
    expect(late).toMatchObject({ outcome: 'TimedOut' });
    expect(late.reason).toContain('did not end within 0.2 s');
    const controller = new AbortController();
    stop = (): void => {
      controller.abort();
    };
    const cancelled = await attempt(get(port), { signal: controller.signal });
    expect(cancelled).toMatchObject({ outcome: 'Cancelled' });
    await expect.poll(() => closed, { timeout: 20_000 }).toBe(2);
  });

  test.each([
    [{ host: 'not a host' }, 'Invalid URL'],
    [{ httpHeaders: [{ name: 'X', value: 'a\nb' }] }, 'Invalid character'],
  ])('fails for an invalid request: %j', async (wrong, why) => {
    const result = await attempt(get(1, wrong));
    expect(result.outcome).toBe('Failed');
    expect(result.reason).toContain(why);
  });
});

test('an HTTPS hook accepts any certificate, as the kubelet does', async () => {
  const folder = new URL('../../test/fixtures/tls/', import.meta.url);
  const identity = {
    key: readFileSync(new URL('self-signed.key', folder)),
    cert: readFileSync(new URL('self-signed.crt', folder)),
  };
  const port = await serve(status(200), createSecureServer(identity, status(200)));
  expect(await attempt(get(port, { scheme: 'HTTPS' }))).toMatchObject({ outcome: 'Succeeded' });
});
