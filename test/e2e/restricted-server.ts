/** An API server as a user with few rights sees it: a proxy in front of a real server refuses all but some requests. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { KubeConnection } from '../../src/kube/client.ts';
import type { TransportRequest } from '../../src/platform/http-transport.ts';

export interface RestrictedServer extends AsyncDisposable {
  /** Such as "http://127.0.0.1:40000". */
  readonly url: string;
}

type Method = TransportRequest['method'];

/**
 * Forwards requests whose path `mayAsk` allows. Answers access reviews with "not allowed", and everything else with
 * 403.
 */
export async function openRestrictedServer(
  { transport }: KubeConnection,
  mayAsk: (path: string) => boolean,
): Promise<RestrictedServer> {
  const forward = async (
    request: Pick<TransportRequest, 'method' | 'path'>,
    response: ServerResponse,
  ): Promise<void> => {
    const headers = { accept: 'application/json' };
    const { status, body } = await transport.request({ ...request, headers });
    response.writeHead(status, { 'content-type': 'application/json' });
    for await (const chunk of body) response.write(chunk);
    response.end();
  };
  const server = createServer((request, response) => {
    const { method = 'GET', url = '/' } = request;
    const json = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    if (url.endsWith('/selfsubjectaccessreviews')) {
      json(201, { kind: 'SelfSubjectAccessReview', status: { allowed: false } });
      return;
    }
    if (!mayAsk(url)) {
      const message = `"${url}" is forbidden for this user`;
      json(403, { kind: 'Status', code: 403, reason: 'Forbidden', message });
      return;
    }
    void forward({ method: method as Method, path: url }, response);
  });
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((done) => {
        server.close(done);
      });
    },
  };
}
