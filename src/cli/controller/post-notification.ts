/**
 * One attempt to send a notification: a POST without redirects, whose answer is dropped except for its status
 * (ENG-N3).
 */
import { type Message, requestOf } from '../../observe/notifications/message.ts';
import type { Receiver } from '../../observe/notifications/receiver.ts';
import type { PostAnswer } from '../../observe/send-queue.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import { abortAfter } from '../cancel-on-signals.ts';
import { version } from '../version.ts';

const POST_MS = 10_000;

/** Statuses that are about this very message. After others, an operator can mend the receiver or its address. */
const REFUSED = new Set([400, 413, 415, 422]);

/** Never rejects. No text names more of the address than its host: the path may be a secret. */
export async function postNotification(
  receiver: Receiver,
  message: Message,
  signal: AbortSignal,
): Promise<PostAnswer> {
  const { host } = new URL(receiver.url);
  try {
    const { headers, body } = requestOf(message, receiver, nodePlatform.clock.nowMs());
    const {
      ok,
      status,
      body: answer,
    } = await fetch(receiver.url, {
      method: 'POST',
      headers: { ...headers, 'user-agent': `lifehook/${version}` },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, abortAfter(POST_MS)]),
    });
    await answer?.cancel();
    if (ok) return { kind: 'taken' };
    return { kind: REFUSED.has(status) ? 'refused' : 'busy', why: `${host} answers ${status}` };
  } catch (error) {
    return { kind: 'busy', why: `${host}: ${reasonOf(error)}` };
  }
}

/** The code of a failed connection, or the name of the error: its message may have the address. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  if (typeof cause !== 'object' || cause === null) return 'unknown error';
  const { code, name } = cause as { readonly code?: unknown; readonly name?: unknown };
  const reason = [code, name].find((each) => typeof each === 'string');
  return reason ?? 'unknown error';
}
