/** The fields of a notification as it is sent, and the signed request that sends it (ENG-N3). Pure. */
import type { EventEnvelope, Notification } from '../../model/event.ts';
import { makeMasker } from '../../model/secrets.ts';
import { hmacSha256Base64 } from '../../platform/digests.ts';
import type { Receiver } from './receiver.ts';
import type { AcceptedFact } from './reported-facts.ts';

export interface Message {
  /** The same id whenever the same fact is sent, also after a restart. Receivers recognize repetitions by the id. */
  readonly id: string;
  readonly type: Notification['type'];
  /** The installation, as a URI reference. */
  readonly source: string;
  /** The object, by the names that users know: "shop/web". */
  readonly subject: string;
  /** Wall clock, milliseconds since the epoch. */
  readonly atMs: number;
  readonly state: Notification['state'];
  readonly problem: string;
  /** Secrets are masked. */
  readonly text: string;
  readonly event: Pick<EventEnvelope, 'lifecycle' | 'target' | 'point' | 'run'>;
}

const TEXT_MAX = 1_024;
const masker = makeMasker([]);

export function messageOf(
  { lifecycle, target, point, run, atMs }: EventEnvelope,
  { type, message }: Notification,
  { fact, source }: { readonly fact: AcceptedFact; readonly source: string },
): Message {
  const text = masker.text(message);
  return {
    ...fact,
    type,
    source,
    subject: Object.values(target).join('/'),
    atMs,
    text: text.length <= TEXT_MAX ? text : cut(text),
    event: { lifecycle, target, point, run },
  };
}

/** The beginning of a text, without half of a character at its end: some receivers refuse that as JSON. */
function cut(text: string): string {
  return `${text.slice(0, TEXT_MAX - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

export interface SignedRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const MS = 1_000;

/**
 * The request of one attempt, signed by the rules of Standard Webhooks. `nowMs` is the time of the attempt: receivers
 * reject old signatures.
 */
export function requestOf(message: Message, receiver: Receiver, nowMs: number): SignedRequest {
  const { template, keys, authorization } = receiver;
  const body = template === null ? cloudEvent(message) : template.fill(message);
  const timestamp = String(Math.floor(nowMs / MS));
  const signed = `${message.id}.${timestamp}.${body}`;
  const signatures = keys.map((key) => `v1,${hmacSha256Base64(key, signed)}`);
  const type = template === null ? 'application/cloudevents+json' : 'application/json';
  return {
    body,
    headers: {
      'content-type': `${type}; charset=utf-8`,
      'webhook-id': message.id,
      'webhook-timestamp': timestamp,
      ...(signatures.length === 0 ? {} : { 'webhook-signature': signatures.join(' ') }),
      ...(authorization === null ? {} : { authorization }),
    },
  };
}

/** CloudEvents 1.0 in structured mode. */
function cloudEvent(message: Message): string {
  const { id, type, source, subject, atMs, state, problem, text, event } = message;
  return JSON.stringify({
    specversion: '1.0',
    id,
    source,
    type: `dev.lifehook.${type}`,
    subject,
    time: new Date(atMs).toISOString(),
    datacontenttype: 'application/json',
    data: { state, problem, message: text, ...event },
  });
}
