/**
 * The connection options of one server: address, TLS, proxy and credentials, in the form that Node's requests and web
 * sockets take.
 */
import * as http from 'node:http';
import * as https from 'node:https';
import * as net from 'node:net';
import type { Duplex } from 'node:stream';
import * as tls from 'node:tls';

import { errorText } from './error-text.ts';
import { posixError } from './posix-error.ts';

export interface NodeTransportOptions {
  /** URL of the server, optionally with a path prefix: "https://host:6443". */
  readonly server: string;
  /** The trusted CAs in PEM; absent: the CAs of Node. */
  readonly ca?: string | undefined;
  /** Whether to accept any server certificate. */
  readonly insecure?: boolean | undefined;
  /** The name that the server's certificate must have; absent: the host. */
  readonly tlsServerName?: string | undefined;
  /** URL of an HTTP proxy, with user and password if it requires them. */
  readonly proxyUrl?: string | undefined;
  /** Called before every request, so that renewed credentials are used. It must cache results that are expensive. */
  readonly credentials?: (() => Promise<Credentials>) | undefined;
  /** Called when the server has refused the credentials of a request (401). */
  readonly onRefused?: (() => void) | undefined;
}

export interface Credentials {
  /** Value of the whole header: "Bearer …". */
  readonly authorization?: string | undefined;
  /** A client certificate in PEM, and its key. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  /** Further headers, for example those of impersonation. */
  readonly headers?: Readonly<Record<string, string | string[]>> | undefined;
}

export interface ServerLink {
  readonly secure: boolean;
  /** The server for messages: "https://host:6443". */
  readonly origin: string;
  /** Whether connections go through an HTTP proxy. A request then gets its socket only when the tunnel is ready. */
  readonly tunnelled: boolean;
  urlOf(path: string): URL;
  /**
   * The options of a request, without its method. With `oneUse` the request gets a new connection. That is for a
   * request that cannot be retried: the server may be closing a kept-alive connection.
   */
  requestOptions(
    headers: Readonly<Record<string, string>>,
    use?: 'oneUse',
  ): Promise<https.RequestOptions>;
  close(): void;
}

/** Milliseconds until an idle connection is closed. Servers close it later; the real API server after 90 s. */
const IDLE_TIMEOUT_MS = 30_000;

/** Maximum number of concurrent connections, open watches included. */
const MAX_CONNECTIONS = 1_024;

const MAX_IDLE_CONNECTIONS = 16;

/** Milliseconds within which a proxy must open a connection, and within which the TLS handshake in it must end. */
const TUNNEL_TIMEOUT_MS = 30_000;

export function makeServerLink(options: NodeTransportOptions): ServerLink {
  const base = parseServer(options.server);
  const secure = base.protocol === 'https:';
  let closed = false;
  const isClosed = (): boolean => closed;
  const agent = makeAgent(options, { secure, keepAlive: true, isClosed });
  const oneUseAgent = makeAgent(options, { secure, keepAlive: false, isClosed });
  const prefix = base.pathname.replace(/\/$/, '');
  return {
    secure,
    origin: base.origin,
    tunnelled: options.proxyUrl !== undefined,
    urlOf: (path) => new URL(`${base.origin}${prefix}${path}`),
    requestOptions: async (headers, use) => {
      const { authorization, cert, key, headers: more } = await askCredentials(options);
      const given = authorization === undefined ? {} : { authorization };
      return {
        agent: use === 'oneUse' ? oneUseAgent : agent,
        headers: { ...headers, ...more, ...given },
        ...(secure ? tlsOptions(options, { cert, key }) : {}),
      };
    },
    close: () => {
      closed = true;
      agent.destroy();
      oneUseAgent.destroy();
    },
  };
}

/**
 * The credentials for a request. If they cannot be determined, nothing was sent, and the code of the error shows that.
 */
async function askCredentials({ credentials }: NodeTransportOptions): Promise<Credentials> {
  try {
    return (await credentials?.()) ?? {};
  } catch (error) {
    throw posixError('EACCES', errorText(error), error);
  }
}

function parseServer(server: string): URL {
  const url = URL.canParse(server) ? new URL(server) : null;
  if (url !== null && /^https?:$/.test(url.protocol)) return url;
  throw posixError('EINVAL', `a server is given as https://host:port, not as "${server}"`);
}

function tlsOptions(
  { ca, insecure = false, tlsServerName }: NodeTransportOptions,
  { cert, key }: Credentials,
): https.RequestOptions {
  return {
    rejectUnauthorized: !insecure,
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    ...(tlsServerName === undefined ? {} : { servername: tlsServerName }),
  };
}

interface AgentUse {
  readonly secure: boolean;
  readonly keepAlive: boolean;
  readonly isClosed: () => boolean;
}

