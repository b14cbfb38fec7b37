/** Tests POD-P2 and POD-P4: why a pod terminates, and how it is stopped. */
import { describe, expect, test } from 'vitest';

import {
  ABSENT,
  containerFacts as container,
  ended,
  NOW_MS,
  podFacts,
  type PodOptions,
  RUNNING,
  STARTING,
  STOPPING,
  UNSTARTABLE,
} from '../../../test/fixtures/pod-facts.ts';
import { decidePod, type PodDecision } from './decide.ts';
import type { ContainerFacts, Termination } from './facts.ts';

const log = (state: ContainerFacts['state']): ContainerFacts => container('sidecar:log', state);
const NEVER = { restartPolicy: 'Never' };
const UNHEALTHY = { unhealthy: { probe: 'liveness', graceSeconds: null } } as const;
const DELETED = {
  metadata: { deletionTimestamp: '2026-01-01T00:10:30Z', deletionGracePeriodSeconds: 30 },
};

function termination(
  containers: readonly ContainerFacts[],
  options: PodOptions = {},
): Termination | null {
  return decidePod(podFacts(containers, options)).termination;
}

describe('POD-P4: a pod terminates', () => {
  const past = { activeDeadlineSeconds: 100 };

  test('at its deadline, in the words of the kubelet', () => {
    expect(termination([container('web', RUNNING)], { spec: past })).toEqual({
      reason: 'DeadlineExceeded',
      message: 'Pod was active on the node longer than the specified deadline',
    });
    const sooner = { spec: past, nowMs: NOW_MS - 1 };
    expect(termination([container('web', RUNNING)], sooner)).toBeNull();
  });

  test('when it is deleted', () => {
    const why = { reason: 'Deleted', message: 'the pod is deleted' };
    expect(termination([container('web', RUNNING)], DELETED)).toEqual(why);
  });

  test('for its first reason, whatever is added and whatever the clock says', () => {
    const first = { reason: 'DeadlineExceeded', message: 'was long' } as const;
    const containers = [container('web', RUNNING)];
    expect(termination(containers, { ...DELETED, termination: first })).toBe(first);
    expect(termination(containers, { spec: past, nowMs: 0, termination: first })).toBe(first);
  });

  test('when an init container has failed that does not run again', () => {
    const containers = [container('init:setup', ended(3)), container('web', ABSENT)];
    expect(termination(containers, { spec: NEVER })).toEqual({
      reason: 'InitFailed',
      message: 'init container setup failed',
    });
    expect(termination(containers)).toBeNull();
  });

  const over = { reason: 'Completed', message: 'all of its containers have exited' };
  const cases: readonly (readonly [string, ContainerFacts[], Termination | null])[] = [
    ['when its only main container has ended', [container('web', ended(1))], over as Termination],
    ['although a sidecar runs on', [log(RUNNING), container('web', ended(0))], over as Termination],
    [
      'not while another main container runs',
      [container('web', ended(0)), container('api', RUNNING)],
      null,
    ],
    ['not before a main container has begun', [container('web', UNSTARTABLE)], null],
    [
      'not after an init container has ended well',
      [container('init:setup', ended(0)), container('web', ABSENT)],
      null,
    ],
    [
      'with the stop of a last main container that a probe has failed',
      [log(RUNNING), container('web', RUNNING, UNHEALTHY)],
      over as Termination,
    ],
    ['not when a probe fails its sidecar', [log(RUNNING), container('web', RUNNING)], null],
  ];

  test.each(cases)('under restartPolicy Never: %s', (_, containers, expected) => {
    expect(termination(containers, { spec: NEVER })).toEqual(expected);
  });

  test('not when its main container is to run again', () => {
    expect(termination([container('web', ended(0))])).toBeNull();
    expect(termination([container('web', ended(0, { again: true }))], { spec: NEVER })).toBeNull();
    expect(
      termination([container('web', RUNNING, UNHEALTHY)], { spec: { restartPolicy: 'OnFailure' } }),
    ).toBe(null);
  });
});

describe('POD-P2: a pod that terminates', () => {
  const takenDown = (containers: readonly ContainerFacts[]): PodDecision =>
    decidePod(podFacts(containers, DELETED));
  const reported = ({ actions }: PodDecision): string[] =>
    actions.map((action) => {
      const turn = action.do === 'stop' && action.awaitsTurn ? ', TERM in its turn' : '';
      return `${action.do} ${action.container}${turn}`;
    });

  test('stops what starts or runs at once, in whatever state', () => {
    const decision = takenDown([
      log(RUNNING),
      container('sidecar:proxy', STARTING),
      container('web', RUNNING),
      container('api', STARTING),
    ]);
    expect(reported(decision)).toEqual([
      'stop log, TERM in its turn',
      'stop proxy, TERM in its turn',
      'stop web',
      'stop api',
    ]);
    expect(decision).toMatchObject({ wakeAtMs: null, over: false });
  });

  test('starts nothing and stops nothing of what does not run', () => {
    const decision = takenDown([
      container('init:setup', ABSENT),
      container('web', ended(1)),
      container('api', UNSTARTABLE),
    ]);
    expect(reported(decision)).toEqual([]);
    expect(decision.over).toBe(true);
  });

  test('lets a sidecar take its turn when nothing after it is left', () => {
    expect(reported(takenDown([log(STOPPING), container('web', ended(0))]))).toEqual([
      'takeTurn log',
    ]);
    expect(reported(takenDown([log(STOPPING), container('web', STOPPING)]))).toEqual([]);
    const pair = [log(STOPPING), container('sidecar:proxy', STOPPING), container('web', ended(0))];
    expect(reported(takenDown(pair))).toEqual(['takeTurn proxy']);
  });

  test('does not make a sidecar wait for an init container', () => {
    const containers = [log(STOPPING), container('init:setup', STOPPING)];
    expect(reported(takenDown(containers))).toEqual(['takeTurn log']);
  });

  test('gives a deletion its own grace, whatever made the pod go before', () => {
    const cause = (options: PodOptions): unknown => {
      const { actions } = decidePod(podFacts([container('web', RUNNING)], options));
      return actions.flatMap((action) => (action.do === 'stop' ? [action.cause] : []))[0];
    };
    const first = { reason: 'DeadlineExceeded', message: '' } as const;
    expect(cause({ termination: first })).toEqual({ kind: 'podOver' });
    expect(cause({ termination: first, ...DELETED })).toEqual({
      kind: 'deletion',
      graceSeconds: 30,
    });
    const bare = { deletionTimestamp: '2026-01-01T00:10:30Z' };
    expect(cause({ metadata: bare })).toEqual({ kind: 'deletion', graceSeconds: 0 });
  });
});
