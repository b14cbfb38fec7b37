import { lookup } from 'node:dns';
import * as http from 'node:http';
import * as https from 'node:https';
import * as net from 'node:net';

import { errorText } from './error-text.ts';
import type {
  CancelSignal,
  HttpAnswer,
  HttpRequest,
  Network,
  RefuseAddress,
  TcpTarget,
} from './platform.ts';
import { codeOf, posixError } from './posix-error.ts';

/** Each call opens a connection of its own, and closes it afterwards. */
export const nodeNetwork: Network = { httpGet, tcpConnect };

async function httpGet(request: HttpRequest): Promise<HttpAnswer> {
  const url = new URL(request.url);
  const secure = url.protocol === 'https:';
  const options = {
    headers: request.headers,
    rejectUnauthorized: request.verifyCertificate,
    ...judgedLookup(url.hostname, request.whyRefused),
  };
  // `agent: false`: connections are not reused, so that no request is sent on a connection that its peer is closing.
  const call = (secure ? https : http).get(url, { ...options, agent: false });
  const what = `GET ${url.host}`;
  return abortable({ signal: request.signal, resource: call, what }, (resolve, reject) => {
    call.on('response', (response) => {
      readAnswer({ response, limit: request.bodyLimitBytes, resolve, reject });
    });
    call.on('error', reject);
  });
}

interface Reading {
  readonly response: http.IncomingMessage;
  readonly limit: number;
  readonly resolve: (answer: HttpAnswer) => void;
  readonly reject: (error: Error) => void;
}

function readAnswer({ response, limit, resolve, reject }: Reading): void {
  const chunks: Buffer[] = [];
  let bodyBytes = 0;
  const finish = (bodyTruncated: boolean): void => {
    resolve({
      status: response.statusCode ?? 0,
      location: response.headers.location ?? null,
      body: Buffer.concat(chunks).toString('utf8'),
      bodyBytes,
      bodyTruncated,
    });
  };
  if (limit === 0) {
    finish(false);
    return;
  }
  response.on('data', (chunk: Buffer) => {
    const kept = chunk.subarray(0, limit - bodyBytes);
    chunks.push(kept);
    bodyBytes += kept.length;
    // The rest of the body is not read: it may be infinite.
    if (kept.length < chunk.length) finish(true);
  });
  response.on('end', () => {
    finish(false);
  });
  response.on('error', reject);
}

async function tcpConnect({ host, port, signal, whyRefused }: TcpTarget): Promise<void> {
  const socket = net.connect({ host, port, ...judgedLookup(host, whyRefused) });
  const what = `connecting to ${net.isIPv6(host) ? `[${host}]` : host}:${port}`;
  return abortable({ signal, resource: socket, what }, (resolve, reject) => {
    socket.on('connect', resolve);
    socket.on('error', reject);
  });
}

interface Abortable {
  readonly signal: CancelSignal;
  readonly resource: { destroy(): unknown };
  readonly what: string;
}

/** Waits for the result of `start`. All connections are closed in the end, whatever the result, and also on abort. */
async function abortable<T>(
  { signal, resource, what }: Abortable,
  start: (resolve: (value: T) => void, reject: (error: Error) => void) => void,
): Promise<T> {
  let abort: () => void = () => undefined;
  try {
    return await new Promise<T>((resolve, reject) => {
      abort = (): void => {
        reject(posixError('ECANCELED', 'cancelled'));
      };
      start(resolve, reject);
      signal.addEventListener('abort', abort);
      if (signal.aborted) abort();
    });
  } catch (error) {
    throw explain(error, what);
  } finally {
    signal.removeEventListener('abort', abort);
    resource.destroy();
  }
}

/** Reads the inner errors: if several addresses of one name fail, Node's error has an empty message. */
function explain(error: unknown, what: string): Error {
  const each = error instanceof AggregateError ? (error.errors as unknown[]) : [error];
  const reasons = each.map((one) => errorText(one));
  return posixError(codeOf(error) ?? 'EIO', `${what}: ${reasons.join('; ')}`, error);
}

interface Judged {
  readonly lookup?: net.LookupFunction;
}

/**
 * Options of one connection, with a resolver that checks each address, so that only a checked address is used. The
 * options are empty if nothing is to be checked. Throws EACCES if `hostname` itself is a refused address, since no
 * resolver is called for an address.
 */
export function judgedLookup(hostname: string, whyRefused: RefuseAddress | undefined): Judged {
  if (whyRefused === undefined) return {};
  const host = hostname.replace(/^\[(.*)\]$/u, '$1');
  if (net.isIP(host) !== 0) {
    const refusal = refusalOf(host, [host], whyRefused);
    if (refusal !== null) throw refusal;
    return {};
  }
  return {
    lookup: (name, options, done) => {
      lookup(name, { ...options, all: true }, (error, found) => {
        if (error !== null) {
          done(error, []);
          return;
        }
        const refusal = refusalOf(
          name,
          found.map(({ address }) => address),
          whyRefused,
        );
        const [{ address, family } = { address: '', family: 0 }] = found;
        if (refusal !== null) done(refusal, []);
        else if (options.all === true) done(null, found);
        else done(null, address, family);
      });
    },
  };
}

function refusalOf(
  host: string,
  addresses: readonly string[],
  whyRefused: RefuseAddress,
): NodeJS.ErrnoException | null {
  for (const address of addresses) {
    const what = whyRefused(address);
    if (what === null) continue;
    const leads = address === host ? `${host} is` : `${host} resolves to ${address},`;
    return posixError('EACCES', `${leads} ${what}, which hooks may not reach`);
  }
  return null;
}
