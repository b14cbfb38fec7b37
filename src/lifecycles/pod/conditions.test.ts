/** Tests the conditions of a pod's status, with the messages of the kubelet. */
import type { PodCondition, PodStatus } from 'kubernetes-types/core/v1.js';
import { describe, expect, test } from 'vitest';

import {
  ABSENT,
  containerFacts as container,
  ended,
  podFacts,
  RUNNING,
  STOPPING,
} from '../../../test/fixtures/pod-facts.ts';
import { conditionsOf, statusBefore } from './conditions.ts';
import type { ContainerFacts, PodFacts } from './facts.ts';
import type { Phase, StatusFacts } from './status.ts';

type Reporting = Partial<StatusFacts> & { readonly phase?: Phase };

function conditions(
  facts: PodFacts,
  { phase = 'Running', ...more }: Reporting = {},
): PodCondition[] {
  const decision = { over: false, termination: null };
  const known = { facts, decision, containers: [], resize: null, hostIp: '127.0.0.1' };
  return conditionsOf({ ...known, podIp: '127.10.0.1', before: {}, ...more }, phase);
}

/** A condition as "STATUS: REASON: MESSAGE", without the parts that it lacks. */
function reported(type: string, facts: PodFacts, reporting?: Reporting): string | undefined {
  const found = conditions(facts, reporting).find((condition) => condition.type === type);
  if (found === undefined) return undefined;
  return [found.status, found.reason, found.message]
    .filter((part) => part !== undefined)
    .join(': ');
}

const READY = { ready: true, started: true };
const ready = podFacts([container('web', RUNNING, READY)]);

describe('the conditions of a pod', () => {
  test('are all True of a pod that is ready, in the order of the kubelet', () => {
    expect(conditions(ready).map(({ type, status }) => `${type}=${status}`)).toEqual([
      'PodReadyToStartContainers=True',
      'Initialized=True',
      'Ready=True',
      'ContainersReady=True',
      'PodScheduled=True',
    ]);
    for (const condition of conditions(ready)) {
      expect(Object.keys(condition)).toEqual(['type', 'status', 'lastTransitionTime']);
    }
  });

  test('carry the generation of the pod that was seen', () => {
    const seen = { ...ready, pod: { ...ready.pod, metadata: { generation: 4 } } };
    for (const condition of conditions(seen)) {
      expect(condition).toHaveProperty('observedGeneration', 4);
    }
  });

  test('keep their time until they flip', () => {
    const condition = (status: string): PodCondition => ({
      type: 'Ready',
      status,
      lastTransitionTime: '2025-12-31T00:00:00Z',
    });
    const since = (before: PodStatus): unknown =>
      conditions(ready, { before }).find(({ type }) => type === 'Ready')?.lastTransitionTime;
    expect(since({ conditions: [condition('True')] })).toBe('2025-12-31T00:00:00Z');
    expect(since({ conditions: [condition('False')] })).toBe('2026-01-01T00:10:00Z');
    expect(since({})).toBe('2026-01-01T00:10:00Z');
  });

  test('of other controllers stay in front of ours', () => {
    const foreign = { type: 'example.com/lit', status: 'True' };
    const before = { conditions: [{ type: 'Ready', status: 'False' }, foreign] };
    const [first, ...ours] = conditions(ready, { before });
    expect(first).toEqual(foreign);
    expect(ours.map(({ type }) => type)).toHaveLength(5);
  });
});

describe('PodReadyToStartContainers', () => {
  const without = 'False: PodSandboxNotReady: pod sandbox is not ready';

  test('is False before the pod has an address and once it is over', () => {
    expect(reported('PodReadyToStartContainers', ready, { podIp: null })).toBe(without);
    const decision = { over: true, termination: null };
    expect(reported('PodReadyToStartContainers', ready, { decision })).toBe(without);
  });
});

describe('Initialized', () => {
  const log = (started: boolean): ContainerFacts => container('sidecar:log', RUNNING, { started });

  test('names the init containers and sidecars that are incomplete, and no main container', () => {
    const facts = podFacts([
      container('init:done', ended(0)),
      container('init:failed', ended(1)),
      log(false),
      container('init:next', ABSENT),
      container('web', ABSENT),
    ]);
    expect(reported('Initialized', facts, { phase: 'Pending' })).toBe(
      'False: ContainersNotInitialized: containers with incomplete status: [failed log next]',
    );
    const third = podFacts([log(true), container('init:next', RUNNING), container('web', ABSENT)]);
    expect(reported('Initialized', third, { phase: 'Pending' })).toContain('[next]');
  });

  test('says of a pod that has succeeded that it is completed', () => {
    const facts = podFacts([container('web', ended(0))]);
    expect(reported('Initialized', facts, { phase: 'Succeeded' })).toBe('True: PodCompleted');
    expect(reported('Initialized', facts, { phase: 'Failed' })).toBe('True');
  });
});

