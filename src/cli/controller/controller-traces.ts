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
import { type PostAnswer, TraceExporter, type TraceNote } from '../../timeline/trace-exporter.ts';
import { otlpJson, type Span } from '../../timeline/trace-span.ts';
import { abortAfter } from '../cancel-on-signals.ts';
import { version } from '../version.ts';

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

export interface Collector {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** null: no traces are wanted. */
export type CollectorChoice = Collector | { readonly problem: string } | null;

/**
 * Where traces go, by the standard variables of OpenTelemetry: JSON over HTTP. $OTEL_EXPORTER_OTLP_ENDPOINT is the base of the address, as the specification of the exporter has it.
 */
export function collectorFrom(env: Readonly<Record<string, string | undefined>>): CollectorChoice {
  const endpoint = env['OTEL_EXPORTER_OTLP_ENDPOINT']?.trim() ?? '';
  if (endpoint === '') return null;
  const base = URL.canParse(endpoint) ? new URL(endpoint) : null;
  if (base === null || !['http:', 'https:'].includes(base.protocol)) {
    const problem = `OTEL_EXPORTER_OTLP_ENDPOINT has to be the address of a collector that takes OTLP over HTTP, such as http://localhost:4318; received ${endpoint}. There are no traces.`;
    return { problem };
  }
  const url = `${endpoint.replace(/\/+$/u, '')}/v1/traces`;
  return { url, headers: headersIn(env['OTEL_EXPORTER_OTLP_HEADERS'] ?? '') };
}

/** `name=value,name=value`, percent-encoded as in W3C Baggage. */
function headersIn(text: string): Record<string, string> {
  const pairs = text.split(',').flatMap((pair): [string, string][] => {
    const at = pair.indexOf('=');
    return at < 1 ? [] : [[pair.slice(0, at).trim(), decoded(pair.slice(at + 1).trim())]];
  });
  return Object.fromEntries(pairs);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Not encoded, then.
    return text;
  }
}

const RESOURCE = { 'service.name': 'lifehook-controller', 'service.version': version };
/** Answers that say "later" (OTLP/HTTP, "Retryable response codes"). */
const BUSY = new Set([408, 429, 502, 503, 504]);

const POST_MS = 10_000;

/** Never rejects. */
async function postSpans(
  { url, headers }: Collector,
  spans: readonly Span[],
  signal: AbortSignal,
): Promise<PostAnswer> {
  try {
    const { ok, status, body } = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: otlpJson(spans, RESOURCE),
      signal: AbortSignal.any([signal, abortAfter(POST_MS)]),
    });
    await body?.cancel();
    if (ok) return { kind: 'taken' };
    const why = `${url} answers ${status}`;
    return { kind: BUSY.has(status) ? 'busy' : 'refused', why };
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    return { kind: 'busy', why: `${url}: ${String(cause)}` };
  }
}
