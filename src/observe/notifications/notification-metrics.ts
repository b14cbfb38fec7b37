/** Metrics of the notifications. */
import { type Exposed, MetricSet } from '../metric-set.ts';
import type { NotifierNote } from './notifier.ts';

export interface NotificationMetrics extends Exposed {
  readonly observe: (note: NotifierNote) => void;
}

/** Creates the metrics. `waiting` returns the number of waiting messages; called at each scrape. */
export function makeNotificationMetrics(waiting: () => number): NotificationMetrics {
  const metrics = new MetricSet();
  const all = metrics.counter(
    'lifehook_notifications_total',
    'notifications that the receiver accepted, those that were dropped, and failed attempts',
    'outcome',
  );
  const queued = metrics.gauge(
    'lifehook_notifications_waiting',
    'notifications that wait for the receiver',
  );
  metrics.scraped(queued, () => {
    queued.set(waiting());
  });
  return {
    observe: (note) => {
      if (note.type === 'NotificationSent') all.inc({ outcome: 'sent' });
      if (note.type === 'NotificationDropped') all.inc({ outcome: 'dropped' }, note.count);
      if (note.type === 'ReceiverBusy') all.inc({ outcome: 'failed' });
    },
    expose: metrics.expose,
  };
}
