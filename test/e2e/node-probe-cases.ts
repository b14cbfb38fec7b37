/** Probes of containers. The cases are the same for every runner. */
import type { Pod } from 'kubernetes-types/core/v1.js';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server } from 'node:net';
import { expect, test } from 'vitest';

import { events as kubeEvents, pods } from '../../src/kube/resources.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import type { Bench } from './pod-bench.ts';

const FOREVER = 'exec sleep 1000';

export function probeCases(bench: () => Bench): void {
  test('an exec readiness probe makes the pod ready and unready, and readinessGates keep it unready', async () => {
    const { create, container, until, running, exec, cluster, at } = bench();
    const condition =
      (wanted: string, type = 'Ready') =>
      (pod: Pod): boolean =>
        pod.status?.conditions?.some((one) => one.type === type && one.status === wanted) ?? false;
    await create('readies', {
      readinessGates: [{ conditionType: 'example.com/open' }],
      containers: [
        container(FOREVER, {
          volumeMounts: [{ name: 'work', mountPath: at('work') }],
          readinessProbe: { exec: { command: ['cat', at('work/ready')] }, periodSeconds: 1 },
        }),
      ],
      volumes: [{ name: 'work', emptyDir: {} }],
    });
    await running('readies');
    await until('readies', 'is not ready', condition('False', 'ContainersReady'));
    await exec('readies', `touch ${at('work/ready')}`);
    const held = await until(
      'readies',
      'its containers are ready',
      condition('True', 'ContainersReady'),
    );
    expect(condition('False')(held)).toBe(true);
    const open = { type: 'example.com/open', status: 'True' };
    await cluster.client.patch(
      pods,
      { namespace: 'default', name: 'readies' },
      {
        type: 'strategic',
        subresource: 'status',
        body: { status: { conditions: [open] } },
      },
    );
    await until('readies', 'is ready', condition('True'));
    await exec(
      'readies',
      `rm ${at('work/ready')} 2>/dev/null || mv ${at('work/ready')} ${at('work/was')}`,
    );
    await until('readies', 'is not ready any more', condition('False'));
  });

  test('TCP and HTTP probes connect to the address of the pod, and a status from 400 on fails', async () => {
    const { create, container, until, running, status } = bench();
    const ready = (name: string) => until(name, 'is ready', (pod) => status(pod)?.ready === true);
    await create('tcp', {
      containers: [
        container(FOREVER, { readinessProbe: { tcpSocket: { port: 7_777 }, periodSeconds: 1 } }),
      ],
    });
    const { status: tcp } = await running('tcp');
    const server = await listening(createServer(), 7_777, tcp?.podIP);
    await ready('tcp');
    server.close();
    await create('http', {
      containers: [
        container(FOREVER, {
          ports: [{ name: 'web', containerPort: 7_778 }],
          startupProbe: {
            httpGet: { path: '/start', port: 'web' },
            periodSeconds: 1,
            failureThreshold: 600,
          },
          readinessProbe: { httpGet: { path: '/ready', port: 'web' }, periodSeconds: 1 },
        }),
      ],
    });
    const { status: http } = await running('http');
    const asked: string[] = [];
    let code = 503;
    const web = createHttpServer((request, response) => {
      asked.push(`${request.url} ${request.headers['user-agent']}`);
      response.writeHead(code).end();
    });
    await listening(web, 7_778, http?.podIP);
    await eventually('it was asked', async () => asked.length > 1);
    expect(new Set(asked)).toEqual(new Set(['/start kube-probe/1.37']));
    code = 302;
    await ready('http');
    expect(asked.at(-1)).toBe('/ready kube-probe/1.37');
    web.close();
  });

  test('a failing liveness probe restarts the container with its own grace period, and grpc is refused', async () => {
    const { create, container, until, status, events, running, cluster } = bench();
    // The pod's grace period is long, so a fast exit shows that the probe's grace period was used.
    await create('dies', {
      terminationGracePeriodSeconds: 600,
      containers: [
        container('trap "" TERM; while :; do sleep 0.1; done', {
          livenessProbe: {
            exec: { command: ['false'] },
            periodSeconds: 1,
            failureThreshold: 2,
            terminationGracePeriodSeconds: 1,
          },
        }),
      ],
    });
    const dead = await until('dies', 'is restarted', (pod) => (status(pod)?.restartCount ?? 0) > 0);
    expect(status(dead)?.lastState?.terminated?.exitCode).toBe(137);
    const items = await eventually('its events are recorded', async () => {
      const list = await cluster.client.list(kubeEvents, {
        namespace: 'default',
        fieldSelector: 'involvedObject.name=dies',
      });
      const isThere = (wanted: string, times: number): boolean =>
        list.items.some(({ reason, count = 0 }) => reason === wanted && count >= times);
      return isThere('Unhealthy', 2) && isThere('Killing', 1) ? list.items : null;
    });
    const reported = (reason: string) => items.find((event) => event.reason === reason);
    expect(reported('Killing')).toMatchObject({
      type: 'Normal',
      message: 'Container app failed liveness probe, will be restarted',
      source: { component: 'kubelet', host: 'lifehook' },
    });
    expect(reported('Unhealthy')).toMatchObject({ type: 'Warning' });
    expect(reported('Unhealthy')?.message).toMatch(/^Liveness probe failed: /);
    expect(reported('Scheduled')?.source).toEqual({ component: 'default-scheduler' });
    await create('grpc', {
      containers: [container(FOREVER, { readinessProbe: { grpc: { port: 1 }, periodSeconds: 1 } })],
    });
    await running('grpc');
    await eventually('it is told', async () =>
      (await events('grpc')).some((event) =>
        event.startsWith('Unhealthy: Readiness probe failed: gRPC probes are not supported'),
      ),
    );
  });
}

async function listening<S extends Server>(server: S, port: number, host: string = ''): Promise<S> {
  await new Promise<void>((done) => {
    server.listen(port, host, done);
  });
  return server;
}