function makeAgent(
  { proxyUrl, server }: NodeTransportOptions,
  { secure, keepAlive, isClosed }: AgentUse,
): http.Agent {
  const options = {
    keepAlive,
    timeout: IDLE_TIMEOUT_MS,
    maxTotalSockets: MAX_CONNECTIONS,
    maxFreeSockets: MAX_IDLE_CONNECTIONS,
  };
  const agent = secure ? new https.Agent(options) : new http.Agent(options);
  if (proxyUrl === undefined) return agent;
  return Object.assign(agent, {
    createConnection: (
      to: https.RequestOptions,
      callback: Parameters<typeof openTunnel>[1],
    ): void => {
      const host = to.host ?? 'localhost';
      const servername = to.servername ?? (net.isIP(host) === 0 ? host : '');
      const target = secure ? { ...tlsOf(to), servername, host } : null;
      const port = Number(to.port ?? (secure ? 443 : 80));
      openTunnel(
        { proxyUrl, host, port, tls: target, timeoutMs: TUNNEL_TIMEOUT_MS },
        (error, socket) => {
          if (error !== null || !isClosed()) {
            callback(error, socket);
            return;
          }
          // The agent closes only the sockets that it has: it does not know this one yet.
          socket?.destroy();
          callback(posixError('ECANCELED', `${server}: the transport is closed`));
        },
      );
    },
  });
}

/** The options of a request that are for TLS. The options for the address are used for the tunnel. */
function tlsOf({ ca, cert, key, rejectUnauthorized }: https.RequestOptions): object {
  return { ca, cert, key, rejectUnauthorized };
}

export interface TunnelTarget {
  /** URL of the proxy: "http://user:password@proxy:3128". */
  readonly proxyUrl: string;
  readonly host: string;
  readonly port: number;
  /** The options of TLS; null: the connection to the server has no TLS. */
  readonly tls: tls.ConnectionOptions | null;
  /** Milliseconds within which the proxy must open the connection, and the server then answer the TLS handshake. */
  readonly timeoutMs: number;
}

/**
 * Opens a connection through an HTTP proxy: CONNECT to the server's host and port, then TLS inside it. The proxy itself
 * speaks http or https; the agents of Node 20 have no proxy support. Calls back once, with a socket that is ready for
 * requests.
 */
export function openTunnel(
  target: TunnelTarget,
  callback: (error: Error | null, socket?: Duplex) => void,
): void {
  const proxy = new URL(target.proxyUrl);
  const host = target.host.includes(':') ? `[${target.host}]` : target.host;
  const authority = `${host}:${target.port}`;
  const call = (proxy.protocol === 'https:' ? https : http).request({
    host: proxy.hostname.replaceAll(/^\[|\]$/g, ''),
    port: proxy.port === '' ? (proxy.protocol === 'https:' ? 443 : 80) : Number(proxy.port),
    method: 'CONNECT',
    path: authority,
    headers: { host: authority, ...proxyAuthorization(proxy) },
    agent: false,
    timeout: target.timeoutMs,
  });
  const fail = (reason: string, cause?: unknown): void => {
    // The end of a call without an answer is an error of the call too.
    call.removeAllListeners('error').on('error', () => undefined);
    call.destroy();
    callback(posixError('EHOSTUNREACH', `the proxy ${proxy.host}: ${reason}`, cause));
  };
  call.once('error', (error) => {
    fail(error.message, error);
  });
  call.once('timeout', () => {
    fail(`no answer within ${target.timeoutMs} ms`);
  });
  call.once('response', ({ statusCode = 0 }) => {
    fail(`it answered ${statusCode} to CONNECT ${authority}`);
  });
  call.once('connect', ({ statusCode = 0 }, socket) => {
    call.removeAllListeners('timeout').removeAllListeners('error');
    if (statusCode !== 200) fail(`it answered ${statusCode} to CONNECT ${authority}`);
    else if (target.tls === null) callback(null, socket);
    else tunnelTls(socket, target, callback);
  });
  call.end();
}

function tunnelTls(
  socket: Duplex,
  { tls: options, host, timeoutMs, proxyUrl }: TunnelTarget,
  callback: (error: Error | null, socket?: Duplex) => void,
): void {
  const inner = tls.connect({ ...options, socket });
  const late = (): void => {
    const what = `${host} did not complete the TLS handshake within ${timeoutMs} ms`;
    inner.destroy(posixError('EHOSTUNREACH', `the proxy ${new URL(proxyUrl).host}: ${what}`));
  };
  inner.setTimeout(timeoutMs, late);
  inner.once('error', callback);
  inner.once('secureConnect', () => {
    inner.setTimeout(0, late);
    inner.removeListener('error', callback);
    callback(null, inner);
  });
}

function proxyAuthorization({ username, password }: URL): Record<string, string> {
  if (username === '') return {};
  const plain = `${decoded(username)}:${decoded(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(plain).toString('base64')}` };
}

/** Decodes a part of a URL. A part with a "%" that encodes nothing is returned unchanged. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
