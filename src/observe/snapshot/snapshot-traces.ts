/**
 * The snapshot lifecycle as traces, created from its events:
 *
 *   ApplicationSnapshot ─┬─ ExecutionHook ─┬─ frozen POD/CONTAINER ─┬─ preAction, probe, postAction
 *                        ├─ cut            └─ released: CAUSE       └─ thaw overdue
 *
 * A hook without a snapshot is a separate trace. Each span is created from a single event, that of its end, so there is
 * no state that a restart could lose.
 */
import {
  ACTION_POINTS,
  type SnapshotEvent,
  type TargetName,
} from '../../lifecycles/snapshot/snapshot-event.ts';
import type { ObservedEvent } from '../observed-event.ts';
import { type Span, spanIdOf, traceIdOf } from '../trace-span.ts';

/** Looks up the objects of the events; null: the object is no longer known, so it gets no span. */
export interface TracedObjects {
  readonly hook: (namespace: string, name: string) => TracedHook | null;
  readonly snapshot: (namespace: string, name: string) => TracedSnapshot | null;
}

export interface TracedHook {
  readonly uid: string;
  /** UID of the snapshot that created the hook; null: a user created it. */
  readonly snapshotUid: string | null;
}

export interface TracedSnapshot {
  readonly uid: string;
  /** Wall clock, milliseconds since the epoch. */
  readonly startedMs: number;
}

export interface SnapshotTracesOptions {
  readonly objects: TracedObjects;
  /** Receives each span; must not throw, and must return at once. */
  readonly add: (span: Span) => void;
}

export function snapshotTraces(options: SnapshotTracesOptions): (event: ObservedEvent) => void {
  const { objects, add } = options;
  let count = 0;
  return ({ lifecycle, detail: event, atMs: nowMs }) => {
    // A restore gets no span: its status has all its hooks.
    if (lifecycle !== 'snapshot' || event.type === 'RestoreEnded') return;
    count += 1;
    const about = 'target' in event ? event.target : event;
    const facts = { event, nowMs, count };
    if (!('hook' in about) && !('snapshot' in about)) return;
    const span =
      'hook' in about
        ? spanOfHook(facts, objects.hook(about.namespace, about.hook))
        : spanOfSnapshot(facts, objects.snapshot(about.namespace, about.snapshot));
    if (span !== null) add(span);
  };
}

interface SpanFacts {
  readonly event: SnapshotEvent;
  readonly nowMs: number;
  /** Number of events so far. With it, two equal events in the same millisecond get different ids. */
  readonly count: number;
}

function spanOfSnapshot(facts: SpanFacts, snapshot: TracedSnapshot | null): Span | null {
  const { event, nowMs } = facts;
  if (snapshot === null || !('snapshot' in event)) return null;
  const { namespace, snapshot: name } = event;
  const named = { 'k8s.namespace.name': namespace, 'lifehook.snapshot': name };
  const trace = { traceId: traceIdOf(snapshot.uid), endMs: nowMs, error: null };
  const root = spanIdOf(snapshot.uid);
  if (event.type === 'CutObserved') {
    const startMs = nowMs - event.cutMs;
    const spanId = within(root, facts);
    return { ...trace, spanId, parentSpanId: root, name: 'cut', startMs, attributes: named };
  }
  const end = endOf(event);
  if (end === null) return null;
  const { attributes, error } = end;
  return {
    ...trace,
    spanId: root,
    parentSpanId: null,
    name: 'ApplicationSnapshot',
    startMs: Math.min(snapshot.startedMs, nowMs),
    attributes: { ...named, ...attributes },
    error,
  };
}

function endOf(event: SnapshotEvent): Pick<Span, 'attributes' | 'error'> | null {
  if (event.type === 'Verdict') {
    const { value, reason } = event;
    const attributes = { 'lifehook.verdict': value, 'lifehook.verdict.reason': reason };
    const isGood = value === 'ApplicationConsistent' || value === 'CrashConsistent';
    return { attributes, error: isGood ? null : `${value}: ${reason}` };
  }
  if (event.type !== 'FailedBeforeCut') return null;
  const { reason, message } = event;
  return { attributes: { 'lifehook.failure.reason': reason }, error: `${reason}: ${message}` };
}

function spanOfHook(facts: SpanFacts, hook: TracedHook | null): Span | null {
  const { event, nowMs } = facts;
  if (hook === null) return null;
  const { uid, snapshotUid } = hook;
  const trace = { traceId: traceIdOf(snapshotUid ?? uid), endMs: nowMs, error: null };
  const root = spanIdOf(uid);
  if ('target' in event) return spanOfTarget(facts, trace, uid);
  if (event.type !== 'Settled' && event.type !== 'Released') return null;
  const named = { 'k8s.namespace.name': event.namespace, 'lifehook.hook': event.hook };
  if (event.type === 'Released') {
    const name = `released: ${event.cause}`;
    const spanId = within(root, facts);
    return { ...trace, spanId, parentSpanId: root, name, startMs: nowMs, attributes: named };
  }
  return {
    ...trace,
    spanId: root,
    parentSpanId: snapshotUid === null ? null : spanIdOf(snapshotUid),
    name: 'ExecutionHook',
    startMs: nowMs - event.sinceMs,
    attributes: named,
  };
}

type Trace = Pick<Span, 'traceId' | 'endMs' | 'error'>;

/** The span of one container. */
function spanOfTarget(facts: SpanFacts, trace: Trace, hookUid: string): Span | null {
  const { event, nowMs } = facts;
  if (!('target' in event)) return null;
  const { pod, container } = event.target;
  const ofTarget = spanIdOf(`${hookUid}/${pod}/${container}`);
  const span = { ...trace, attributes: attributesOf(event.target) };
  const leaf = { ...span, spanId: within(ofTarget, facts), parentSpanId: ofTarget };
  switch (event.type) {
    case 'AttemptEnded': {
      const { action, outcome, durationMs } = event;
      const attributes = { ...span.attributes, 'lifehook.outcome': outcome };
      // The exit code of a probe is its answer: "not frozen" is not a failure.
      const error = action === 'probe' || outcome === 'Succeeded' ? null : outcome;
      return {
        ...leaf,
        name: ACTION_POINTS[action],
        startMs: nowMs - durationMs,
        attributes,
        error,
      };
    }
    case 'Thawed': {
      const attributes = { ...span.attributes, 'lifehook.thawed_by': event.by };
      const name = `frozen ${pod}/${container}`;
      const startMs = nowMs - event.frozenMs;
      const parentSpanId = spanIdOf(hookUid);
      return { ...span, spanId: ofTarget, parentSpanId, name, startMs, attributes };
    }
    case 'ThawOverdue':
      return { ...leaf, name: 'thaw overdue', startMs: nowMs, error: 'the thaw has failed so far' };
    case 'ThawUnproven':
      return { ...leaf, name: 'thaw unproven', startMs: nowMs, error: event.reason };
    case 'AttemptStarted':
    case 'Frozen':
      return null;
    default:
      return event satisfies never;
  }
}

function within(parent: string, { nowMs, count }: SpanFacts): string {
  return spanIdOf(`${parent}/${nowMs}/${count}`);
}

function attributesOf({ namespace, hook, pod, container }: TargetName): Record<string, string> {
  return {
    'k8s.namespace.name': namespace,
    'k8s.pod.name': pod,
    'k8s.container.name': container,
    'lifehook.hook': hook,
  };
}
