import { describe, expect, it } from 'vitest';

import { ClusterHealth, WELL_AFTER_MS } from './follow-cluster.ts';

function bench(): {
  readonly health: ClusterHealth;
  /** The last problem that was reported for the source; null: it works. */
  readonly said: () => string | null | undefined;
  readonly waits: Map<number, () => void>;
} {
  const reported: (string | null)[] = [];
  const waits = new Map<number, () => void>();
  const store = { setSource: (_: string, problem: string | null) => reported.push(problem) };
  const timers = {
    after: (ms: number, callback: () => void) => {
      waits.set(ms, callback);
      return () => waits.delete(ms);
    },
  };
  const health = new ClusterHealth({ store, name: 'cluster', timers });
  return { health, said: () => reported.at(-1), waits };
}

const NOT_FOUND = '404 page not found (HTTP 404)';

describe('the health of a cluster', () => {
  it('reports the first problem and the number of others', () => {
    const { health, said } = bench();
    expect(said()).toBeNull();
    health.failed('hookruns', 'the connection was refused', 200);
    expect(said()).toBe('hookruns: the connection was refused');
    health.failed('events', NOT_FOUND, 200);
    health.failed('pods', NOT_FOUND, 200);
    expect(said()).toBe('hookruns: the connection was refused (and 2 more)');
    health.worked('hookruns');
    health.worked('events');
    health.worked('pods');
    expect(said()).toBeNull();
  });

  it('reports how to install Lifehook when its kinds are missing', () => {
    const { health, said } = bench();
    health.failed('hookruns', NOT_FOUND, 200);
    expect(said()).toBe('it does not have hookruns: `lifehook install` prints what it needs');
    health.failed('executionhooks', NOT_FOUND, 200);
    expect(said()).toContain('it does not have hookruns and 1 more: `lifehook install`');
  });

  it('recovers when no request has failed for a while', () => {
    const { health, said, waits } = bench();
    health.failed('hookruns', 'reset', 100);
    health.failed('hookruns', 'reset', 400);
    expect([...waits.keys()]).toEqual([WELL_AFTER_MS + 400]);
    waits.get(WELL_AFTER_MS + 400)?.();
    expect(said()).toBeNull();
  });

  it('leaves no timer for a watch that works again: it would end the next problem', () => {
    const { health, waits } = bench();
    health.failed('hookruns', 'reset', 100);
    expect(waits.size).toBe(1);
    health.worked('hookruns');
    expect(waits.size).toBe(0);
  });
});
