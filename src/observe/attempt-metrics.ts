/** The attempts of all lifecycles as one metric. */
import { Histogram, Registry } from 'prom-client';

import type { EventEnvelope } from '../model/event.ts';

/** Seconds. Hooks take from milliseconds, as a call, to an hour, as a migration. */
const BUCKETS = [0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 3_600];
const MS = 1_000;

export interface AttemptMetrics {
  readonly observe: (event: EventEnvelope) => void;
  /** The metrics as text, and its content type. */
  readonly expose: () => Promise<{ readonly type: string; readonly text: string }>;
}

export function makeAttemptMetrics(): AttemptMetrics {
  const registry = new Registry();
  const attempts = new Histogram({
    name: 'lifehook_attempt_seconds',
    help: 'attempts of hooks in all lifecycles',
    labelNames: ['lifecycle', 'point', 'outcome'],
    buckets: BUCKETS,
    registers: [registry],
  });
  return {
    observe: ({ lifecycle, point, end }) => {
      if (end === undefined) return;
      const { outcome, durationMs } = end;
      attempts.observe({ lifecycle, point: point ?? '', outcome }, durationMs / MS);
    },
    expose: async () => ({ type: registry.contentType, text: await registry.metrics() }),
  };
}
