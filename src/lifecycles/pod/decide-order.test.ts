/** Tests POD-P1 and POD-P3: which containers of a running pod are started or stopped next. */
import { describe, expect, test } from 'vitest';

import {
  ABSENT,
  containerFacts as container,
  ended,
  NOW_MS,
  podFacts,
  RUNNING,
  STARTING,
  STOPPING,
  UNSTARTABLE,
} from '../../../test/fixtures/pod-facts.ts';
import { decidePod } from './decide.ts';
import type { ContainerFacts } from './facts.ts';

const STARTED = { started: true };
const setup = (state: ContainerFacts['state']): ContainerFacts => container('init:setup', state);

function done(containers: readonly ContainerFacts[], spec: object = {}): string[] {
  const { actions } = decidePod(podFacts(containers, { spec }));
  return actions.map((action) => `${action.do} ${action.container}`);
}

describe('POD-P1: the start of a pod', () => {
  const cases: readonly (readonly [string, ContainerFacts[], string[]])[] = [
    [
      'begins with the first init container',
      [setup(ABSENT), container('web', ABSENT)],
      ['start setup'],
    ],
    ['waits for an init container that starts', [setup(STARTING), container('web', ABSENT)], []],
    ['waits for an init container that runs', [setup(RUNNING), container('web', ABSENT)], []],
    [
      'goes on with the next init container after a success',
      [setup(ended(0)), container('init:migrate', ABSENT), container('web', ABSENT)],
      ['start migrate'],
    ],
    [
      'retries an init container that failed, and starts nothing after it',
      [setup(ended(1)), container('init:migrate', ABSENT), container('web', ABSENT)],
      ['start setup'],
    ],
    [
      'starts all main containers together after the last init container',
      [setup(ended(0)), container('web', ABSENT), container('api', ABSENT)],
      ['start web', 'start api'],
    ],
    [
      'waits for a sidecar whose startup probe has not passed',
      [container('sidecar:log', RUNNING), container('web', ABSENT)],
      [],
    ],
    [
      'goes on after a sidecar that has started',
      [container('sidecar:log', RUNNING, STARTED), setup(ABSENT), container('web', ABSENT)],
      ['start setup'],
    ],
    [
      'restarts a sidecar that exits after the next init container began, next to that one',
      [container('sidecar:log', ended(1)), setup(RUNNING), container('web', ABSENT)],
      ['start log'],
    ],
    [
      'restarts a sidecar that exits before it has started, and begins nothing after it',
      [container('sidecar:log', ended(1)), setup(ABSENT), container('web', ABSENT)],
      ['start log'],
    ],
    [
      'does not count a container whose image is missing as begun',
      [container('sidecar:log', ended(1)), setup(UNSTARTABLE), container('web', ABSENT)],
      ['start log'],
    ],
    [
      'retries a container whose image is missing when its wait is over',
      [setup(UNSTARTABLE), container('web', ABSENT)],
      ['start setup'],
    ],
    [
      'does not run its init containers again once a main container has run',
      [setup(ABSENT), container('web', RUNNING), container('api', ABSENT, { hasRun: true })],
      ['start api'],
    ],
    [
      'counts a main container that ran before as begun, though nothing of it is left',
      [setup(ABSENT), container('web', ABSENT, { hasRun: true })],
      ['start web'],
    ],
    [
      'counts a main container whose next start fails as begun',
      [container('sidecar:log', RUNNING), container('web', UNSTARTABLE, { hasRun: true })],
      ['start web'],
    ],
    [
      'runs its init containers again while no main container could be started',
      [setup(ABSENT), container('web', UNSTARTABLE)],
      ['start setup'],
    ],
    [
      'restarts a sidecar while the main containers run',
      [container('sidecar:log', ended(0)), container('web', RUNNING)],
      ['start log'],
    ],
  ];

  test.each(cases)('%s', (_, containers, expected) => {
    expect(done(containers)).toEqual(expected);
  });
});

describe('POD-P3: a container', () => {
  test.each([
    ['that starts', container('web', STARTING)],
    ['that is being stopped', container('web', STOPPING)],
    ['that runs and is well', container('web', RUNNING)],
  ])('%s is left alone', (_, web) => {
    expect(decidePod(podFacts([web]))).toEqual({
      actions: [],
      wakeAtMs: null,
      over: false,
      termination: null,
    });
  });

  test.each(['Never', 'OnFailure'])('that ended well stays ended under %s', (restartPolicy) => {
    const containers = [container('web', ended(0)), container('api', RUNNING)];
    expect(done(containers, { restartPolicy })).toEqual([]);
  });

  test('that was stopped to run again is started under restartPolicy Never', () => {
    const containers = [container('web', ended(0, { again: true }))];
    expect(done(containers, { restartPolicy: 'Never' })).toEqual(['start web']);
  });

  test.each(['Always', 'OnFailure'])(
    'that a probe has failed is stopped under %s',
    (restartPolicy) => {
      const unhealthy = { probe: 'liveness', graceSeconds: 7 } as const;
      const facts = podFacts([container('web', RUNNING, { unhealthy })], {
        spec: { restartPolicy },
      });
      const cause = { kind: 'probe', probe: 'liveness', graceSeconds: 7 };
      expect(decidePod(facts)).toEqual({
        actions: [{ do: 'stop', container: 'web', cause, awaitsTurn: false }],
        wakeAtMs: null,
        over: false,
        termination: null,
      });
    },
  );

  test('whose image has changed is stopped for that, although a probe has failed it too', () => {
    const ran = { image: 'one', resources: {} };
    const unhealthy = { probe: 'startup', graceSeconds: null } as const;
    const web = container('web', RUNNING, { spec: { image: 'two' }, ran, unhealthy });
    const cause = { kind: 'inPlace', why: 'definition' };
    expect(decidePod(podFacts([web])).actions).toEqual([
      { do: 'stop', container: 'web', cause, awaitsTurn: false },
    ]);
  });
});

describe('the next look at a pod', () => {
  const backOff = (inSeconds: number): ContainerFacts['state'] =>
    ended(1, { pauseSeconds: 40, restartAtMs: NOW_MS + inSeconds * 1_000, backOffReported: true });
  const wakeAt = (containers: readonly ContainerFacts[], spec: object = {}): number | null => {
    const { wakeAtMs } = decidePod(podFacts(containers, { spec }));
    return wakeAtMs === null ? null : (wakeAtMs - NOW_MS) / 1_000;
  };

  test('is at the end of the shortest pause', () => {
    expect(wakeAt([container('web', backOff(20)), container('api', backOff(5))])).toBe(5);
  });

  test('is at its deadline if that comes before', () => {
    expect(wakeAt([container('web', backOff(20))], { activeDeadlineSeconds: 110 })).toBe(10);
  });

  test('is when a start that failed is to be retried', () => {
    const retry = { ...UNSTARTABLE, retryAtMs: NOW_MS + 5_000 };
    expect(wakeAt([container('web', retry)])).toBe(5);
    expect(done([container('web', retry)])).toEqual([]);
  });

  test('says once for each pause that the container is in back-off', () => {
    const pause = { pauseSeconds: 40, restartAtMs: NOW_MS + 5_000 };
    expect(done([container('web', ended(1, pause))])).toEqual(['reportBackOff web']);
    expect(wakeAt([container('web', ended(1, pause))])).toBe(5);
    expect(done([container('web', ended(1, { ...pause, backOffReported: true }))])).toEqual([]);
  });
});
