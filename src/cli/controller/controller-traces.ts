/** Traces of the controllers, for who asks for them by $OTEL_EXPORTER_OTLP_ENDPOINT. */
import process from 'node:process';
import type { Logger } from 'pino';

import type { Informer } from '../../controller/informer.ts';
import { keyText } from '../../controller/object-key.ts';
import {
  type ApplicationSnapshot,
  applicationSnapshots,
  type ExecutionHook,
} from '../../lifecycles/snapshot/kinds.ts';
import type { SnapshotEvent } from '../../lifecycles/snapshot/snapshot-event.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import type { SnapshotMetrics } from '../../timeline/snapshot-metrics.ts';
import { snapshotTraces, type TracedObjects } from '../../timeline/snapshot-traces.ts';
import { TraceExporter, type TraceNote } from '../../timeline/trace-exporter.ts';
import { collectorFrom, postSpans } from './otlp-collector.ts';

export interface ControllerTraces {
  readonly observe: (event: SnapshotEvent) => void;
  readonly stop: () => Promise<void>;
}

export interface ControllerTracesOptions {
  readonly logger: Logger;
  readonly metrics: Pick<SnapshotMetrics, 'observeSpans'>;
  readonly hooks: () => Informer<ExecutionHook>;
  readonly snapshots: () => Informer<ApplicationSnapshot>;
}

const noTraces: ControllerTraces = { observe: () => undefined, stop: async () => undefined };

export function controllerTraces(options: ControllerTracesOptions): ControllerTraces {
  const { logger } = options;
  const collector = collectorFrom(process.env);
  if (collector === null) return noTraces;
  if ('problem' in collector) {
    logger.warn({ problem: collector.problem }, 'TracesOff');
    return noTraces;
  }
  const { url } = collector;
  logger.info({ url }, 'TracesOn');
  const { clock, timers } = nodePlatform;
  const exporter = new TraceExporter({
    post: (spans, signal) => postSpans(collector, spans, signal),
    timers,
    observe: teller(options),
  });
  const add = exporter.add.bind(exporter);
  return {
    observe: snapshotTraces({ clock, objects: objectsIn(options), add }),
    stop: () => exporter.stop(),
  };
}

/** What is wrong with a collector is said once, until it takes spans again; what is lost is counted. */
function teller({ logger, metrics }: ControllerTracesOptions): (note: TraceNote) => void {
  let told: TraceNote['type'] = 'SpansSent';
  return (note) => {
    const { type, ...facts } = note;
    if (note.type !== 'CollectorBusy') metrics.observeSpans(note.type, note.spans);
    if (type !== told && type !== 'SpansSent') logger.warn(facts, type);
    told = type;
  };
}

function objectsIn({ hooks, snapshots }: ControllerTracesOptions): TracedObjects {
  return {
    hook: (namespace, name) => {
      const { uid, ownerReferences = [] } =
        hooks().get(keyText({ namespace, name }))?.metadata ?? {};
      if (uid === undefined) return null;
      const owner = ownerReferences.find(({ kind }) => kind === applicationSnapshots.kind);
      return { uid, snapshotUid: owner?.uid ?? null };
    },
    snapshot: (namespace, name) => {
      const { metadata = {}, status = {} } = snapshots().get(keyText({ namespace, name })) ?? {};
      const { uid, creationTimestamp = '' } = metadata;
      if (uid === undefined) return null;
      return { uid, startedMs: Date.parse(status.startedAt ?? creationTimestamp) };
    },
  };
}
