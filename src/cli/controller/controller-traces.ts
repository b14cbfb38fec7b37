/** The traces of the controllers, which are on if $OTEL_EXPORTER_OTLP_ENDPOINT is set. */
import type { Logger } from 'pino';

import { attemptTraces } from '../../observe/trace-span.ts';
import type { ObservedEvent } from '../../observe/observed-event.ts';
import type { ControllerMetrics } from '../../observe/controller-metrics.ts';
import type { TraceNote } from '../../observe/trace-exporter.ts';
import { traceParts } from '../lifecycle-controllers.ts';
import type { CacheOf } from '../lifecycle-parts.ts';
import { startSpanExport } from '../span-export.ts';

export interface ControllerTraces {
  readonly observe: (event: ObservedEvent) => void;
  readonly stop: () => Promise<void>;
}

export interface ControllerTracesOptions {
  readonly logger: Logger;
  /** Absent: sent and lost spans are not counted. */
  readonly metrics?: Pick<ControllerMetrics, 'observeSpans'>;
  readonly cacheOf: CacheOf;
}

const noTraces: ControllerTraces = { observe: () => undefined, stop: async () => undefined };

export function controllerTraces(options: ControllerTracesOptions): ControllerTraces {
  const { logger } = options;
  const started = startSpanExport({
    service: 'lifehook-controller',
    onStart: (url) => {
      logger.info({ url }, 'TracesOn');
    },
    onProblem: (problem) => {
      logger.warn({ problem }, 'TracesOff');
    },
    observe: traceReporter(options),
  });
  if (started === null) return noTraces;
  const { add, stop } = started;
  const own = Object.values(traceParts).map((part) => part(options.cacheOf, add));
  const all = [...own, attemptTraces(add)];
  return {
    observe: (event) => {
      for (const observe of all) observe(event);
    },
    stop,
  };
}

/** Logs a failing collector, and that spans are lost, once until it accepts spans again. Lost spans are counted. */
export function traceReporter({
  logger,
  metrics,
}: Pick<ControllerTracesOptions, 'logger' | 'metrics'>): (note: TraceNote) => void {
  const reported = new Set<TraceNote['type']>();
  return (note) => {
    const { type, ...facts } = note;
    if (note.type !== 'CollectorBusy') metrics?.observeSpans(note.type, note.spans);
    if (type === 'SpansSent') reported.clear();
    else if (!reported.has(type)) logger.warn(facts, type);
    reported.add(type);
  };
}
