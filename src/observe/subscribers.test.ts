/** The parts that are the same for all lifecycles: the envelope of an attempt, its metric and its span. */
import { describe, expect, it } from 'vitest';

import { runEnvelope } from '../engine/run-log.ts';
import { pipelineEnvelope } from '../lifecycles/pipeline/events/pipeline-event.ts';
import { rolloutEnvelope } from '../lifecycles/rollout/rollout-event.ts';
import { snapshotEnvelope } from '../lifecycles/snapshot/snapshot-event.ts';
import type { RunEvent } from '../model/event.ts';
import { makeAttemptMetrics } from './attempt-metrics.ts';
import type { ObservedEvent } from './observed-event.ts';
import { attemptTraces, type Span } from './trace-span.ts';

const AT_MS = 10_000;
const nothing = { text: '', totalBytes: 0 };
const settled: RunEvent = {
  type: 'AttemptSettled',
  runId: 'r',
  atMs: AT_MS,
  step: 's',
  attempt: 2,
  result: {
    outcome: 'TimedOut',
    exitCode: null,
    signal: null,
    durationMs: 1_500,
    stdout: nothing,
    stderr: nothing,
    reason: 'It did not end.',
  },
};
const pod = { namespace: 'shop', pod: 'db-0', container: 'db' };

/** The end of an attempt in each lifecycle. */
const ENDS: readonly ObservedEvent[] = [
  runEnvelope(
    { lifecycle: 'container', target: { containerId: 'c1' }, point: 'createRuntime', run: 'c1' },
    settled,
  ),
  runEnvelope({ lifecycle: 'pod', target: pod, point: 'preStop', run: 'c2/preStop' }, settled),
  rolloutEnvelope(
    {
      type: 'AttemptEnded',
      namespace: 'shop',
      deployment: 'web',
      number: 4,
      stage: 'pre',
      attempt: 3,
      outcome: 'Aborted',
      durationMs: 1_500,
    },
    AT_MS,
  ),
  snapshotEnvelope(
    {
      type: 'AttemptEnded',
      target: { ...pod, hook: 'h' },
      action: 'pre',
      attempt: 1,
      outcome: 'Succeeded',
      durationMs: 1_500,
    },
    AT_MS,
  ),
  pipelineEnvelope({
    type: 'HostCallbackEvent',
    atMs: AT_MS,
    runId: 'session',
    callback: 'pre-build',
    address: 'build/web/before/0',
    status: 'Failed',
    durationMs: 1_500,
  }),
];

const ofAll = ['container', 'pod', 'rollout', 'snapshot', 'pipeline'];

describe('the envelope of an attempt', () => {
  it('has the same fields in all five lifecycles', () => {
    expect(ENDS.map(({ lifecycle }) => lifecycle)).toEqual(ofAll);
    expect(ENDS.map(({ point, run, attempt }) => [point, run, attempt])).toEqual([
      ['createRuntime', 'c1', 2],
      ['preStop', 'c2/preStop', 2],
      ['pre', 'shop/web/4', 3],
      ['preAction', 'shop/h', 1],
      ['pre-build', 'session', null],
    ]);
    expect(ENDS.map(({ end }) => end?.outcome)).toEqual([
      'TimedOut',
      'TimedOut',
      'Cancelled',
      'Succeeded',
      'Failed',
    ]);
    expect(new Set(ENDS.map(({ atMs, end }) => `${atMs} ${end?.durationMs}`))).toEqual(
      new Set(['10000 1500']),
    );
  });

  it('has no end before the attempt has ended', () => {
    const begun: RunEvent = { type: 'AttemptStarted', runId: 'r', atMs: 1, step: 's', attempt: 1 };
    const place = { lifecycle: 'pod', target: pod, point: 'preStop', run: 'r' } as const;
    expect(runEnvelope(place, begun)).toMatchObject({ attempt: 1, atMs: 1 });
    expect(runEnvelope(place, begun)).not.toHaveProperty('end');
    const reported = {
      type: 'HostCallbackEvent',
      atMs: 1,
      runId: 'r',
      callback: 'pre-build',
    } as const;
    const waiting = { ...reported, address: 'build/web/before/0', status: 'InProgress' } as const;
    expect(pipelineEnvelope(waiting)).not.toHaveProperty('end');
    const skipped = { ...waiting, status: 'Skipped' } as const;
    expect(pipelineEnvelope(skipped)).not.toHaveProperty('end');
  });

  it('is of the run as a whole where the event is of no hook', () => {
    expect(
      rolloutEnvelope(
        { type: 'GateProven', namespace: 'shop', deployment: 'web', armed: true, reason: '' },
        1,
      ),
    ).toMatchObject({ run: 'shop/web', point: null, attempt: null });
    expect(pipelineEnvelope({ type: 'Ended', atMs: 1, runId: 'r', exitCode: 0 })).toMatchObject({
      run: 'r',
      target: {},
      point: null,
    });
    expect(
      snapshotEnvelope({ type: 'CutObserved', namespace: 'shop', snapshot: 's', cutMs: 1 }, 1),
    ).toMatchObject({ run: 'shop/s', target: { namespace: 'shop', snapshot: 's' }, point: null });
  });
});

it('the attempts of all lifecycles are counted by lifecycle, point and outcome', async () => {
  const { observe, expose } = makeAttemptMetrics();
  for (const event of ENDS) observe(event);
  const { text } = await expose();
  const sum = (labels: string): string => `lifehook_attempt_seconds_sum{${labels}} 1.5\n`;
  expect(text).toContain(sum('lifecycle="container",point="createRuntime",outcome="TimedOut"'));
  expect(text).toContain(sum('lifecycle="pod",point="preStop",outcome="TimedOut"'));
  expect(text).toContain(sum('lifecycle="rollout",point="pre",outcome="Cancelled"'));
  expect(text).toContain(sum('lifecycle="snapshot",point="preAction",outcome="Succeeded"'));
  expect(text).toContain(sum('lifecycle="pipeline",point="pre-build",outcome="Failed"'));
});

describe('attemptTraces', () => {
  const spansOf = (events: readonly ObservedEvent[]): Span[] => {
    const spans: Span[] = [];
    const observe = attemptTraces((span) => spans.push(span));
    for (const event of events) observe(event);
    return spans;
  };

  it('makes a span of each attempt, except of those that the snapshot lifecycle traces itself', () => {
    const spans = spansOf(ENDS);
    expect(spans.map(({ name, error }) => [name, error])).toEqual([
      ['createRuntime', 'TimedOut'],
      ['preStop', 'TimedOut'],
      ['pre', 'Cancelled'],
      ['pre-build', 'Failed'],
    ]);
    expect(spans.map(({ startMs, endMs }) => [startMs, endMs])[0]).toEqual([8_500, AT_MS]);
    expect(spans[1]?.attributes).toEqual({
      'lifehook.lifecycle': 'pod',
      'lifehook.run': 'c2/preStop',
      'k8s.namespace.name': 'shop',
      'k8s.pod.name': 'db-0',
      'k8s.container.name': 'db',
      'lifehook.attempt': '2',
      'lifehook.outcome': 'TimedOut',
    });
  });

  it('puts the attempts of one run into one trace, each as a span of its own', () => {
    const [rollout] = ENDS.filter(({ lifecycle }) => lifecycle === 'rollout');
    if (rollout === undefined) throw new Error('there is no event of a rollout');
    const spans = spansOf([rollout, rollout]);
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(2);
    expect(spans[0]?.traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(spans[0]?.spanId).toMatch(/^[0-9a-f]{16}$/);
  });
});
