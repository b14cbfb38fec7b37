/**
 * The attempts of all lifecycles as OpenTelemetry spans. The attempts of one run are in one trace. The snapshot
 * lifecycle has separate spans (snapshot-traces.ts), in which an attempt is within the freeze window of its target.
 */
import type { EventEnvelope } from '../model/event.ts';
import { type Span, spanIdOf, traceIdOf } from './trace-span.ts';

export function attemptTraces(add: (span: Span) => void): (event: EventEnvelope) => void {
  let count = 0;
  return (event) => {
    if (event.end === undefined || event.lifecycle === 'snapshot') return;
    count += 1;
    add(spanOf(event, event.end, count));
  };
}

/** `count`: number of spans so far, since a run may have equal attempts in the same millisecond. */
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

/** The attribute names of the semantic conventions of OpenTelemetry, if there is one. */
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
