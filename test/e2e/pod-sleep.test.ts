/**
 * The e2e groups of prestop-sleep.md ("Test Plan") on a local cluster, with real processes and real time.
 *
 * Times are from the log of the container, because `finishedAt` has whole seconds only. Upper bounds are proven by the
 * order of the exits, or by a limit far below the wrong behaviour.
 */
import type { Pod } from 'kubernetes-types/core/v1.js';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { isReason } from '../../src/kube/api-error.ts';
import { podLogs } from '../../src/kube/logs.ts';
import { pods } from '../../src/kube/resources.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { type ClusterStand, openCluster } from './cluster-stand.ts';

let cluster: ClusterStand;

beforeAll(async () => {
  cluster = await openCluster();
});

afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
});

/** Logs the time every 100 ms; logs TERM too, and then exits. */
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
  /** Seconds from just before the delete to TERM, by the clock of the machine; null if no TERM arrived. */
  readonly secondsToTerm: number | null;
  /** Seconds from just before the delete until the pod is removed from the API. */
  readonly secondsToEnd: number;
  /** Seconds from the delete to each line that the container logged before TERM. */
  readonly ticks: readonly number[];
}

/** Deletes the pod and follows its log meanwhile. */
async function stop(name: string, graceSeconds?: number): Promise<Stop> {
  const { whole } = await followed(name);
  const begunMs = Date.now();
  await remove(name, graceSeconds);
  await deleted(name);
  const secondsToEnd = (Date.now() - begunMs) / 1_000;
  return { ...timesIn(await whole, begunMs), secondsToEnd };
}

/**
 * Follows the log of a running pod to its end. Resolves at the first line: from then on no later line is missed, and
 * the shell handles TERM.
 */
async function followed(name: string): Promise<{ readonly whole: Promise<string> }> {
  const which = { namespace: 'default', pod: name };
  const lines = podLogs(cluster.connection, { ...which, follow: true })[Symbol.asyncIterator]();
  const first = await lines.next();
  const read = async (): Promise<string> => {
    let log = '';
    for (let line = first; line.done !== true; line = await lines.next()) {
      log += `${line.value.text}\n`;
    }
    return log;
  };
  return { whole: read() };
}

function timesIn(log: string, begunMs: number): Pick<Stop, 'secondsToTerm' | 'ticks'> {
  const lines = log.trim().split('\n');
  const times = lines.map((line) => Number(line) - begunMs / 1_000);
  const secondsToTerm = lines.at(-1) === 'TERM' ? (times.at(-2) ?? null) : null;
  return { secondsToTerm, ticks: times.slice(0, -2).filter((time) => time >= 0) };
}

async function remove(name: string, graceSeconds?: number): Promise<void> {
  const grace = graceSeconds === undefined ? {} : { gracePeriodSeconds: graceSeconds };
  await cluster.client.delete(pods, { namespace: 'default', name }, grace);
}

async function deleted(name: string): Promise<void> {
  await eventually(`${name} is gone`, async () => {
    try {
      await cluster.client.get(pods, { namespace: 'default', name });
      return false;
    } catch (error) {
      return isReason(error, 'NotFound');
    }
  });
}

/** Seconds; longer than a test waits, so the test fails if a pod really takes that long. */
const TOO_LONG = 500;
const GRACE = 600;

describe.concurrent('basic functionality', () => {
  test('a container sleeps for its 3 seconds before it gets SIGTERM, and keeps executing', async () => {
    await running('basic', { sleep: 3, grace: GRACE });
    const { secondsToTerm, ticks } = await stop('basic');
    expect(secondsToTerm).toBeGreaterThanOrEqual(3);
    // The container logs up to ten times a second until TERM.
    expect(ticks.filter((time) => time < 3).length).toBeGreaterThan(2);
  });

  test('a container without a hook gets SIGTERM before one that sleeps', async () => {
    await Promise.all([
      running('no-hook', { grace: GRACE }),
      running('has-hook', { sleep: 3, grace: GRACE }),
    ]);
    const [without, withHook] = await Promise.all([stop('no-hook'), stop('has-hook')]);
    expect(without.secondsToTerm).not.toBeNull();
    expect(without.secondsToTerm).toBeLessThan(withHook.secondsToTerm ?? 0);
  });
});

