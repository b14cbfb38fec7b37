/** Sends spans to the collector whose address is in $OTEL_EXPORTER_OTLP_ENDPOINT. */
import process from 'node:process';

import { countText } from '../model/count-text.ts';
import type { EventEnvelope } from '../model/event.ts';
import type { PostAnswer } from '../observe/send-queue.ts';
import { makeTraceExporter, type TraceNote } from '../observe/trace-exporter.ts';
import { attemptTraces, otlpJson, type Span } from '../observe/trace-span.ts';
import { nodePlatform } from '../platform/node-platform.ts';
import { abortAfter } from './cancel-on-signals.ts';
import { version } from './version.ts';

export interface SpanExportOptions {
  /** The name of the program in the traces. */
  readonly service: string;
  /** Called once, before the first span. */
  readonly onStart?: (url: string) => void;
  /** Called if the address or a header of the collector is invalid, in which case no span is sent. */
  readonly onProblem: (problem: string) => void;
  readonly observe: (note: TraceNote) => void;
}

export interface SpanExport {
  readonly add: (span: Span) => void;
  /** Sends the remaining spans, within two seconds. */
  readonly stop: () => Promise<void>;
}

/** null: $OTEL_EXPORTER_OTLP_ENDPOINT is not set, or the address or a header of the collector is invalid. */
export function startSpanExport(options: SpanExportOptions): SpanExport | null {
  const { service, onStart, onProblem, observe } = options;
  const collector = collectorFrom(process.env);
  if (collector === null) return null;
  if ('problem' in collector) {
    onProblem(collector.problem);
    return null;
  }
  onStart?.(collector.url);
  const post = (spans: readonly Span[], signal: AbortSignal): Promise<PostAnswer> =>
    postSpans({ ...collector, service }, spans, signal);
  const exporter = makeTraceExporter({ post, timers: nodePlatform.timers, observe });
  return { add: exporter.add.bind(exporter), stop: () => exporter.stop() };
}

export interface Collector {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** null: traces are off. */
export type CollectorChoice = Collector | { readonly problem: string } | null;

/**
 * The collector of OpenTelemetry's standard variables: JSON over HTTP. $OTEL_EXPORTER_OTLP_ENDPOINT is the base URL, as
 * the exporter specification says.
 */
export function collectorFrom(env: Readonly<Record<string, string | undefined>>): CollectorChoice {
  const endpoint = env['OTEL_EXPORTER_OTLP_ENDPOINT']?.trim() ?? '';
  if (endpoint === '') return null;
  const base = URL.canParse(endpoint) ? new URL(endpoint) : null;
  if (base !== null && `${base.username}${base.password}` !== '') {
    // The address is logged, and `fetch` refuses it.
    const problem =
      'OTEL_EXPORTER_OTLP_ENDPOINT must not contain a user or a password. Write the header into OTEL_EXPORTER_OTLP_HEADERS instead, as authorization=Basic%20TOKEN. There are no traces.';
    return { problem };
  }
  if (base === null || !['http:', 'https:'].includes(base.protocol)) {
    const problem = `OTEL_EXPORTER_OTLP_ENDPOINT must be the address of a collector that takes OTLP over HTTP, such as http://localhost:4318; received ${endpoint}. There are no traces.`;
    return { problem };
  }
  const url = `${endpoint.replace(/\/+$/u, '')}/v1/traces`;
  return collectorAt(url, headersIn(env['OTEL_EXPORTER_OTLP_HEADERS'] ?? ''));
}

function collectorAt(url: string, headers: Collector['headers']): CollectorChoice {
  if (areHeaders(headers)) return { url, headers };
  const problem =
    'OTEL_EXPORTER_OTLP_HEADERS has a name or a value that HTTP does not allow in a header. Write name=value,name=value, percent-encoded. There are no traces.';
  return { problem };
}

/**
 * Whether the headers are valid. Tested before the first request, since an error of `fetch` quotes the value, which may
 * be a secret.
 */
function areHeaders(headers: Collector['headers']): boolean {
  try {
    void new Headers(headers);
    return true;
  } catch {
    return false;
  }
}

/** Parses headers: `name=value,name=value`, percent-encoded as in W3C Baggage. */
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
    // The text is not percent-encoded, and is used unchanged.
    return text;
  }
}

/** Statuses after which a client retries (OTLP/HTTP, "Retryable response codes"). */
const BUSY = new Set([429, 502, 503, 504]);

const POST_MS = 10_000;

/** Sends spans once; never rejects. */
async function postSpans(
  { url, headers, service }: Collector & Pick<SpanExportOptions, 'service'>,
  spans: readonly Span[],
  signal: AbortSignal,
): Promise<PostAnswer> {
  try {
    const { ok, status, body } = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: otlpJson(spans, { 'service.name': service, 'service.version': version }),
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

/** Traces of the hooks that a command runs itself, in the container, pod and pipeline lifecycles. */
interface CommandTraces {
  readonly observe: (event: EventEnvelope) => void;
  /** Sends the remaining spans, within two seconds. */
  readonly stop: () => Promise<void>;
}

/** null: $OTEL_EXPORTER_OTLP_ENDPOINT is not set. `service`: the name of the program in the traces. */
export function commandTraces(service: string): CommandTraces | null {
  const warn = (what: string): void => {
    process.stderr.write(`warning: ${what}\n`);
  };
  const started = startSpanExport({
    service,
    onProblem: warn,
    observe: (note) => {
      if (note.type === 'SpansDropped') warn(`${countText(note.spans, 'span')} lost: ${note.why}`);
    },
  });
  return started === null ? null : { observe: attemptTraces(started.add), stop: started.stop };
}
