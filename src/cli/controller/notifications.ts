/** The notifications of `lifehook controller`, if its options name a receiver. */
import type { Logger } from 'pino';

import type { Observe } from '../../controller/controller-event.ts';
import type { KubeClient } from '../../kube/client.ts';
import type { EventEnvelope } from '../../model/event.ts';
import {
  makeNotificationMetrics,
  type NotificationMetrics,
} from '../../observe/notifications/notification-metrics.ts';
import {
  type NotifiedVerdicts,
  Notifier,
  type NotifierNote,
} from '../../observe/notifications/notifier.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import { recordedParts } from '../lifecycle-controllers.ts';
import type { CacheOf } from '../lifecycle-parts.ts';
import { deliveryRecord } from './delivery-record.ts';
import { postNotification } from './post-notification.ts';
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
  /** Sends what waits, within a few seconds. */
  readonly stop: () => Promise<void>;
}

export interface NotificationsWorld {
  readonly client: KubeClient;
  /** The namespace of the controllers. */
  readonly namespace: string;
  readonly logger: Logger;
  readonly cacheOf: CacheOf;
}

/** Without a receiver there are only the metrics, with zeros. Throws LHK109 if the receiver cannot be read. */
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
  const log = reporter(logger);
  const notifier = new Notifier({
    ...nodePlatform,
    random: Math.random,
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

/** A failing receiver is logged once, until it takes a notification again. */
function reporter(logger: Logger): (note: NotifierNote) => void {
  let isBusy = false;
  return (note) => {
    const { type, ...facts } = note;
    if (type === 'NotificationSent') {
      isBusy = false;
      logger.debug(facts, type);
    } else if (type !== 'ReceiverBusy' || !isBusy) {
      isBusy = type === 'ReceiverBusy';
      logger.warn(facts, type);
    }
  };
}
