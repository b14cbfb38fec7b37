/** Tests decisions about a pod of which some containers have begun, and the status of such a pod. */
import { describe, expect, it } from 'vitest';

import {
  ABSENT,
  containerFacts as container,
  ended,
  podFacts,
  RUNNING,
  STARTING,
  UNSTARTABLE,
} from '../../../test/fixtures/pod-facts.ts';
import type { Clock } from '../../platform/platform.ts';
import { conditionsOf } from './conditions.ts';
import { decidePod, initialized, runsAgain } from './decide.ts';
import type { ContainerFacts } from './facts.ts';
import { inTimeOfDay } from './run.ts';
import { podStatus } from './status.ts';

const started = (containers: readonly ContainerFacts[]): unknown =>
  decidePod(podFacts(containers)).actions;

describe('the order of the start (POD-P1)', () => {
  it('is over for init containers once one main container has begun', () => {
    const init = container('init:setup', ABSENT);
    const absent = container('api', ABSENT);
    expect(initialized({ containers: [init, container('web', RUNNING), absent] })).toBe(true);
    expect(initialized({ containers: [init, container('web', STARTING)] })).toBe(true);
    expect(initialized({ containers: [init, absent] })).toBe(false);
  });

  it('is not blocked by a sidecar that has ended after the next container began', () => {
    const sidecar = container('sidecar:log', ended(1, { pauseSeconds: 10, restartAtMs: Infinity }));
    const init = container('init:setup', ended(0), { hasRun: true });
    expect(started([sidecar, init, container('web', ABSENT)])).toEqual([
      { do: 'reportBackOff', container: 'log' },
      { do: 'start', container: 'web' },
    ]);
  });
});

describe('a pod that is deleted', () => {
  const metadata = { deletionTimestamp: '2026-01-01T00:09:00Z', deletionGracePeriodSeconds: 30 };

  it('is not over before the next start of a container that has run is cancelled', () => {
    const waiting = container('web', UNSTARTABLE, { hasRun: true });
    const { actions, over } = decidePod(podFacts([waiting], { metadata }));
    expect(actions).toEqual([
      {
        do: 'stop',
        container: 'web',
        cause: { kind: 'deletion', graceSeconds: 30 },
        awaitsTurn: false,
      },
    ]);
    expect(over).toBe(false);
  });
});

it('runs no container again that has not ended', () => {
  const { pod } = podFacts([]);
  expect(runsAgain(container('web', RUNNING), pod)).toBe(false);
});

it('converts only the times that a life has', () => {
  const clock: Clock = { nowMs: () => 9_000, monotonicMs: () => 5_000 };
  expect(inTimeOfDay(RUNNING, clock)).toStrictEqual(RUNNING);
  expect(inTimeOfDay(UNSTARTABLE, clock)).toMatchObject({
    retryAtMs: 'retryAtMs' in UNSTARTABLE ? UNSTARTABLE.retryAtMs + 4_000 : 0,
  });
});

describe('the status', () => {
  const reporting = (containers: readonly ContainerFacts[]) => ({
    facts: podFacts(containers),
    decision: { over: true, termination: { reason: 'Deleted', message: 'why' } as const },
    containers: containers.map((facts) => ({
      facts,
      current: null,
      last: null,
      restarts: false,
      runtime: 'sim',
      imageId: '',
    })),
    resize: null,
    podIp: null,
    hostIp: '127.0.0.1',
    before: {},
  });

  it('of a pod names no init container that runs as unready', () => {
    const containers = [container('init:setup', RUNNING), container('web', ABSENT)];
    const found = conditionsOf(reporting(containers), 'Pending');
    expect(found.find(({ type }) => type === 'ContainersReady')?.message).toBe(
      'containers with unready status: [web]',
    );
  });

  it('keeps the conditions of a deleted pod of which one of two containers never ran', () => {
    const { phase, conditions } = podStatus(
      reporting([container('api', ended(1)), container('web', ABSENT)]),
    );
    const ready = conditions?.find(({ type }) => type === 'Ready');
    expect([phase, ready?.reason]).toEqual(['Failed', 'ContainersNotReady']);
  });

  it('reports no sidecar as lost that never ran', () => {
    const { initContainerStatuses } = podStatus(
      reporting([container('sidecar:log', UNSTARTABLE), container('web', ended(0))]),
    );
    expect(initContainerStatuses?.[0]?.state?.terminated?.reason).not.toBe(
      'ContainerStatusUnknown',
    );
  });
});
