/** Metrics of the controllers and of the traces that they send. */
import type { ControllerEvent } from '../controller/controller-event.ts';
import { type Exposed, MetricSet } from './metric-set.ts';

export interface ControllerMetrics extends Exposed {
  readonly observeController: (event: ControllerEvent) => void;
  readonly observeSpans: (outcome: SpanOutcome, spans: number) => void;
}

export type SpanOutcome = 'SpansSent' | 'SpansDropped';

const PASS_BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30];
const MS = 1_000;

export function makeControllerMetrics(): ControllerMetrics {
  const metrics = new MetricSet();
  const spanCount = metrics.counter(
    'lifehook_trace_spans_total',
    'spans of traces that a collector accepted, and those that were dropped',
    'outcome',
  );
  return {
    observeController: controllerMetrics(metrics),
    observeSpans: (outcome, spans) => {
      spanCount.inc({ outcome: outcome === 'SpansSent' ? 'sent' : 'dropped' }, spans);
    },
    expose: metrics.expose,
  };
}

function controllerMetrics(metrics: MetricSet): (event: ControllerEvent) => void {
  const pass = ['lifehook_pass_seconds', 'duration of reconciles of the controllers'] as const;
  const passes = metrics.histogram(pass, PASS_BUCKETS, 'controller', 'outcome');
  const depth = metrics.gauge('lifehook_queue_depth', 'keys that wait for a worker', 'controller');
  const interruptions = metrics.counter(
    'lifehook_watch_interruptions_total',
    'watches that were interrupted and resumed',
    'resource',
  );
  const leader = metrics.gauge('lifehook_leader', '1 if this process leads');
  return (event) => {
    if (event.type === 'PassEnded') {
      const { controller, outcome } = event;
      passes.observe({ controller, outcome: outcome.kind }, event.durationMs / MS);
      depth.set({ controller }, event.depth);
    }
    if (event.type === 'WatchInterrupted') interruptions.inc({ resource: event.resource });
    if (event.type === 'LeadershipGained') leader.set(1);
    if (event.type === 'LeadershipLost') leader.set(0);
  };
}
