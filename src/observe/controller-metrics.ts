/** Metrics of the controllers and of the traces that they send, in the exposition format of Prometheus. */
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

import type { ControllerEvent } from '../controller/controller-event.ts';

export interface ControllerMetrics {
  readonly observeController: (event: ControllerEvent) => void;
  readonly observeSpans: (outcome: SpanOutcome, spans: number) => void;
  /** The metrics as text, and its content type. */
  readonly expose: () => Promise<{ readonly type: string; readonly text: string }>;
}

export type SpanOutcome = 'SpansSent' | 'SpansDropped';

const PASS_BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30];
const MS = 1_000;

export function makeControllerMetrics(): ControllerMetrics {
  const registry = new Registry();
  return {
    observeController: controllerMetrics([registry]),
    observeSpans: spanMetrics([registry]),
    expose: async () => ({ type: registry.contentType, text: await registry.metrics() }),
  };
}

function controllerMetrics(registers: Registry[]): (event: ControllerEvent) => void {
  const passes = new Histogram({
    name: 'lifehook_pass_seconds',
    help: 'passes of controllers',
    labelNames: ['controller', 'outcome'],
    buckets: PASS_BUCKETS,
    registers,
  });
  const depth = new Gauge({
    name: 'lifehook_queue_depth',
    help: 'keys that wait for a worker',
    labelNames: ['controller'],
    registers,
  });
  const interruptions = new Counter({
    name: 'lifehook_watch_interruptions_total',
    help: 'watches that were interrupted and resumed',
    labelNames: ['resource'],
    registers,
  });
  const leader = new Gauge({
    name: 'lifehook_leader',
    help: '1: this process leads',
    registers,
  });
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

function spanMetrics(registers: Registry[]): (outcome: SpanOutcome, spans: number) => void {
  const counter = new Counter({
    name: 'lifehook_trace_spans_total',
    help: 'spans of traces that a collector accepted, and those that were dropped',
    labelNames: ['outcome'],
    registers,
  });
  return (outcome, spans) => {
    counter.inc({ outcome: outcome === 'SpansSent' ? 'sent' : 'dropped' }, spans);
  };
}