describe('Ready and ContainersReady', () => {
  const both = (facts: PodFacts, reporting?: Reporting): unknown[] =>
    ['Ready', 'ContainersReady'].map((type) => reported(type, facts, reporting));

  test('name every main container, and every sidecar that runs, that is not ready', () => {
    const facts = podFacts([
      container('init:setup', ended(0)),
      container('sidecar:log', RUNNING),
      container('sidecar:old', ended(1)),
      container('web', STOPPING),
      container('api', RUNNING, READY),
    ]);
    const why = 'False: ContainersNotReady: containers with unready status: [log web]';
    expect(both(facts)).toEqual([why, why]);
  });

  test('give the phase of a pod that is over as their reason', () => {
    expect(both(ready, { phase: 'Succeeded' })).toEqual([
      'False: PodCompleted',
      'False: PodCompleted',
    ]);
    expect(both(ready, { phase: 'Failed' })).toEqual(['False: PodFailed', 'False: PodFailed']);
  });

  test('differ by the readiness gates, which are each named', () => {
    const gates = ['example.com/lit', 'example.com/fed', 'example.com/met'];
    const facts = podFacts([container('web', RUNNING, READY)], {
      spec: { readinessGates: gates.map((conditionType) => ({ conditionType })) },
    });
    const condition = (type: string, status: string): PodCondition => ({ type, status });
    const before = {
      conditions: [condition(gates[1] ?? '', 'False'), condition(gates[2] ?? '', 'True')],
    };
    const lit = 'corresponding condition of pod readiness gate "example.com/lit" does not exist.';
    const fed = 'the status of pod readiness gate "example.com/fed" is not "True", but False';
    expect(both(facts, { before })).toEqual([
      `False: ReadinessGatesNotReady: ${lit}, ${fed}`,
      'True',
    ]);
    const none = String(both(facts, { before: {} })[0]).match(/does not exist/gu);
    expect(none).toHaveLength(gates.length);
    const met = gates.map((type) => condition(type, 'True'));
    expect(both(facts, { before: { conditions: met } })).toEqual(['True', 'True']);
    const unready = podFacts([container('web', RUNNING)], { spec: facts.pod.spec ?? {} });
    expect(reported('Ready', unready, { before })).toContain('ContainersNotReady');
  });
});

describe('the conditions of a resize', () => {
  test('say that it is under way, or what it waits for', () => {
    const resize = { kind: 'InProgress', container: 'web' } as const;
    expect(reported('PodResizeInProgress', ready, { resize })).toBe('True');
    expect(reported('PodResizePending', ready, { resize })).toBeUndefined();
    const deferred = { kind: 'Deferred', container: 'web' } as const;
    expect(reported('PodResizePending', ready, { resize: deferred })).toBe(
      'True: Deferred: the limits of container web are set when it starts: the resize waits for its next start',
    );
    expect(reported('PodResizeInProgress', ready, { resize: deferred })).toBeUndefined();
  });

  test('go with the resize', () => {
    const before = ['PodResizeInProgress', 'PodResizePending'].map((type) => ({
      type,
      status: 'True',
    }));
    expect(conditions(ready, { before: { conditions: before } })).toHaveLength(5);
  });
});

describe('statusBefore', () => {
  const condition = (type: string, status: string): PodCondition => ({ type, status });

  test('takes our conditions as we reported them last, and those of others from the API', () => {
    const api = {
      phase: 'Pending',
      conditions: [condition('Ready', 'False'), condition('example.com/lit', 'True')],
    };
    const mine = {
      phase: 'Running',
      conditions: [condition('Ready', 'True'), condition('example.com/lit', 'False')],
    };
    expect(statusBefore(api, mine)).toEqual({
      phase: 'Running',
      conditions: [condition('example.com/lit', 'True'), condition('Ready', 'True')],
    });
    expect(statusBefore({}, { phase: 'Running' })).toEqual({ phase: 'Running', conditions: [] });
    expect(statusBefore(api, null)).toBe(api);
  });
});
