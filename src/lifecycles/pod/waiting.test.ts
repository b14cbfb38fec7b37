/** Tests the waiting reason that the API shows for a container before its next run, in simulated time. */
import { describe, expect, test } from 'vitest';

import { PodBench } from '../../../test/sim/pod/pod-bench.ts';
import { StartError } from '../../platform/container-runtime.ts';

const stateOf = ({ status }: PodBench, index: number = 0): object | undefined =>
  status.containerStatuses?.[index]?.state;

describe('a container in back-off', () => {
  const crashing = { web: { exitsAfter: 1, exitCode: 3 } };
  const backOff = 'BackOff web: Back-off restarting failed container web in pod pod_default(u)';

  test('reports its pause and its pod', async () => {
    const bench = new PodBench({ containers: [{ name: 'web' }], programs: crashing });
    await bench.pass(5);
    expect(stateOf(bench)).toEqual({
      waiting: {
        reason: 'CrashLoopBackOff',
        message: 'back-off 10s restarting failed container=web pod=pod_default(u)',
      },
    });
  });

  test('emits one event for each pause, and none for a restart at once', async () => {
    const bench = new PodBench({ containers: [{ name: 'web' }], programs: crashing });
    const reported = (): number => bench.events.filter((event) => event === backOff).length;
    await bench.pass(1.5);
    expect(reported()).toBe(0);
    await bench.pass(5);
    bench.worker.update(bench.pod);
    await bench.pass(5);
    expect(reported()).toBe(1);
    await bench.pass(20);
    expect(reported()).toBe(2);
  });

  test('POD-P3: waits its whole pause although the clock is set before the record of its hook is kept', async () => {
    const lifecycle = {
      postStart: { tcpSocket: { port: 80 } },
      preStop: { sleep: { seconds: 5 } },
    };
    const programs = { web: { exitsAfter: 2 } };
    const bench = new PodBench({ containers: [{ name: 'web', lifecycle }], programs });
    const twoSeconds = (): Promise<void> =>
      new Promise((resolve) => {
        bench.world.after(2_000, resolve);
      });
    bench.ledger.beforeAppend = async ({ type }) => {
      if (type === 'AttemptSettled') await twoSeconds();
    };
    await bench.pass(7);
    bench.world.setClock(5_000);
    await bench.pass(20);
    expect(bench.seen.filter((line) => line.endsWith('started'))).toEqual([
      '0.0 web started',
      '4.0 web started',
      '16.0 web started',
    ]);
  });

  test('emits no event under restartPolicy Never', async () => {
    const spec = { restartPolicy: 'Never' };
    const bench = new PodBench({ spec, containers: [{ name: 'web' }], programs: crashing });
    await bench.pass(20);
    expect(bench.events).not.toContain(backOff);
  });
});

describe('a container whose volume is missing', () => {
  const message = 'MountVolume.SetUp failed for volume "x" : secret "y" not found';

  test('waits as ContainerCreating with a FailedMount event, and starts when the volume is mounted', async () => {
    let missing: StartError | null = new StartError('FailedMount', message);
    const bench = new PodBench({ containers: [{ name: 'web' }], missing: () => missing });
    await bench.pass(1);
    expect(stateOf(bench)).toEqual({ waiting: { reason: 'ContainerCreating' } });
    expect(bench.status.phase).toBe('Pending');
    expect(bench.events).toEqual([`FailedMount : ${message}`]);
    missing = null;
    await bench.pass(5);
    expect(stateOf(bench)).toHaveProperty('running');
  });

  test('POD-P1: starts again without waiting for a sidecar if it has run before', async () => {
    let missing: StartError | null = null;
    let warmUps = 0;
    const postStart = { exec: { command: ['warm'] } };
    const bench = new PodBench({
      spec: {
        initContainers: [{ name: 'log', restartPolicy: 'Always', lifecycle: { postStart } }],
      },
      containers: [{ name: 'web' }],
      programs: {
        log: { exitsAfter: 3, commands: { warm: () => ({ takes: (warmUps += 1) > 1 ? 60 : 0 }) } },
        web: { exitsAfter: 1 },
      },
      missing: () => missing,
    });
    await bench.pass(0.5);
    missing = new StartError('FailedMount', message);
    await bench.pass(2);
    missing = null;
    await bench.pass(5);
    const starts = bench.seen.filter((line) => line.endsWith('started'));
    expect(starts).toEqual([
      '0.0 log started',
      '0.0 web started',
      '3.0 log started',
      '6.0 web started',
    ]);
    const initialized = bench.statuses.flatMap(({ conditions = [] }) =>
      conditions.filter(({ type }) => type === 'Initialized').map(({ status }) => status),
    );
    expect(initialized.lastIndexOf('False')).toBeLessThan(initialized.indexOf('True'));
  });

  test('POD-V1: has ended as its last run did if its pod is deleted meanwhile', async () => {
    let missing: StartError | null = null;
    const bench = new PodBench({
      containers: [{ name: 'web' }],
      programs: { web: { exitsAfter: 1 } },
      missing: () => missing,
    });
    await bench.pass(0.5);
    missing = new StartError('FailedMount', message);
    await bench.pass(1);
    bench.delete(30);
    await bench.pass(1);
    expect(bench.status.phase).toBe('Succeeded');
    expect(stateOf(bench)).toMatchObject({ terminated: { exitCode: 0, reason: 'Completed' } });
  });

  test('waits as PodInitializing in a pod with init containers', async () => {
    const bench = new PodBench({
      spec: { initContainers: [{ name: 'setup' }] },
      containers: [{ name: 'web' }],
      missing: () => new StartError('FailedMount', message),
    });
    await bench.pass(1);
    const waiting = { waiting: { reason: 'PodInitializing' } };
    expect(stateOf(bench)).toEqual(waiting);
    expect(bench.status.initContainerStatuses?.[0]?.state).toEqual(waiting);
  });

  test('waits as CreateContainerConfigError if a variable is missing instead', async () => {
    const missing = new StartError('CreateContainerConfigError', 'secret "y" not found');
    const bench = new PodBench({ containers: [{ name: 'web' }], missing: () => missing });
    await bench.pass(1);
    expect(stateOf(bench)).toEqual({
      waiting: { reason: 'CreateContainerConfigError', message: 'secret "y" not found' },
    });
    expect(bench.events).toEqual(['Failed web: Error: secret "y" not found']);
  });
});
