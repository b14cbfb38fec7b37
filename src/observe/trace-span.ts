/**
 * Spans, and their wire format: OTLP as JSON (opentelemetry-proto, `ExportTraceServiceRequest`), in which ids are
 * hexadecimal and 64-bit numbers are text. The official library would be eleven packages, 28 MB and a quarter of our
 * program. This file and `trace-exporter.ts` implement the part of it that we need. Pure.
 */
import type { EventEnvelope } from '../model/event.ts';

export interface Span {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  /** Id of the parent span; null: this span is the root of its trace. */
  readonly parentSpanId: string | null;
  readonly name: string;
  /** Wall clock, milliseconds since the epoch. */
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Readonly<Record<string, string>>;
  /** Text of the error; null: no error. */
  readonly error: string | null;
}

/** The attributes of the resource that emits the spans. */
export type TraceResource = Readonly<Record<string, string>>;

export function otlpJson(spans: readonly Span[], resource: TraceResource): string {
  const scopeSpans = [{ scope: { name: 'lifehook' }, spans: spans.map(otlpSpan) }];
  return JSON.stringify({
    resourceSpans: [{ resource: { attributes: otlpAttributes(resource) }, scopeSpans }],
  });
}

const SPAN_KIND_INTERNAL = 1;
const STATUS_UNSET = 0;
const STATUS_ERROR = 2;

function otlpSpan(span: Span): object {
  const { traceId, spanId, parentSpanId, name, attributes, error } = span;
  return {
    traceId,
    spanId,
    ...(parentSpanId === null ? {} : { parentSpanId }),
    name,
    kind: SPAN_KIND_INTERNAL,
    startTimeUnixNano: nanoseconds(span.startMs),
    endTimeUnixNano: nanoseconds(span.endMs),
    attributes: otlpAttributes(attributes),
    status: error === null ? { code: STATUS_UNSET } : { code: STATUS_ERROR, message: error },
  };
}

function otlpAttributes(attributes: Readonly<Record<string, string>>): object[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: { stringValue: value } }));
}

/** Example: 1.5 ms is "1500000". A time in milliseconds since the epoch is exact only to microseconds. */
function nanoseconds(ms: number): string {
  return String(BigInt(Math.round(ms * 1_000)) * 1_000n);
}

const OFFSET = 0xcbf2_9ce4_8422_2325n;
const PRIME = 0x100_0000_01b3n;
const MASK = 0xffff_ffff_ffff_ffffn;
const SPAN_DIGITS = 16;

/**
 * A trace id that depends only on the UID of the object, so that the spans of a crashed controller and of its successor
 * are in one trace. It is the UID without its dashes: "5f0c9a1b-…" gives "5f0c9a1b…".
 */
export function traceIdOf(uid: string): string {
  const digits = uid.replaceAll('-', '').toLowerCase();
  return /^[0-9a-f]{32}$/u.test(digits) ? digits : spanIdOf(uid) + spanIdOf(`${uid}/`);
}

/** The id of a span: 64-bit FNV-1a over the UTF-16 units of the text. */
export function spanIdOf(text: string): string {
  let hash = OFFSET;
  for (let at = 0; at < text.length; at += 1) {
    hash = ((hash ^ BigInt(text.charCodeAt(at))) * PRIME) & MASK;
  }
  return hash.toString(16).padStart(SPAN_DIGITS, '0');
}

/**
 * The attempts of all lifecycles as OpenTelemetry spans. The attempts of one run are in one trace. The snapshot
 * lifecycle has separate spans (snapshot-traces.ts), in which an attempt is within the freeze window of its target.
 */
export function attemptTraces(add: (span: Span) => void): (event: EventEnvelope) => void {
  let count = 0;
  return (event) => {
    if (event.end === undefined || event.lifecycle === 'snapshot') return;
    count += 1;
    add(spanOf(event, event.end, count));
  };
}

/**
 * The span of one attempt. `count` is the number of spans so far, since a run may have equal attempts in the same
 * millisecond.
 */
function spanOf(
  { lifecycle, target, point, run, attempt, atMs }: EventEnvelope,
  { outcome, durationMs }: NonNullable<EventEnvelope['end']>,
  count: number,
): Span {
  const key = `${lifecycle}/${run}`;
  const name = point ?? lifecycle;
  return {
    traceId: traceIdOf(key),
    spanId: spanIdOf(`${key}/${name}/${attempt}/${atMs}/${count}`),
    parentSpanId: null,
    name,
    startMs: atMs - durationMs,
    endMs: atMs,
    attributes: {
      'lifehook.lifecycle': lifecycle,
      'lifehook.run': run,
      ...named(target),
      ...(attempt === null ? {} : { 'lifehook.attempt': String(attempt) }),
      'lifehook.outcome': outcome,
    },
    error: outcome === 'Succeeded' ? null : outcome,
  };
}

/** The attribute names, from the semantic conventions of OpenTelemetry where those have a name. */
const ATTRIBUTES: Readonly<Record<string, string>> = {
  namespace: 'k8s.namespace.name',
  deployment: 'k8s.deployment.name',
  pod: 'k8s.pod.name',
  container: 'k8s.container.name',
  containerId: 'container.id',
};

function named(target: EventEnvelope['target']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(target).map(([key, value]) => [ATTRIBUTES[key] ?? `lifehook.${key}`, value]),
  );
}
