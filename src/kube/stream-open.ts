/** Opens the web socket of a streaming subresource of a pod (exec, attach, portforward). */
import { type MessageSocket, UpgradeRefused } from '../platform/http-transport.ts';
import type { CancelSignal } from '../platform/platform.ts';
import { formatProblem } from '../model/problem.ts';
import { codeOf } from '../platform/posix-error.ts';
import { errorOfAnswer } from './answer-error.ts';
import { ApiError, UnreachableError } from './api-error.ts';
import type { KubeConnection } from './client.ts';
import { neverSent, unreachable } from './send-request.ts';

export interface StreamRequest {
  readonly namespace: string;
  readonly pod: string;
  readonly subresource: 'exec' | 'attach' | 'portforward';
  /** Parameters of the query; a name may occur several times. */
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly protocol: string;
  readonly signal?: CancelSignal | undefined;
}

/**
 * Rejects with `ApiError` if the server refused, and with `UnreachableError` if no server answered or `signal` was
 * aborted. If the server does not support the protocol (LHK012), the error is an `ApiError` after a 403, else an
 * `UnreachableError`, since the server may have started the command. Requires the permission `get` on the subresource,
 * since a web socket begins as a GET, and from Kubernetes 1.35 on also `create`.
 */
export async function openStream(
  connection: KubeConnection,
  { namespace, pod, subresource, query, protocol, signal }: StreamRequest,
): Promise<MessageSocket> {
  const parts = ['api', 'v1', 'namespaces', namespace, 'pods', pod, subresource];
  const path = `/${parts.map(encodeURIComponent).join('/')}`;
  // The query is left out of messages, since a command may contain a secret.
  const what = `GET ${path}`;
  if (signal?.aborted === true) {
    throw new UnreachableError(`${what}: it was cancelled before it began`, { sent: false });
  }
  let socket: MessageSocket;
  try {
    socket = await connection.transport.openSocket({
      path: `${path}?${query.map((pair) => pair.map(encodeURIComponent).join('=')).join('&')}`,
      headers: { 'user-agent': connection.userAgent },
      protocols: [protocol],
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (error) {
    throw refusal(what, protocol, error);
  }
  if (socket.protocol === protocol) return socket;
  socket.close();
  // A server that opens the connection with another protocol may have started the command.
  throw new UnreachableError(noAgreement(what, protocol), { sent: true });
}

function refusal(what: string, protocol: string, error: unknown): Error {
  if (codeOf(error) === 'EPROTONOSUPPORT') {
    return new UnreachableError(noAgreement(what, protocol), { sent: true, cause: error });
  }
  if (!(error instanceof UpgradeRefused)) {
    return unreachable(what, error, { sent: !neverSent(error) });
  }
  // This is how API servers answer an unknown protocol. If permissions are missing, they answer with a Status.
  if (error.status === 403 && error.body === '') {
    const message = noAgreement(what, protocol);
    return new ApiError(403, { status: 'Failure', code: 403, reason: 'Forbidden', message });
  }
  return errorOfAnswer({ status: error.status, headers: {}, text: error.body });
}

function noAgreement(what: string, protocol: string): string {
  return formatProblem({
    code: 'LHK012',
    severity: 'error',
    message: `${what}: the server does not speak the protocol ${protocol}.`,
    next: 'Use a supported version of Kubernetes, and let web sockets through the proxies in front of it.',
  });
}
