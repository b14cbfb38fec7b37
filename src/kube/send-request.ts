/** Sends one request and reads its whole answer, whatever its status: no retry, no deadline. */
import { errorText } from '../platform/error-text.ts';
import type { TransportAnswer, TransportRequest } from '../platform/http-transport.ts';
import { codeOf } from '../platform/posix-error.ts';
import { UnreachableError } from './api-error.ts';
import type { KubeConnection } from './client.ts';

export interface WholeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Maximum size of an answer. The largest answers are pages of lists. */
const MAX_ANSWER_BYTES = 268_435_456;

export async function sendOnce(
  connection: KubeConnection,
  request: TransportRequest,
): Promise<WholeAnswer> {
  const { status, headers, body } = await openAnswer(connection, request);
  try {
    return { status, headers, text: await readText(body, MAX_ANSWER_BYTES) };
  } catch (error) {
    throw unreachable(`${request.method} ${request.path}`, error, { sent: true });
  }
}

/** Sends the request; resolves with an answer whose body is not read yet. */
export async function openAnswer(
  connection: KubeConnection,
  request: TransportRequest,
): Promise<TransportAnswer> {
  const headers = { ...requestHeaders(connection), ...request.headers };
  try {
    return await connection.transport.request({ ...request, headers });
  } catch (error) {
    throw unreachable(`${request.method} ${request.path}`, error, { sent: !neverSent(error) });
  }
}

/** The headers of every request, including streams. */
export function requestHeaders({ userAgent }: KubeConnection): Record<string, string> {
  return { accept: 'application/json', 'user-agent': userAgent };
}

/** Whether no connection was established, so that no server has seen the request. */
export function neverSent(error: unknown): boolean {
  return NEVER_SENT.has(codeOf(error) ?? '');
}

/** The whole body as text. Rejects if it has more than `maxBytes` bytes, and with any error of the body. */
export async function readText(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Error(`the answer is longer than ${maxBytes} bytes`);
    parts.push(decoder.decode(chunk, { stream: true }));
  }
  parts.push(decoder.decode());
  return parts.join('');
}

const NEVER_SENT: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'EPROTO',
  'EACCES',
]);

export function unreachable(
  what: string,
  cause: unknown,
  { sent }: { readonly sent: boolean },
): UnreachableError {
  const why = errorText(cause);
  return new UnreachableError(`${what}: ${why}`, { sent, cause });
}
