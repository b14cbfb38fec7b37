/** The attempts of all lifecycles as one metric. */
import type { EventEnvelope } from '../model/event.ts';
import { type Exposed, MetricSet } from './metric-set.ts';

/** Seconds. A hook takes between some milliseconds (a call) and an hour (a migration). */
const BUCKETS = [0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 3_600];
const MS = 1_000;

export interface AttemptMetrics extends Exposed {
  readonly observe: (event: EventEnvelope) => void;
}

export function makeAttemptMetrics(): AttemptMetrics {
  const metrics = new MetricSet();
  const what = [
    'lifehook_attempt_seconds',
    'duration of attempts of hooks in all lifecycles',
  ] as const;
  const attempts = metrics.histogram(what, BUCKETS, 'lifecycle', 'point', 'outcome');
  return {
    observe: ({ lifecycle, point, end }) => {
      if (end === undefined) return;
      const { outcome, durationMs } = end;
      attempts.observe({ lifecycle, point: point ?? '', outcome }, durationMs / MS);
    },
    expose: metrics.expose,
  };
}
