/** Tests the start and the restarts of a pod's containers, in simulated time. */
import type { Container, PodStatus } from 'kubernetes-types/core/v1.js';
import { describe, expect, test } from 'vitest';

import { PodBench } from '../../../test/sim/pod/pod-bench.ts';

const starts = (bench: PodBench, name: string): number[] =>
  bench.seen
    .filter((line) => line.endsWith(` ${name} started`))
    .map((line) => Number(line.split(' ')[0]));

const conditionOf = ({ conditions = [] }: PodStatus, type: string): string | undefined =>
  conditions.find((condition) => condition.type === type)?.status;

describe('a pod', () => {
  test('runs, becomes ready, and reports its start time', async () => {
    const bench = new PodBench({ containers: [{ name: 'web', image: 'app:1' }] });
    await bench.pass(1);
    expect(bench.status).toMatchObject({
      phase: 'Running',
      podIP: '127.10.0.1',
      startTime: '2026-01-01T00:00:00Z',
      containerStatuses: [
        {
          name: 'web',
          ready: true,
          started: true,
          restartCount: 0,
          image: 'app:1',
          containerID: 'sim://u_web_0',
          state: { running: { startedAt: '2026-01-01T00:00:00Z' } },
        },
      ],
    });
    expect(conditionOf(bench.status, 'Ready')).toBe('True');
  });

  test('whose program exits is restarted at once, then after 10, 20 and 40 s', async () => {
    const bench = new PodBench({
      containers: [{ name: 'web' }],
      programs: { web: { exitsAfter: 1, exitCode: 3 } },
    });
    await bench.pass(80);
    expect(starts(bench, 'web')).toEqual([0, 1, 12, 33, 74]);
    expect(bench.status.containerStatuses?.[0]).toMatchObject({
      restartCount: 4,
      lastState: { terminated: { exitCode: 3, reason: 'Error' } },
    });
  });

  test('that waits for a restart reports CrashLoopBackOff', async () => {
    const bench = new PodBench({
      containers: [{ name: 'web' }],
      programs: { web: { exitsAfter: 1, exitCode: 3 } },
    });
    await bench.pass(5);
    expect(bench.status.containerStatuses?.[0]).toMatchObject({
      state: { waiting: { reason: 'CrashLoopBackOff' } },
      lastState: { terminated: { exitCode: 3 } },
      restartCount: 1,
    });
  });

  test.each([
    ['Never', 0, 'Succeeded'],
    ['Never', 2, 'Failed'],
    ['OnFailure', 0, 'Succeeded'],
  ])(
    'with restartPolicy %s whose program exits %i is %s',
    async (restartPolicy, exitCode, phase) => {
      const bench = new PodBench({
        spec: { restartPolicy },
        containers: [{ name: 'web' }],
        programs: { web: { exitsAfter: 1, exitCode } },
      });
      await bench.pass(60);
      expect(bench.status.phase).toBe(phase);
      expect(starts(bench, 'web')).toEqual([0]);
    },
  );

  test('whose program cannot be started fails with exit code 127', async () => {
    const bench = new PodBench({
      spec: { restartPolicy: 'Never' },
      containers: [{ name: 'web' }],
      programs: { web: { broken: 'no such program' } },
    });
    await bench.pass(1);
    expect(bench.status).toMatchObject({
      phase: 'Failed',
      containerStatuses: [
        {
          state: {
            terminated: { exitCode: 127, reason: 'StartError', message: 'no such program' },
          },
        },
      ],
    });
  });

  test('runs its init containers in order, each until it exits', async () => {
    const bench = new PodBench({
      spec: { initContainers: [{ name: 'one' }, { name: 'two' }] },
      containers: [{ name: 'web' }],
      programs: { one: { exitsAfter: 2 }, two: { exitsAfter: 3 } },
    });
    await bench.pass(10);
    expect([starts(bench, 'one'), starts(bench, 'two'), starts(bench, 'web')]).toEqual([
      [0],
      [2],
      [5],
    ]);
  });

  test('with restartPolicy Never fails when an init container fails', async () => {
    const bench = new PodBench({
      spec: { restartPolicy: 'Never', initContainers: [{ name: 'one' }] },
      containers: [{ name: 'web' }],
      programs: { one: { exitsAfter: 2, exitCode: 1 } },
    });
    await bench.pass(60);
    expect(bench.status.phase).toBe('Failed');
    expect(starts(bench, 'web')).toEqual([]);
  });

  test('starts its main containers after its sidecar, and stops the sidecar after them', async () => {
    const log: Container = {
      name: 'log',
      restartPolicy: 'Always',
      startupProbe: { exec: { command: ['check'] }, periodSeconds: 1, initialDelaySeconds: 3 },
    };
    const bench = new PodBench({
      spec: { restartPolicy: 'Never', initContainers: [log] },
      containers: [{ name: 'web' }],
      programs: { web: { exitsAfter: 2 } },
    });
    await bench.pass(20);
    expect(bench.seen.filter((line) => !line.includes('exec'))).toEqual([
      '0.0 log started',
      '3.0 web started',
      '5.0 web ended',
      '5.0 log TERM',
      '5.0 log ended',
    ]);
    expect(bench.status.phase).toBe('Succeeded');
  });

  test('fails at its activeDeadlineSeconds', async () => {
    const bench = new PodBench({
      spec: { activeDeadlineSeconds: 5 },
      containers: [{ name: 'web' }],
    });
    await bench.pass(20);
    expect(bench.seen).toEqual(['0.0 web started', '5.0 web TERM', '5.0 web ended']);
    expect(bench.status).toMatchObject({ phase: 'Failed', reason: 'DeadlineExceeded' });
  });

  test('keeps running when the node is restarted', async () => {
    const bench = new PodBench({ containers: [{ name: 'web' }] });
    await bench.pass(5);
    bench.restartNode();
    await bench.pass(5);
    expect(bench.seen).toEqual(['0.0 web started']);
    expect(bench.status.containerStatuses?.[0]).toMatchObject({ ready: true, restartCount: 0 });
  });
});

