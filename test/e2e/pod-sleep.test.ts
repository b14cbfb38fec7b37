/**
 * The e2e groups of prestop-sleep.md ("Test Plan") on a local cluster, as a user has it: real processes,
 * real time. Times are those of the container (`finishedAt` has seconds only, so its own log tells).
 */
import type { Pod } from 'kubernetes-types/core/v1.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { isReason } from '../../src/kube/api-error.ts';
import { pods } from '../../src/kube/resources.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { type ClusterStand, openCluster } from './cluster-stand.ts';
import { podLog } from './pod-log.ts';

let cluster: ClusterStand;

beforeAll(async () => {
  cluster = await openCluster();
});

afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
});

/** Says every 100 ms that it runs, with the time; on TERM says so, and ends. */
const TICKING =
  'trap "date +%s.%N; echo TERM; exit 0" TERM; while :; do date +%s.%N; sleep 0.1; done';

interface PodOptions {
  readonly sleep?: number;
  readonly grace?: number;
  readonly script?: string;
}

const pod = (name: string, { sleep, grace, script = TICKING }: PodOptions): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default' },
  spec: {
    restartPolicy: 'Never',
    ...(grace === undefined ? {} : { terminationGracePeriodSeconds: grace }),
    containers: [
      {
        name: 'app',
        image: 'none',
        command: ['sh', '-c', script],
        ...(sleep === undefined ? {} : { lifecycle: { preStop: { sleep: { seconds: sleep } } } }),
      },
    ],
  },
});

async function running(name: string, options: PodOptions): Promise<void> {
  await cluster.client.create(pods, pod(name, options));
  await eventually(`${name} runs`, async () => {
    const { status } = await cluster.client.get(pods, { namespace: 'default', name });
    return status?.phase === 'Running';
  });
}

interface Stop {
  /** From the delete to the pod's end in the API, seconds. */
  readonly seconds: number;
  /** Everything the container said. */
  readonly log: string;
}

/** Deletes it, and follows its log meanwhile. */
async function stop(name: string, graceSeconds?: number): Promise<Stop> {
  const which = { namespace: 'default', pod: name };
  const log = podLog(cluster.connection, { ...which, follow: true });
  await eventually(
    'its log is there',
    async () => (await podLog(cluster.connection, which)) !== '',
  );
  const begunMs = Date.now();
  const grace = graceSeconds === undefined ? {} : { gracePeriodSeconds: graceSeconds };
  await cluster.client.delete(pods, { namespace: 'default', name }, grace);
  await gone(name);
  return { seconds: (Date.now() - begunMs) / 1_000, log: await log };
}

async function gone(name: string): Promise<void> {
  await eventually(`${name} is gone`, async () => {
    try {
      await cluster.client.get(pods, { namespace: 'default', name });
      return false;
    } catch (error) {
      return isReason(error, 'NotFound');
    }
  });
}

/** What one machine under load may add, seconds. */
const SLACK = 1.5;

function expectSeconds({ seconds }: Stop, expected: number): void {
  expect(seconds).toBeGreaterThanOrEqual(expected);
  expect(seconds).toBeLessThan(expected + SLACK);
}

describe('basic functionality', () => {
  test('a container sleeps for its 3 seconds before it gets TERM, and keeps executing', async () => {
    await running('basic', { sleep: 3 });
    const stopped = await stop('basic');
    expectSeconds(stopped, 3);
    const lines = stopped.log.trim().split('\n');
    expect(lines.at(-1)).toBe('TERM');
    // It ticked on, ten times a second, until TERM came.
    const times = lines.slice(0, -1).map(Number);
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(times.length).toBeGreaterThan(20);
    expect(Math.max(...gaps)).toBeLessThan(1);
  });

  test('without a hook it gets TERM at once', async () => {
    await running('no-hook', {});
    expectSeconds(await stop('no-hook'), 0);
  });
});

describe('sleep duration boundaries', () => {
  test.each([0, 1, 2])('a sleep of %i s takes just that', async (sleep) => {
    await running(`boundary-${sleep}`, { sleep });
    expectSeconds(await stop(`boundary-${sleep}`), sleep);
  });

  test.each([
    [-1, 'Invalid value: -1: must be non-negative'],
    [
      31,
      'Invalid value: 31: must be non-negative and less than terminationGracePeriodSeconds (30)',
    ],
  ])('a sleep of %i s is refused', async (sleep, words) => {
    await expect(cluster.client.create(pods, pod('refused', { sleep }))).rejects.toThrow(words);
  });
});

describe('exit and crash', () => {
  test('a container that exits during the sleep does not make the pod wait', async () => {
    await running('exits', { sleep: 20, script: 'echo begun; sleep 2; exit 7' });
    const stopped = await stop('exits');
    expect(stopped.seconds).toBeLessThan(2 + SLACK);
  });

  test('a container that has ended before is not slept for', async () => {
    await cluster.client.create(pods, pod('ended', { sleep: 20, script: 'exit 0' }));
    await eventually('it has ended', async () => {
      const { status } = await cluster.client.get(pods, { namespace: 'default', name: 'ended' });
      return status?.phase === 'Succeeded';
    });
    const begunMs = Date.now();
    await cluster.client.delete(pods, { namespace: 'default', name: 'ended' });
    await gone('ended');
    expect(Date.now() - begunMs).toBeLessThan(SLACK * 1_000);
  });
});

describe('interaction with the termination grace period', () => {
  test('a sleep as long as the grace: TERM at its end', async () => {
    await running('equal', { sleep: 2, grace: 2 });
    const stopped = await stop('equal');
    expectSeconds(stopped, 2);
    expect(stopped.log.trim().endsWith('TERM')).toBe(true);
  });

  test('a grace that is longer than the sleep changes nothing', async () => {
    await running('greater', { sleep: 1, grace: 30 });
    expectSeconds(await stop('greater'), 1);
  });

  test('a grace that is lowered below the sleep when it is deleted: TERM at the grace', async () => {
    await running('lowered', { sleep: 20, grace: 30 });
    const stopped = await stop('lowered', 2);
    expectSeconds(stopped, 2);
    expect(stopped.log.trim().endsWith('TERM')).toBe(true);
  });

  test('a second delete with less grace ends a sleep that is under way', async () => {
    await running('second', { sleep: 20, grace: 30 });
    const begunMs = Date.now();
    const key = { namespace: 'default', name: 'second' };
    await cluster.client.delete(pods, key);
    await cluster.client.delete(pods, key, { gracePeriodSeconds: 1 });
    await gone('second');
    expect((Date.now() - begunMs) / 1_000).toBeLessThan(1 + SLACK);
  });

  test('a program that ignores TERM is killed 2 s after a sleep that took the whole grace', async () => {
    await running('ignores', {
      sleep: 1,
      grace: 1,
      script: 'trap "" TERM; while :; do echo; sleep 0.1; done',
    });
    expectSeconds(await stop('ignores'), 3);
  });
});
