/** Traces of the controllers, if $OTEL_EXPORTER_OTLP_ENDPOINT is set. */
import type { Logger } from 'pino';

import type { Informer } from '../../controller/informer.ts';
import { keyText } from '../../controller/object-key.ts';
import {
  type ApplicationSnapshot,
  applicationSnapshots,
  type ExecutionHook,
} from '../../lifecycles/snapshot/kinds.ts';
import { attemptTraces } from '../../observe/attempt-traces.ts';
import type { ObservedEvent } from '../../observe/observed-event.ts';
import type { ControllerMetrics } from '../../observe/controller-metrics.ts';
import { snapshotTraces, type TracedObjects } from '../../observe/snapshot/snapshot-traces.ts';
import type { TraceNote } from '../../observe/trace-exporter.ts';
import { startSpanExport } from '../span-export.ts';

export interface ControllerTraces {
  readonly observe: (event: ObservedEvent) => void;
  readonly stop: () => Promise<void>;
}

export interface ControllerTracesOptions {
  readonly logger: Logger;
  /** Absent: sent and lost spans are not counted. */
  readonly metrics?: Pick<ControllerMetrics, 'observeSpans'>;
  readonly hooks: () => Informer<ExecutionHook>;
  readonly snapshots: () => Informer<ApplicationSnapshot>;
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
    observe: teller(options),
  });
  if (started === null) return noTraces;
  const { add, stop } = started;
  const ofSnapshots = snapshotTraces({ objects: objectsIn(options), add });
  const ofOthers = attemptTraces(add);
  return {
    observe: (event) => {
      ofSnapshots(event);
      ofOthers(event);
    },
    stop,
  };
}

/** Logs a failing collector once, until it accepts spans again; lost spans are counted. */
function teller({ logger, metrics }: ControllerTracesOptions): (note: TraceNote) => void {
  let told: TraceNote['type'] = 'SpansSent';
  return (note) => {
    const { type, ...facts } = note;
    if (note.type !== 'CollectorBusy') metrics?.observeSpans(note.type, note.spans);
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
