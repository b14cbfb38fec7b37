/** The notifications of `lifehook controller`, which are on if its options name a receiver. */
import type { Logger } from 'pino';

import type { Observe } from '../../controller/controller-event.ts';
import type { KubeClient } from '../../kube/client.ts';
import { getOrNull } from '../../kube/get-or-null.ts';
import { configMaps } from '../../kube/resources.ts';
import type { EventEnvelope } from '../../model/event.ts';
import { type Message, requestOf } from '../../observe/notifications/message.ts';
import {
  makeNotificationMetrics,
  type NotificationMetrics,
} from '../../observe/notifications/notification-metrics.ts';
import {
  type DeliveryRecord,
  type NotifiedVerdicts,
  Notifier,
  type NotifierNote,
} from '../../observe/notifications/notifier.ts';
import type { Receiver } from '../../observe/notifications/receiver.ts';
import type { DeliveredFacts } from '../../observe/notifications/reported-facts.ts';
import type { PostAnswer } from '../../observe/send-queue.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import { randomFraction } from '../../platform/randomness.ts';
import { abortAfter } from '../cancel-on-signals.ts';
import { NOTIFICATIONS } from '../install/install-options.ts';
import { recordedParts } from '../lifecycle-controllers.ts';
import type { CacheOf } from '../lifecycle-parts.ts';
import { version } from '../version.ts';
import { readReceiver } from './read-receiver.ts';

export interface NotifyOptions {
  readonly notifySecret?: string;
  readonly notifyFile?: string;
  readonly notifyVerdicts: NotifiedVerdicts;
  readonly notifySource: string;
}

export interface Notifications {
  readonly observe: (event: EventEnvelope) => void;
  readonly observeController: Observe;
  readonly expose: NotificationMetrics['expose'];
  /** Sends the waiting notifications, within a few seconds. */
  readonly stop: () => Promise<void>;
}

export interface NotificationsWorld {
  readonly client: KubeClient;
  readonly namespace: string;
  readonly logger: Logger;
  readonly cacheOf: CacheOf;
}

/** Without a receiver only the metrics exist, and they stay zero. Throws LHK109 if the receiver cannot be read. */
export async function startNotifications(
  options: NotifyOptions,
  world: NotificationsWorld,
): Promise<Notifications> {
  const { client, namespace, logger, cacheOf } = world;
  const { notifySecret: secret, notifyFile: file } = options;
  const place = {
    ...(secret === undefined ? {} : { secret }),
    ...(file === undefined ? {} : { file }),
  };
  const receiver = await readReceiver(place, { client, namespace });
  if (receiver === null) return noNotifications();
  logger.info({ host: new URL(receiver.url).host }, 'NotificationsOn');
  const metrics = makeNotificationMetrics(() => notifier.waiting);
  const log = notificationReporter(logger);
  const notifier = new Notifier({
    ...nodePlatform,
    random: randomFraction,
    post: (message, signal) => postNotification(receiver, message, signal),
    verdicts: options.notifyVerdicts,
    source: options.notifySource,
    record: deliveryRecord(client, namespace),
    recordedEvents: (sinceMs) =>
      Object.values(recordedParts).flatMap((part) => part(cacheOf, sinceMs)),
    observe: (note) => {
      metrics.observe(note);
      log(note);
    },
  });
  return {
    observe: (event) => {
      notifier.observe(event);
    },
    observeController: ({ type }) => {
      if (type === 'LeadershipGained') void notifier.begin();
    },
    expose: metrics.expose,
    stop: () => notifier.stop(),
  };
}

function noNotifications(): Notifications {
  return {
    observe: () => undefined,
    observeController: () => undefined,
    expose: makeNotificationMetrics(() => 0).expose,
    stop: async () => undefined,
  };
}

/** Logs a failing receiver once, until it accepts a notification again. */
export function notificationReporter(logger: Logger): (note: NotifierNote) => void {
  let isBusy = false;
  return (note) => {
    const { type, ...facts } = note;
    if (type === 'NotificationSent') {
      isBusy = false;
      logger.debug(facts, type);
    } else if (type !== 'ReceiverBusy' || !isBusy) {
      isBusy ||= type === 'ReceiverBusy';
      logger.warn(facts, type);
    }
  };
}

const KEY = 'delivered.json';
/** Short, because a stop of the controller waits for the last write. */
const LIMIT = { timeoutMs: 2_000 };

/**
 * The delivered notifications, in a ConfigMap of the controllers' namespace, which the next leader reads. Only the
 * leader writes it. If two leaders overlap for a moment, receivers get some notifications twice.
 */
export function deliveryRecord(client: KubeClient, namespace: string): DeliveryRecord {
  const key = { namespace, name: NOTIFICATIONS };
  return {
    load: async () => {
      const found = await getOrNull(client, configMaps, key);
      return deliveredIn(found?.data?.[KEY]);
    },
    save: async (facts) => {
      const data = { [KEY]: JSON.stringify(facts) };
      const found = await getOrNull(client, configMaps, key);
      if (found === null) await client.create(configMaps, { metadata: { ...key }, data }, LIMIT);
      else await client.replace(configMaps, { ...found, data }, LIMIT);
    },
  };
}

/** null: the text is missing, or Lifehook did not write it. */
function deliveredIn(text: string | undefined): DeliveredFacts | null {
  try {
    const { ids, open } = JSON.parse(text ?? '') as {
      readonly ids?: unknown;
      readonly open?: unknown;
    };
    if (!Array.isArray(ids) || typeof open !== 'object' || open === null) return null;
    return { ids: ids.filter(isText), open: onlyTexts(open) };
  } catch {
    return null;
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function onlyTexts(values: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => isText(entry[1])),
  );
}

const POST_MS = 10_000;

/**
 * Statuses that reject this one message. After any other status a retry may succeed, perhaps only when an
 * operator has fixed the receiver or its address.
 */
const REFUSED = new Set([400, 413, 415, 422]);

/**
 * One attempt: a POST without redirects; of the answer only the status is read (ENG-N3). Never rejects. Texts contain
 * only the host of the address, because the path may be a secret.
 */
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

/**
 * The code of a failed connection, or the name of the error. The message is not used, because it may contain the
 * address.
 */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  if (typeof cause !== 'object' || cause === null) return 'unknown error';
  const { code, name } = cause as { readonly code?: unknown; readonly name?: unknown };
  const reason = [code, name].find((each) => typeof each === 'string');
  return reason ?? 'unknown error';
}
