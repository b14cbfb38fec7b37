import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { nodeFiles } from './files.ts';
import { type ServerCertificates, serverCertificates } from './node-certificates.ts';
import { nodeWebhookCall } from './node-webhook-call.ts';
import { codeOf } from './posix-error.ts';
import type { WebhookAnswer, WebhookRequest } from './webhook-call.ts';

let folder: string;
let made: ServerCertificates;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lifehook-call-'));
  made = await serverCertificates({
    files: nodeFiles,
    folder,
    nowMs: Date.now(),
    hosts: ['hook.example.svc'],
  });
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

type Post = (more?: Partial<WebhookRequest>) => Promise<WebhookAnswer>;

async function withServer(
  listener: RequestListener,
  use: (post: Post, port: number) => Promise<void>,
): Promise<void> {
  const server = createServer({ cert: made.certificate, key: made.key }, listener);
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  const { port } = server.address() as AddressInfo;
  const call = nodeWebhookCall();
  const post: Post = (more = {}) =>
    call.post({
      url: `https://127.0.0.1:${port}/x`,
      connectTo: null,
      authority: made.authority,
      body: '{}',
      answerLimitBytes: 100,
      signal: new AbortController().signal,
      ...more,
    });
  try {
    await use(post, port);
  } finally {
    call.close();
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }
}

const codeFrom = (answer: Promise<unknown>): Promise<string | null> =>
  answer.then(
    () => 'none',
    (error: unknown) => codeOf(error),
  );

describe('a call of a webhook', () => {
  it('posts JSON, and reuses the connection for the next call', async () => {
    const seen: unknown[] = [];
    const ports = new Set<number | undefined>();
    const listener: RequestListener = (request, response) => {
      ports.add(request.socket.remotePort);
      seen.push([request.method, request.url, request.headers['content-type']]);
      request.pipe(response);
    };
    await withServer(listener, async (post) => {
      expect(await post({ body: '{"a":"ü"}' })).toEqual({ status: 200, body: '{"a":"ü"}' });
      await post();
    });
    expect(seen[0]).toEqual(['POST', '/x', 'application/json']);
    expect([seen.length, ports.size]).toEqual([2, 1]);
  });

  it('follows no redirect', async () => {
    let asked = 0;
    const listener: RequestListener = (_request, response) => {
      asked += 1;
      response.writeHead(302, { location: '/y' }).end();
    };
    await withServer(listener, async (post) => {
      expect(await post()).toEqual({ status: 302, body: '' });
    });
    expect(asked).toBe(1);
  });

  it('rejects a response beyond its limit', async () => {
    const listener: RequestListener = (_request, response) => {
      response.end('x'.repeat(101));
    };
    await withServer(listener, async (post) => {
      expect(await codeFrom(post())).toBe('EMSGSIZE');
      expect((await post({ answerLimitBytes: 101 })).body).toHaveLength(101);
    });
  });

  it('is aborted by its signal, before and after the headers of the response', async () => {
    const listener: RequestListener = (request, response) => {
      if (request.url === '/head') response.writeHead(200).write('x');
    };
    await withServer(listener, async (post, port) => {
      for (const path of ['none', 'head']) {
        const end = new AbortController();
        const url = `https://127.0.0.1:${port}/${path}`;
        const posted = codeFrom(post({ url, signal: end.signal }));
        setTimeout(() => {
          end.abort();
        }, 100);
        expect(await posted).toBe('ECANCELED');
      }
    });
  });

  it('reconnects when the server has closed a reused connection', async () => {
    const listener: RequestListener = (request, response) => {
      response.end('{}');
      if (request.url === '/last') response.on('close', () => request.socket.destroy());
    };
    await withServer(listener, async (post, port) => {
      await post({ url: `https://127.0.0.1:${port}/last` });
      expect((await post()).status).toBe(200);
    });
  });

  it('checks the certificate against the host of the URL, not the address it connects to', async () => {
    const listener: RequestListener = (request, response) => {
      response.end(request.headers.host);
    };
    await withServer(listener, async (post, port) => {
      const connectTo = { host: '127.0.0.1', port };
      const right = await post({ url: 'https://hook.example.svc:443/x', connectTo });
      expect(right.body).toBe('hook.example.svc');
      const other = post({ url: 'https://other.example.svc:443/x', connectTo });
      expect(await codeFrom(other)).toBe('ERR_TLS_CERT_ALTNAME_INVALID');
      expect(await codeFrom(post({ authority: '' }))).toMatch(/^UNABLE_TO|SELF_SIGNED/);
    });
  });
});
