import { describe, expect, it } from 'vitest';

import { decidePod } from './decide.ts';
import type { PodFacts } from './facts.ts';

const NOW_MS = 1_000;

/** A pod whose only container has exited and will be restarted. */
function ended(pauseSeconds: number, restartAtMs: number): PodFacts {
  const spec = { name: 'web' };
  const end = { exitCode: 1, signal: null, endedAtMs: NOW_MS, reason: 'Error', message: '' };
  const life = {
    kind: 'ended',
    startedAtMs: 0,
    end,
    again: false,
    backOffReported: false,
  } as const;
  const state = { ...life, pauseSeconds, restartAtMs };
  const untold = {
    restartCount: 0,
    hasRun: false,
    started: false,
    ready: false,
    unhealthy: null,
    ran: null,
  };
  return {
    pod: { spec: { containers: [spec] } },
    containers: [{ role: 'main', spec, state, ...untold }],
    nowMs: NOW_MS,
    podStartedAtMs: 0,
    termination: null,
  };
}

describe('decidePod, of a container that has ended', () => {
  it.each([
    ['starts it at once without a back-off, though it ended after the facts', 0, 0.4, 'start'],
    ['starts it when its back-off is over', 10, 0, 'start'],
    ['tells of its back-off until then', 10, 9_000, 'reportBackOff'],
  ] as const)('%s', (...[, pauseSeconds, inMs, action]) => {
    const { actions } = decidePod(ended(pauseSeconds, NOW_MS + inMs));
    expect(actions).toEqual([{ do: action, container: 'web' }]);
  });
});

describe('decidePod, of a pod that is deleted', () => {
  it.each([
    ['that has no process yet', null],
    ['whose postStart hook runs', 500],
  ] as const)(
    'cancels the start of a sidecar %s, before its turn to get TERM',
    (_, startedAtMs) => {
      const life = {
        restartCount: 0,
        hasRun: false,
        started: false,
        ready: false,
        unhealthy: null,
        ran: null,
      };
      const main = { role: 'main', spec: { name: 'web' }, ...life } as const;
      const sidecar = { role: 'sidecar', spec: { name: 'proxy' }, ...life } as const;
      const { actions } = decidePod({
        ...ended(0, NOW_MS),
        pod: {
          metadata: { deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds: 30 },
          spec: { containers: [main.spec] },
        },
        containers: [
          { ...sidecar, state: { kind: 'starting', startedAtMs } },
          { ...main, state: { kind: 'running', startedAtMs: 0 } },
        ],
      });
      const cause = { kind: 'deletion', graceSeconds: 30 };
      expect(actions).toEqual([
        { do: 'stop', container: 'proxy', cause, awaitsTurn: true },
        { do: 'stop', container: 'web', cause, awaitsTurn: false },
      ]);
    },
  );
});
