/** Metrics of the notifications, in the exposition format of Prometheus. */
import { Counter, Gauge, Registry } from 'prom-client';

import type { NotifierNote } from './notifier.ts';

export interface NotificationMetrics {
  readonly observe: (note: NotifierNote) => void;
  /** The metrics as text, and its content type. */
  readonly expose: () => Promise<{ readonly type: string; readonly text: string }>;
}

/** `waiting` is called at each scrape. */
export function makeNotificationMetrics(waiting: () => number): NotificationMetrics {
  const registry = new Registry();
  const registers = [registry];
  const all = new Counter({
    name: 'lifehook_notifications_total',
    help: 'notifications that the receiver accepted, those that were dropped, and failed attempts',
    labelNames: ['outcome'],
    registers,
  });
  const queued = new Gauge({
    name: 'lifehook_notifications_waiting',
    help: 'notifications that wait for the receiver',
    registers,
    collect: () => {
      queued.set(waiting());
    },
  });
  return {
    observe: (note) => {
      if (note.type === 'NotificationSent') all.inc({ outcome: 'sent' });
      if (note.type === 'NotificationDropped') all.inc({ outcome: 'dropped' }, note.count);
      if (note.type === 'ReceiverBusy') all.inc({ outcome: 'failed' });
    },
    expose: async () => ({ type: registry.contentType, text: await registry.metrics() }),
  };
}
