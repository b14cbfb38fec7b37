/** Tests postStart hooks and probes of a pod, in simulated time. */
import type { Container, PodStatus } from 'kubernetes-types/core/v1.js';
import { describe, expect, test } from 'vitest';

import { PodBench } from '../../../test/sim/pod/pod-bench.ts';

const conditionOf = ({ conditions = [] }: PodStatus, type: string): string | undefined =>
  conditions.find((condition) => condition.type === type)?.status;

describe('a postStart hook', () => {
  const withHook = (command: string): Container => ({
    name: 'web',
    lifecycle: { postStart: { exec: { command: [command] } } },
  });

  test('keeps the container in ContainerCreating until it has succeeded', async () => {
    const bench = new PodBench({
      containers: [withHook('warm')],
      programs: { web: { commands: { warm: { takes: 3 } } } },
    });
    await bench.pass(2);
    expect(bench.status.containerStatuses?.[0]?.state).toEqual({
      waiting: { reason: 'ContainerCreating' },
    });
    await bench.pass(2);
    expect(bench.status.containerStatuses?.[0]?.state).toHaveProperty('running');
  });

  test('POD-K2: that fails stops the container, which restarts by its policy', async () => {
    const bench = new PodBench({
      containers: [withHook('warm')],
      programs: { web: { commands: { warm: { takes: 1, exitCode: 1 } } } },
    });
    await bench.pass(3);
    expect(bench.seen.slice(0, 5)).toEqual([
      '0.0 web started',
      '0.0 web exec warm',
      '1.0 web TERM',
      '1.0 web ended',
      '1.0 web started',
    ]);
    expect(bench.events).toContain(
      'FailedPostStartHook web: PostStartHook failed: warm in the container exited with code 1.',
    );
  });

  test('that was running when the node restarted counts as failed', async () => {
    const bench = new PodBench({
      containers: [withHook('warm')],
      programs: { web: { commands: { warm: { takes: 3 } } } },
    });
    await bench.pass(1);
    bench.restartNode();
    await bench.pass(0.5);
    expect(bench.seen.slice(2, 4)).toEqual(['1.0 web TERM', '1.0 web ended']);
  });

  test('that succeeded does not run again after a node restart', async () => {
    const bench = new PodBench({
      containers: [withHook('warm')],
      programs: { web: { commands: { warm: { takes: 1 } } } },
    });
    await bench.pass(5);
    bench.restartNode();
    await bench.pass(5);
    expect(bench.seen).toEqual(['0.0 web started', '0.0 web exec warm']);
    expect(bench.status.containerStatuses?.[0]?.ready).toBe(true);
  });

  test('POD-K15: over HTTP is retried while the connection is refused', async () => {
    let tries = 0;
    const bench = new PodBench({
      containers: [{ name: 'web', lifecycle: { postStart: { httpGet: { port: 80 } } } }],
      httpGet: () => {
        tries += 1;
        if (tries < 3) return Promise.reject(new Error('connect ECONNREFUSED'));
        return Promise.resolve({
          status: 500,
          location: null,
          body: '',
          bodyBytes: 0,
          bodyTruncated: false,
        });
      },
    });
    await bench.pass(10);
    expect(tries).toBe(3);
    // POD-K14: the hook succeeds with any status of the response.
    expect(bench.status.containerStatuses?.[0]?.ready).toBe(true);
  });

  test('POD-K18: with an unknown port name fails with the reason', async () => {
    const bench = new PodBench({
      containers: [{ name: 'web', lifecycle: { postStart: { httpGet: { port: 'admin' } } } }],
    });
    await bench.pass(0.5);
    expect(bench.events.join('\n')).toContain(
      `couldn't find port "admin" in container web: it names none`,
    );
  });

  test('POD-K24: of kind tcpSocket is accepted and fails', async () => {
    const bench = new PodBench({
      containers: [{ name: 'web', lifecycle: { postStart: { tcpSocket: { port: 80 } } } }],
    });
    await bench.pass(0.5);
    expect(bench.events.join('\n')).toContain('PostStartHook failed: invalid handler');
  });
});

describe('a probe', () => {
  test('of liveness restarts the container after three failures in a row (POD-K12)', async () => {
    const livenessProbe = {
      exec: { command: ['check'] },
      periodSeconds: 2,
      terminationGracePeriodSeconds: 1,
    };
    const bench = new PodBench({
      containers: [{ name: 'web', livenessProbe }],
      programs: { web: { onTerm: 'never', commands: { check: { takes: 0, exitCode: 1 } } } },
    });
    await bench.pass(7);
    expect(bench.seen.filter((line) => !line.includes('exec'))).toEqual([
      '0.0 web started',
      '4.0 web TERM',
      '6.0 web KILL',
      '6.0 web ended',
      '6.0 web started',
    ]);
    const unhealthy =
      'Unhealthy web: Liveness probe failed: check in the container exited with code 1.';
    expect(bench.events.filter((event) => !/Created|Started/.test(event))).toEqual([
      unhealthy,
      unhealthy,
      unhealthy,
      'Killing web: Container web failed liveness probe, will be restarted',
      unhealthy,
    ]);
  });

  test('does not run while its container is being stopped', async () => {
    const probe = { exec: { command: ['check'] }, periodSeconds: 1 };
    const bench = new PodBench({
      containers: [
        {
          name: 'web',
          livenessProbe: probe,
          readinessProbe: probe,
          lifecycle: { preStop: { exec: { command: ['flush'] } } },
        },
      ],
      programs: { web: { commands: { check: { takes: 0 }, flush: { takes: 5 } } } },
    });
    await bench.pass(2.5);
    bench.delete(30);
    await bench.pass(10);
    const stopping = bench.seen.slice(bench.seen.indexOf('2.5 web exec flush'));
    expect(stopping).toEqual(['2.5 web exec flush', '7.5 web TERM', '7.5 web ended']);
  });

  test('of readiness makes the pod unready while it fails', async () => {
    let exitCode = 0;
    const bench = new PodBench({
      containers: [
        {
          name: 'web',
          readinessProbe: { exec: { command: ['check'] }, periodSeconds: 1, failureThreshold: 1 },
        },
      ],
      programs: {
        web: {
          commands: {
            get check() {
              return { takes: 0, exitCode };
            },
          },
        },
      },
    });
    await bench.pass(1);
    expect(conditionOf(bench.status, 'Ready')).toBe('True');
    exitCode = 1;
    await bench.pass(2);
    expect(conditionOf(bench.status, 'Ready')).toBe('False');
    exitCode = 0;
    await bench.pass(2);
    expect(conditionOf(bench.status, 'Ready')).toBe('True');
  });
});
