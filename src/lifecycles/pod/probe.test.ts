/** Tests probes of a container as handlers, and the verdict on consecutive results. */
import type { Container, Probe, ContainerStatus } from 'kubernetes-types/core/v1.js';
import { describe, expect, test } from 'vitest';

import { addResult, freshProbe, probeHandler, reportedHealth } from './probe.ts';
import { PodBench } from '../../../test/sim/pod/pod-bench.ts';

const container: Container = { name: 'app', ports: [{ name: 'web', containerPort: 8080 }] };

describe('probeHandler', () => {
  const handlerOf = (probe: Probe, podIp: string | null = '127.10.0.1'): unknown =>
    probeHandler(probe, { container, podIp });

  test('runs a command in the container of the probe', () => {
    const exec = { kind: 'exec', namespace: '', pod: '', container: 'app' };
    expect(handlerOf({ exec: { command: ['check'] } })).toEqual({ ...exec, command: ['check'] });
    expect(handlerOf({ exec: {} })).toEqual({ ...exec, command: [] });
  });

  test('asks over HTTP as the kubelet does', () => {
    expect(handlerOf({ httpGet: { port: 80 } })).toMatchObject({
      host: '127.10.0.1',
      httpHeaders: [{ name: 'User-Agent', value: 'kube-probe/1.37' }],
    });
  });

  test('connects to the address of the pod, or to the host that is named', () => {
    const tcp = { kind: 'tcpSocket', host: '127.10.0.1', port: 8080 };
    expect(handlerOf({ tcpSocket: { port: 'web' } })).toEqual(tcp);
    expect(handlerOf({ tcpSocket: { host: '', port: 'web' } })).toEqual(tcp);
    const named = { host: 'db', port: 1 };
    expect(handlerOf({ tcpSocket: named }, null)).toEqual({ kind: 'tcpSocket', ...named });
    expect(handlerOf({ tcpSocket: { port: 1 } }, null)).toBe('the pod has no address yet');
    expect(handlerOf({ tcpSocket: { port: 'x' } })).toContain(`couldn't find port "x"`);
  });

  test('says what cannot be probed', () => {
    expect(handlerOf({})).toBe('the probe names no handler');
    expect(handlerOf({ grpc: { port: 1 } })).toBe(
      'gRPC probes are not supported on this node; use httpGet, tcpSocket or exec',
    );
  });
});

describe('the verdict of a probe', () => {
  const after = (results: string, probe: Probe = {}): string[] => {
    let state = freshProbe;
    return results.split('').map((result) => {
      state = addResult(state, result === '+', probe);
      return state.verdict;
    });
  };

  test('is failing after three failures in a row, and passing after one success, by default', () => {
    expect(after('--')).toEqual(['unknown', 'unknown']);
    expect(after('+--+--')).toEqual(Array.from({ length: 6 }, () => 'passing'));
    expect(after('+---+')).toEqual(['passing', 'passing', 'passing', 'failing', 'passing']);
  });

  test('follows thresholds of its own, of unbroken rows', () => {
    const probe = { failureThreshold: 1, successThreshold: 2 };
    expect(after('+-+-++', probe)).toEqual([
      'unknown',
      'failing',
      'failing',
      'failing',
      'failing',
      'passing',
    ]);
  });
});

const probe = (command: string, more: Partial<Probe> = {}): Probe => ({
  exec: { command: [command] },
  periodSeconds: 2,
  failureThreshold: 2,
  ...more,
});

const health = ({ status }: PodBench): object => {
  const { ready, started } = status.containerStatuses?.[0] ?? {};
  return { ready, started };
};

/** Whether the container was ready, for every status from number `from` on. */
const steady = (bench: PodBench, from: number): unknown[] =>
  bench.statuses.slice(from).map(({ containerStatuses: [first] = [] }) => first?.ready);

