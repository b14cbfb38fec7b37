/** Where traces go, by the standard variables of OpenTelemetry, and the way there: JSON over HTTP. */
import { otlpJson, type Span } from '../../timeline/trace-span.ts';
import type { PostAnswer } from '../../timeline/trace-exporter.ts';
import { abortAfter } from '../cancel-on-signals.ts';
import { version } from '../version.ts';

export interface Collector {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** null: no traces are wanted. */
export type CollectorChoice = Collector | { readonly problem: string } | null;

/** $OTEL_EXPORTER_OTLP_ENDPOINT is the base of the address, as the specification of the exporter has it. */
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
export async function postSpans(
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