test('a pod worker writes no status for a late echo of an earlier one', async () => {
  const bench = new PodBench({
    containers: [{ name: 'web' }],
    programs: { web: { exitsAfter: 1.5, exitCode: 1 } },
  });
  await bench.pass(1);
  const ready = bench.status;
  await bench.pass(3);
  const reported = bench.statuses.length;
  for (const echo of [ready, bench.status, ready, bench.status]) {
    bench.worker.update({ ...bench.pod, status: echo });
    await bench.pass(1.1);
  }
  expect(bench.statuses.length).toBe(reported);
});

describe('a restarted node', () => {
  test('does not retry a container that could not be started under restartPolicy Never', async () => {
    const bench = new PodBench({
      spec: { restartPolicy: 'Never' },
      containers: [{ name: 'broken' }, { name: 'web' }],
      programs: { broken: { broken: 'no such program' } },
    });
    await bench.pass(1);
    bench.restartNode();
    await bench.pass(5);
    expect(bench.events.filter((event) => event.startsWith('Created broken'))).toHaveLength(1);
    expect(bench.status.containerStatuses?.[0]?.state).toMatchObject({
      terminated: { exitCode: 127, reason: 'StartError', message: 'no such program' },
    });
  });

  test('keeps counting the restarts of a container that cannot be started', async () => {
    const bench = new PodBench({
      containers: [{ name: 'web' }],
      programs: { web: { broken: 'no such program' } },
    });
    await bench.pass(11);
    const { restartCount } = bench.status.containerStatuses?.[0] ?? {};
    expect(restartCount).toBe(2);
    bench.restartNode();
    await bench.pass(25);
    expect(bench.status.containerStatuses?.[0]?.restartCount).toBe(3);
  });
});

test('a pod past its deadline is not restarted when the clock is set back', async () => {
  const bench = new PodBench({
    spec: { activeDeadlineSeconds: 5 },
    containers: [{ name: 'web' }],
    programs: { web: { onTerm: 3 } },
  });
  await bench.pass(6);
  bench.world.setClock(-3_600_000);
  await bench.pass(60);
  expect(starts(bench, 'web')).toEqual([0]);
  expect(bench.status).toMatchObject({ phase: 'Failed', reason: 'DeadlineExceeded' });
});

test('a pod stays Running between two runs of its only container', async () => {
  const bench = new PodBench({
    containers: [{ name: 'web', lifecycle: { postStart: { exec: { command: ['warm'] } } } }],
    programs: { web: { exitsAfter: 3, commands: { warm: { takes: 1 } } } },
  });
  await bench.pass(40);
  const phases = bench.statuses.map(({ phase }) => phase);
  expect(phases.lastIndexOf('Pending')).toBeLessThan(phases.indexOf('Running'));
});
