/** Opens the web socket of a streaming subresource of a pod (exec, attach, portforward). */
import { type MessageSocket, UpgradeRefused } from '../platform/http-transport.ts';
import type { CancelSignal } from '../platform/platform.ts';
import { errorOfAnswer } from './answer-error.ts';
import { UnreachableError } from './api-error.ts';
import type { KubeConnection } from './client.ts';
import { neverSent, unreachable } from './send-request.ts';

export interface StreamRequest {
  readonly namespace: string;
  readonly pod: string;
  readonly subresource: 'exec' | 'attach' | 'portforward';
  /** A name may come several times. */
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly protocols: readonly string[];
  readonly signal?: CancelSignal | undefined;
}

/**
 * Rejects with `ApiError` when the server said no, and with `UnreachableError` when nobody answered or
 * the answer was in none of the offered protocols. The permission it takes is `get` on the subresource,
 * since a web socket begins as a GET, and from Kubernetes 1.35 on `create` as well.
 */
export async function openStream(
  connection: KubeConnection,
  { namespace, pod, subresource, query, protocols, signal }: StreamRequest,
): Promise<MessageSocket> {
  const parts = ['api', 'v1', 'namespaces', namespace, 'pods', pod, subresource];
  const path = `/${parts.map(encodeURIComponent).join('/')}`;
  // Without the query: a command may hold a secret.
  const what = `GET ${path}`;
  if (signal?.aborted === true) {
    throw new UnreachableError(`${what}: it was called off before it began`, { sent: false });
  }
  let socket: MessageSocket;
  try {
    socket = await connection.transport.openSocket({
      path: `${path}?${query.map((pair) => pair.map(encodeURIComponent).join('=')).join('&')}`,
      // No "accept": a server that can stream nothing of that type refuses (406, seen with 1.20).
      headers: { 'user-agent': connection.userAgent },
      protocols,
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (error) {
    throw refusal(what, error);
  }
  if (protocols.includes(socket.protocol)) return socket;
  socket.close();
  const picked = socket.protocol === '' ? 'none' : `"${socket.protocol}"`;
  const message = `${what}: required is one of the protocols ${protocols.join(', ')}; the server picked ${picked}`;
  throw new UnreachableError(message, { sent: true });
}

function refusal(what: string, error: unknown): Error {
  if (!(error instanceof UpgradeRefused)) {
    return unreachable(what, error, { sent: !neverSent(error) });
  }
  return errorOfAnswer({ status: error.status, headers: {}, text: error.body });
}
