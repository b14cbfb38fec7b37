/**
 * An HTTP proxy that injects faults into lists and watches, in front of an API server. It answers in place of the
 * server, and breaks, delays, repeats, truncates and stalls connections. Clients use plain HTTP.
 */
import * as http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

import type { HttpTransport, TransportAnswer } from '../../src/platform/http-transport.ts';
import { nodeHttpTransport } from '../../src/platform/node-http-transport.ts';
import type { NodeTransportOptions } from '../../src/platform/node-server-link.ts';
import type { Fault, FaultSource, RequestFault } from './fault-dice.ts';
import { DELAY_MS, EXPIRED, hurtLine, writeLine } from './fault-lines.ts';

export class FaultProxy {
  readonly url: string;
  /** How often each fault has happened. */
  readonly happened: Map<Fault | 'restart', number> = new Map();
  readonly #server: http.Server;
  readonly #upstream: HttpTransport;
  #faults: FaultSource | null;
  /** Newest resourceVersion answered with 410. This and older ones stay expired until the next list; 0: none. */
  #forgotten = 0;

  private constructor(server: http.Server, upstream: HttpTransport, faults: FaultSource) {
    this.#server = server;
    this.#upstream = upstream;
    this.#faults = faults;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (request, response) => {
      this.#pass(request, response).catch(() => {
        response.socket?.destroy();
      });
    });
  }

  static async start(to: NodeTransportOptions, faults: FaultSource): Promise<FaultProxy> {
    const server = http.createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new FaultProxy(server, nodeHttpTransport(to), faults);
  }

  /** Injects no more faults. A watch that is already stalled stays stalled. */
  calm(): void {
    this.#faults = null;
  }

  /**
   * Simulates a restart of the server: every connection breaks, and no new one is accepted for `downMs` milliseconds.
   */
  async restart(downMs: number): Promise<void> {
    this.#count('restart');
    const { port } = this.#server.address() as AddressInfo;
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
    await pause(downMs);
    await new Promise<void>((resolve) => this.#server.listen(port, '127.0.0.1', resolve));
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
    this.#upstream.close();
  }

  #count(fault: Fault | 'restart'): void {
    this.happened.set(fault, (this.happened.get(fault) ?? 0) + 1);
  }

  async #pass(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.url);
    const watch = url.searchParams.get('watch') === 'true';
    const fault = this.#choose(url.searchParams, watch);
    if (isInstead(fault)) {
      INSTEAD[fault](response);
      return;
    }
    if (fault === 'late') await pause(DELAY_MS);
    if (fault === 'forgotten') url.searchParams.set('resourceVersion', '1');
    const cut = fault === 'cutBody';
    await this.#passOn(`${url.pathname}${url.search}`, response, { watch, cut });
  }

  #choose(query: URLSearchParams, watch: boolean): RequestFault | null {
    const watchList = query.get('sendInitialEvents') === 'true';
    const resumes = watch && !watchList;
    const about = { watchList, resumes, page: query.has('continue') };
    const fault = this.#faults?.request(about) ?? null;
    if (fault !== null) this.#count(fault);
    const position = Number(query.get('resourceVersion'));
    if (!resumes) this.#forgotten = 0;
    else if (fault === 'expired') this.#forgotten = position;
    return resumes && position <= this.#forgotten ? 'expired' : fault;
  }

  async #passOn(
    path: string,
    response: http.ServerResponse,
    { watch, cut }: { readonly watch: boolean; readonly cut: boolean },
  ): Promise<void> {
    const deleted = new AbortController();
    response.on('close', () => {
      deleted.abort();
    });
    const headers = { accept: 'application/json' };
    const { signal } = deleted;
    const answer = await this.#upstream.request({ method: 'GET', path, headers, signal });
    response.writeHead(answer.status, { 'content-type': answer.headers['content-type'] ?? '' });
    response.flushHeaders();
    if (watch && answer.status === 200) await this.#passLines(answer, response);
    else await passBody(answer, response, cut);
  }

  async #passLines({ body }: TransportAnswer, response: http.ServerResponse): Promise<void> {
    const sent: string[] = [];
    let rest = '';
    for await (const chunk of body) {
      const lines = (rest + Buffer.from(chunk).toString('latin1')).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (!(await this.#passLine(line, response, sent))) return;
      }
    }
    response.end();
  }

  /** Resolves with whether the watch continues. */
  async #passLine(line: string, response: http.ServerResponse, sent: string[]): Promise<boolean> {
    const endsList = line.includes('"k8s.io/initial-events-end":"true"');
    const fault = this.#faults?.line({ endsList }) ?? null;
    if (fault !== null) {
      this.#count(fault);
      if (fault === 'lostBookmark') return true;
      if (!(await hurtLine[fault]({ line, response, sent }))) return false;
    }
    await writeLine(response, line);
    sent.push(line);
    return true;
  }
}

type Instead = Exclude<RequestFault, 'late' | 'forgotten' | 'cutBody'>;

/** Faults that the proxy answers itself; the request does not reach the server. */
const INSTEAD: Readonly<Record<Instead, (response: http.ServerResponse) => void>> = {
  reset: (response) => response.socket?.resetAndDestroy(),
  unavailable: (response) => response.writeHead(503, { 'retry-after': '0' }).end('not now'),
  tooMany: (response) => response.writeHead(429, { 'retry-after': '0' }).end('not now'),
  broken: (response) => response.writeHead(500).end('broken'),
  refusedList: (response) => response.writeHead(422).end('no watch lists'),
  expired: (response) =>
    response.writeHead(410, { 'content-type': 'application/json' }).end(JSON.stringify(EXPIRED)),
};

function isInstead(fault: RequestFault | null): fault is Instead {
  return fault !== null && fault in INSTEAD;
}

async function passBody(
  { body }: TransportAnswer,
  response: http.ServerResponse,
  cut: boolean,
): Promise<void> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  const whole = Buffer.concat(chunks);
  if (!cut) {
    response.end(whole);
    return;
  }
  response.write(whole.subarray(0, whole.length / 2), () => {
    response.socket?.resetAndDestroy();
  });
}
