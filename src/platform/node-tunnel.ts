/**
 * A connection through an HTTP proxy: CONNECT to the server's host and port, then TLS inside. Proxies
 * themselves are spoken to over http or https; the agents of Node 20 know none.
 */
import * as http from 'node:http';
import * as https from 'node:https';
import type { Duplex } from 'node:stream';
import * as tls from 'node:tls';

import { posixError } from './posix-error.ts';

export interface TunnelTarget {
  /** "http://user:password@proxy:3128". */
  readonly proxyUrl: string;
  readonly host: string;
  readonly port: number;
  /** Null: the server itself is spoken to without TLS. */
  readonly tls: tls.ConnectionOptions | null;
}

/** How long a proxy may take to make a connection. */
const CONNECT_TIMEOUT_MS = 30_000;

/** Calls back once, with a socket that is ready to carry requests. */
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
    timeout: CONNECT_TIMEOUT_MS,
  });
  const fail = (reason: string, cause?: unknown): void => {
    call.destroy();
    callback(posixError('EHOSTUNREACH', `the proxy ${proxy.host}: ${reason}`, cause));
  };
  call.once('error', (error) => {
    fail(error.message, error);
  });
  call.once('timeout', () => {
    fail(`no answer within ${CONNECT_TIMEOUT_MS} ms`);
  });
  call.once('response', ({ statusCode = 0 }) => {
    fail(`it answered ${statusCode} to CONNECT ${authority}`);
  });
  call.once('connect', ({ statusCode = 0 }, socket) => {
    call.removeAllListeners('timeout').removeAllListeners('error');
    if (statusCode !== 200) fail(`it answered ${statusCode} to CONNECT ${authority}`);
    else if (target.tls === null) callback(null, socket);
    else secure(socket, target.tls, callback);
  });
  call.end();
}

function secure(
  socket: Duplex,
  options: tls.ConnectionOptions,
  callback: (error: Error | null, socket?: Duplex) => void,
): void {
  const inner = tls.connect({ ...options, socket });
  inner.once('error', callback);
  inner.once('secureConnect', () => {
    inner.removeListener('error', callback);
    callback(null, inner);
  });
}

function proxyAuthorization({ username, password }: URL): Record<string, string> {
  if (username === '') return {};
  const plain = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(plain).toString('base64')}` };
}
