/** Failures of Node's requests, told apart by whether there was a connection. */
import type { ClientRequest } from 'node:http';

import { codeOf, posixError } from './posix-error.ts';

/** Tells, from then on, whether there is a connection that something can have been sent on. */
export function watchConnection(
  request: ClientRequest,
  { secure, tunnelled }: { readonly secure: boolean; readonly tunnelled: boolean },
): () => boolean {
  let connected = false;
  request.once('socket', (socket) => {
    socket.setKeepAlive(true, KEEP_ALIVE_PROBE_MS);
    connected = request.reusedSocket || tunnelled;
    if (connected) return;
    socket.once(secure ? 'secureConnect' : 'connect', () => {
      connected = true;
    });
  });
  return () => connected;
}

/** A peer that is gone without a word is noticed by the operating system, in some minutes. */
const KEEP_ALIVE_PROBE_MS = 30_000;

/**
 * What a failed connection or request is rejected with. Before there is a connection, nothing can have
 * been sent, and the code says so: that is what a caller decides by whether it may try again.
 */
export function explainFailure(error: unknown, server: string, connected: boolean): Error {
  const code = codeOf(error) ?? 'EIO';
  if (code === 'ECANCELED' && error instanceof Error) return error;
  const message = `${server}: ${reasonsOf(error)}`;
  return posixError(connected ? code : connectCode(code), message, error);
}

/** Which POSIX code stands for a failure to connect. What TLS refuses has codes of its own in Node. */
function connectCode(code: string): string {
  if (code === 'ECONNRESET' || code === 'EPIPE') return 'ECONNREFUSED';
  if (code === 'ETIMEDOUT') return 'EHOSTUNREACH';
  return /^E[A-Z]{2,}$|^EAI_AGAIN$/.test(code) ? code : 'EPROTO';
}

/** Several addresses of one name fail with one empty message and the reasons inside. */
function reasonsOf(error: unknown): string {
  const each = error instanceof AggregateError ? (error.errors as unknown[]) : [error];
  return each.map((one) => (one instanceof Error ? one.message : String(one))).join('; ');
}
