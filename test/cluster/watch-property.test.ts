/**
 * After any schedule of faults, a watcher's view is equal to the server's list: 20 schedules, each from its seed. Run
 * a failing one alone with `-t "seed 7"`.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import {
  clusterAccess,
  type ClusterConnection,
  connectToCluster,
  makeNamespace,
} from './real-cluster.ts';
import { runSchedule } from './watch-schedule.ts';

const SEEDS = Array.from({ length: 20 }, (_, index) => index + 1);

/** All seeds together must inject at least this many faults, and all kinds of fault. Fewer would prove nothing. */
const MIN_FAULTS = 100;
const KINDS = 20;

let cluster: ClusterConnection;
const happened = new Map<string, number>();

beforeAll(() => {
  cluster = connectToCluster();
});

afterAll(() => {
  cluster.connection.transport.close();
});

describe('the view on the real cluster equals the list after any schedule of faults', () => {
  it.concurrent.for(SEEDS)('seed %i', async (seed, context) => {
    const { client } = cluster;
    const { namespace, remove } = await makeNamespace(client, `k1-seed-${seed}`);
    try {
      const result = await runSchedule({ server: clusterAccess(), client, namespace, seed });
      context.expect(result.view).toEqual(result.listed);
      context.expect(result.violations).toEqual([]);
      for (const [fault, times] of result.happened) {
        happened.set(fault, (happened.get(fault) ?? 0) + times);
      }
    } finally {
      await remove();
    }
  });
});

describe('all schedules together', () => {
  it('had every kind of fault, and more than the minimum of faults', () => {
    expect([...happened.keys()].toSorted()).toHaveLength(KINDS);
    const sum = [...happened.values()].reduce((total, times) => total + times, 0);
    expect(sum).toBeGreaterThan(MIN_FAULTS);
  });
});