describe('a container that was ready when the node was restarted', () => {
  let exitCode = 0;
  const program = {
    commands: {
      check: () => ({ takes: 0.1, exitCode }),
      boot: () => ({ takes: 0.1, exitCode }),
    },
  };
  const restarted = async (): Promise<PodBench> => {
    exitCode = 0;
    const bench = new PodBench({
      containers: [
        {
          name: 'web',
          startupProbe: probe('boot'),
          readinessProbe: probe('check'),
          lifecycle: { postStart: { exec: { command: ['warm'] } } },
        },
      ],
      programs: { web: program },
    });
    await bench.pass(5);
    expect(health(bench)).toEqual({ ready: true, started: true });
    exitCode = 1;
    bench.restartNode();
    return bench;
  };

  test('stays ready until its probe has reached the failure threshold', async () => {
    const bench = await restarted();
    const from = bench.statuses.length;
    await bench.pass(2);
    expect(steady(bench, from)).not.toContain(false);
    expect(health(bench)).toEqual({ ready: true, started: true });
    await bench.pass(3);
    expect(health(bench)).toEqual({ ready: false, started: true });
  });

  test('does not run its startup probe again, which would stop it', async () => {
    const bench = await restarted();
    await bench.pass(30);
    expect(bench.seen.filter((line) => line.endsWith('exec boot'))).toHaveLength(1);
    expect(bench.seen).not.toContainEqual(expect.stringContaining('TERM'));
  });
});

test('an unready container stays unready after a node restart until its probe passes', async () => {
  let exitCode = 1;
  const bench = new PodBench({
    containers: [{ name: 'web', readinessProbe: probe('check') }],
    programs: { web: { commands: { check: () => ({ takes: 0.1, exitCode }) } } },
  });
  await bench.pass(5);
  bench.restartNode();
  await bench.pass(0.05);
  expect(health(bench)).toEqual({ ready: false, started: true });
  exitCode = 0;
  await bench.pass(3);
  expect(health(bench)).toEqual({ ready: true, started: true });
});

test('a restarted container does not inherit the readiness of its last run', async () => {
  const bench = new PodBench({
    containers: [{ name: 'web', readinessProbe: probe('check', { initialDelaySeconds: 60 }) }],
    programs: { web: { exitsAfter: 70 } },
  });
  await bench.pass(65);
  expect(health(bench)).toEqual({ ready: true, started: true });
  bench.restartNode();
  await bench.pass(10);
  expect(health(bench)).toEqual({ ready: false, started: true });
});

describe('what the API knows of a run', () => {
  const status = (more: object = {}): ContainerStatus => ({
    name: 'web',
    image: '',
    imageID: '',
    restartCount: 1,
    containerID: 'sim://u_web_1',
    ready: true,
    started: true,
    state: { running: {} },
    ...more,
  });
  const found = (...containerStatuses: ContainerStatus[]): unknown =>
    reportedHealth({ status: { containerStatuses } }, { id: 'u_web_1' } as never);

  test('is its readiness, if it had started', () => {
    expect(found(status())).toEqual({ ready: true });
    expect(found(status({ ready: false }))).toEqual({ ready: false });
    const initContainerStatuses = [status()];
    const pod = { status: { initContainerStatuses } };
    expect(reportedHealth(pod, { id: 'u_web_1' } as never)).toEqual({ ready: true });
  });

  test.each([
    ['had not started', { started: false }],
    ['was not known to have started', { started: undefined }],
    ['was an earlier one', { containerID: 'sim://u_web_0' }],
    ['was of another container whose name is alike', { containerID: 'sim://x_u_web_1' }],
    ['had no id yet', { containerID: undefined }],
    ['had ended', { state: { terminated: { exitCode: 0 } } }],
    ['had no state', { state: undefined }],
  ])('is nothing if it %s', (_, more) => {
    expect(found(status(more))).toBeNull();
    expect(found(status({ ...more, containerID: undefined }), status())).toEqual({ ready: true });
  });

  test('is nothing of a pod without a status', () => {
    expect(reportedHealth({}, { id: 'u_web_1' } as never)).toBeNull();
    expect(found()).toBeNull();
  });
});
