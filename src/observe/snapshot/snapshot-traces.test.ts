import { expect, it } from 'vitest';

import { type SnapshotEvent, snapshotEnvelope } from '../../lifecycles/snapshot/snapshot-event.ts';
import { snapshotTraces, type TracedObjects } from './snapshot-traces.ts';
import { otlpJson, type Span } from '../trace-span.ts';

const SNAPSHOT_UID = '5f0c9a1b-0000-4000-8000-00000000000a';
const HOOK_UID = '77777777-0000-4000-8000-00000000000b';
const TRACE = '5f0c9a1b00004000800000000000000a';
const target = { namespace: 'shop', hook: 'h', pod: 'db-0', container: 'db' };
const ofHook = { namespace: 'shop', hook: 'h' };
const ofSnapshot = { namespace: 'shop', snapshot: 's' };
const ended = { ...ofSnapshot, uid: SNAPSHOT_UID, series: 'data', message: 'm' };
const good = { required: 'ApplicationConsistent', isReached: true } as const;
const bad = { ...good, isReached: false };

const objects: TracedObjects = {
  hook: (_, name) =>
    name === 'gone' ? null : { uid: HOOK_UID, snapshotUid: name === 'h' ? SNAPSHOT_UID : null },
  snapshot: (_, name) => (name === 's' ? { uid: SNAPSHOT_UID, startedMs: 1_000 } : null),
};

/** The spans of these events; each event has a time in milliseconds. */
function spansOf(...events: readonly [number, SnapshotEvent][]): Span[] {
  const spans: Span[] = [];
  const observe = snapshotTraces({ objects, add: (span) => spans.push(span) });
  for (const [atMs, event] of events) observe(snapshotEnvelope(event, atMs));
  return spans;
}

const WHOLE: readonly [number, SnapshotEvent][] = [
  [1_100, { type: 'AttemptStarted', target, action: 'pre' }],
  [1_150, { type: 'AttemptEnded', target, action: 'pre', outcome: 'Succeeded', durationMs: 50 }],
  [1_160, { type: 'Frozen', target }],
  [1_170, { type: 'AttemptEnded', target, action: 'probe', outcome: 'Failed', durationMs: 5 }],
  [1_400, { type: 'CutObserved', ...ofSnapshot, cutMs: 200 }],
  [1_410, { type: 'Released', ...ofHook, cause: 'Cut' }],
  [1_450, { type: 'AttemptEnded', target, action: 'post', outcome: 'Failed', durationMs: 20 }],
  [1_455, { type: 'ThawOverdue', target, uid: HOOK_UID, sinceMs: 40 }],
  [1_490, { type: 'AttemptEnded', target, action: 'post', outcome: 'Succeeded', durationMs: 30 }],
  [1_500, { type: 'Thawed', target, uid: HOOK_UID, by: 'post', frozenMs: 400 }],
  [1_505, { type: 'Settled', ...ofHook, sinceMs: 405 }],
  [
    1_600,
    { type: 'Verdict', ...ended, ...good, value: 'ApplicationConsistent', reason: 'FrozenAtCut' },
  ],
];

it('makes one trace of a snapshot, whose id is the uid of the snapshot', () => {
  const spans = spansOf(...WHOLE);
  const nameOf = new Map(spans.map(({ spanId, name }) => [spanId, name]));
  const reported = spans.map(({ name, parentSpanId, startMs, endMs, error }) => [
    parentSpanId === null ? null : nameOf.get(parentSpanId),
    name,
    startMs,
    endMs,
    error,
  ]);
  expect(reported).toEqual([
    ['frozen db-0/db', 'preAction', 1_100, 1_150, null],
    ['frozen db-0/db', 'probe', 1_165, 1_170, null],
    ['ApplicationSnapshot', 'cut', 1_200, 1_400, null],
    ['ExecutionHook', 'released: Cut', 1_410, 1_410, null],
    ['frozen db-0/db', 'postAction', 1_430, 1_450, 'Failed'],
    ['frozen db-0/db', 'thaw overdue', 1_455, 1_455, 'the thaw has failed so far'],
    ['frozen db-0/db', 'postAction', 1_460, 1_490, null],
    ['ExecutionHook', 'frozen db-0/db', 1_100, 1_500, null],
    ['ApplicationSnapshot', 'ExecutionHook', 1_100, 1_505, null],
    [null, 'ApplicationSnapshot', 1_000, 1_600, null],
  ]);
  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([TRACE]));
  expect(nameOf.size).toBe(spans.length);
});

it('puts events after a controller restart into the same trace', () => {
  const before = spansOf(...WHOLE.slice(0, 5));
  const after = spansOf(...WHOLE.slice(5));
  const frozen = after.find(({ name }) => name === 'frozen db-0/db');
  expect(frozen?.spanId).toBe(before[0]?.parentSpanId);
  expect(frozen?.traceId).toBe(before[0]?.traceId);
});

it('makes a separate trace of a hook without a snapshot', () => {
  const [span] = spansOf([2_000, { type: 'Settled', namespace: 'shop', hook: 'own', sinceMs: 1 }]);
  expect(span).toMatchObject({ traceId: HOOK_UID.replaceAll('-', ''), parentSpanId: null });
});

it.each<[SnapshotEvent, string]>([
  [
    { type: 'Verdict', ...ended, ...bad, value: 'Inconsistent', reason: 'NotAtomic' },
    'Inconsistent: NotAtomic',
  ],
  [
    { type: 'FailedBeforeCut', ...ended, reason: 'NoClaim', message: 'no claim' },
    'NoClaim: no claim',
  ],
])('ends the trace with the error of the snapshot: %o', (event, error) => {
  expect(spansOf([2_000, event])).toMatchObject([{ parentSpanId: null, error }]);
});

it('makes no span of a deleted hook or snapshot', () => {
  const deleted = { ...target, hook: 'gone' };
  expect(
    spansOf(
      [1, { type: 'Thawed', target: deleted, uid: HOOK_UID, by: 'gone', frozenMs: 1 }],
      [1, { type: 'CutObserved', namespace: 'shop', snapshot: 'gone', cutMs: 1 }],
    ),
  ).toEqual([]);
});

it('writes spans as OTLP JSON', () => {
  const spans = spansOf(...WHOLE.slice(-1));
  expect(JSON.parse(otlpJson(spans, { 'service.name': 'x' }))).toEqual({
    resourceSpans: [
      {
        resource: { attributes: [{ key: 'service.name', value: { stringValue: 'x' } }] },
        scopeSpans: [
          {
            scope: { name: 'lifehook' },
            spans: [
              {
                traceId: TRACE,
                spanId: expect.stringMatching(/^[0-9a-f]{16}$/u),
                name: 'ApplicationSnapshot',
                kind: 1,
                startTimeUnixNano: '1000000000',
                endTimeUnixNano: '1600000000',
                attributes: expect.arrayContaining([
                  { key: 'lifehook.verdict', value: { stringValue: 'ApplicationConsistent' } },
                ]),
                status: { code: 0 },
              },
            ],
          },
        ],
      },
    ],
  });
});