describe.concurrent('sleep duration boundaries', () => {
  test('sleeps of 0 to 5 s that start together take at least that long and end in this order', async () => {
    const sleeps = [0, 1, 2, 3, 4, 5];
    const nameOf = (sleep: number): string => `boundary-${sleep}`;
    await Promise.all(sleeps.map((sleep) => running(nameOf(sleep), { sleep, grace: GRACE })));
    // This pod gets TERM after 5 s, whatever its sleep is: then its grace period is over.
    await running('boundary-grace', { sleep: TOO_LONG, grace: GRACE });
    const names = [...sleeps.map(nameOf), 'boundary-grace'];
    const logs = await Promise.all(names.map(followed));
    const begunMs = Date.now();
    // One after the other, so that a delay of a busy machine keeps the order of the exits.
    for (const sleep of sleeps) await remove(nameOf(sleep));
    await remove('boundary-grace', 5);
    await Promise.all(names.map(deleted));
    const whole = await Promise.all(logs.map((log) => log.whole));
    const all = whole.map((log) => timesIn(log, begunMs).secondsToTerm ?? -1);
    const [terms, byGrace] = [all.slice(0, -1), all.at(-1)];
    for (const [sleep, term] of terms.entries()) {
      expect(term).toBeGreaterThanOrEqual(sleep);
      // Compares with the next but one: two neighbours may log TERM in any order, as the scheduler runs them.
      expect(term).toBeLessThan(terms[sleep + 2] ?? Infinity);
    }
    expect(terms[3]).toBeLessThan(byGrace ?? 0);
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

describe.concurrent('exit and crash', () => {
  test('a container that exits during the sleep does not make the pod wait', async () => {
    const go = join(cluster.folder, 'exits');
    const script = `until [ -e '${go}' ]; do sleep 0.1; done; exit 7`;
    await running('exits', { sleep: TOO_LONG, grace: GRACE, script });
    await remove('exits');
    await writeFile(go, '');
    await deleted('exits');
  });

  test('a container that has already exited does not make the pod wait', async () => {
    const ends = pod('ended', { sleep: TOO_LONG, grace: GRACE, script: 'exit 0' });
    await cluster.client.create(pods, ends);
    await eventually('it has ended', async () => {
      const { status } = await cluster.client.get(pods, { namespace: 'default', name: 'ended' });
      return status?.phase === 'Succeeded';
    });
    await remove('ended');
    await deleted('ended');
  });
});

describe.concurrent('interaction with the termination grace period', () => {
  test('a sleep as long as the grace period ends with SIGTERM', async () => {
    await running('equal', { sleep: 2, grace: 2 });
    expect((await stop('equal')).secondsToTerm).toBeGreaterThanOrEqual(2);
  });

  test('a delete with a grace period below the sleep sends SIGTERM at the end of the grace period', async () => {
    await running('lowered', { sleep: TOO_LONG, grace: GRACE });
    expect((await stop('lowered', 2)).secondsToTerm).toBeGreaterThanOrEqual(2);
  });

  test('a second delete with a shorter grace period ends a running sleep', async () => {
    await running('second', { sleep: TOO_LONG, grace: GRACE });
    await remove('second');
    await remove('second', 1);
    await deleted('second');
  });

  test('a program that ignores SIGTERM is killed 2 s after a sleep that used the whole grace period', async () => {
    await running('ignores', {
      sleep: 1,
      grace: 1,
      script: 'trap "" TERM; while :; do echo; sleep 0.1; done',
    });
    expect((await stop('ignores')).secondsToEnd).toBeGreaterThanOrEqual(3);
  });
});
