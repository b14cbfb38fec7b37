/** Starts, ends, restarts, last words and probes of containers: the same for every runner. */
import type { Pod } from 'kubernetes-types/core/v1.js';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server } from 'node:net';
import { expect, test } from 'vitest';

import { pods } from '../../src/kube/resources.ts';
import { eventually } from './cluster-stand.ts';
import type { Bench } from './pod-bench.ts';

const FOREVER = 'exec sleep 1000';

export function lifeCases(bench: () => Bench): void {
  test('init containers run one after the other, sidecars beside the mains, and end after them', async () => {
    const { create, container, until, status, logs, at } = bench();
    const volumeMounts = [{ name: 'log', mountPath: at('log') }];
    const say = (word: string): string => `echo ${word} >>${at('log')}/said`;
    const part = (
      name: string,
      script: string,
      more: object = {},
    ): ReturnType<Bench['container']> => container(script, { name, volumeMounts, ...more });
    await create('ordered', {
      restartPolicy: 'Never',
      terminationGracePeriodSeconds: 5,
      initContainers: [
        part('first', say('first')),
        part(
          'side',
          `trap "${say('side-ends')}; cat ${at('log')}/said; exit 0" TERM; ${say('side')}; while :; do sleep 0.1; done`,
          {
            restartPolicy: 'Always',
            startupProbe: {
              exec: { command: ['sh', '-c', `grep side ${at('log')}/said`] },
              periodSeconds: 1,
            },
          },
        ),
        part('second', say('second')),
      ],
      containers: [part('app', `${say('main')}; sleep 0.3; ${say('main-ends')}`)],
      volumes: [{ name: 'log', emptyDir: {} }],
    });
    const ended = await until('ordered', 'is over', (pod) => pod.status?.phase === 'Succeeded');
    expect((await logs('ordered', '-c', 'side')).split('\n')).toEqual([
      'first',
      'side',
      'second',
      'main',
      'main-ends',
      'side-ends',
      '',
    ]);
    expect(
      ended.status?.initContainerStatuses?.map(({ name, restartCount }) => [name, restartCount]),
    ).toEqual([
      ['first', 0],
      ['side', 0],
      ['second', 0],
    ]);
    expect(status(ended, 'first')?.state?.terminated?.exitCode).toBe(0);
  });

  test('an init container that fails is tried again, or fails the pod that never restarts', async () => {
    const { create, container, until, status } = bench();
    const containers = [container(FOREVER)];
    await create('init-fails', {
      restartPolicy: 'Never',
      containers,
      initContainers: [container('exit 3', { name: 'init' })],
    });
    const failed = await until('init-fails', 'has failed', (pod) => pod.status?.phase === 'Failed');
    expect(status(failed, 'init')?.state?.terminated?.exitCode).toBe(3);
    expect(status(failed)?.state?.running).toBeUndefined();
    await create('init-retries', {
      containers,
      initContainers: [container('exit 3', { name: 'init' })],
    });
    await until(
      'init-retries',
      'backs off',
      (pod) => status(pod, 'init')?.state?.waiting?.reason === 'CrashLoopBackOff',
    );
  });

  test('a container that fails is restarted at once, then backs off; its logs and last words are kept', async () => {
    const { create, container, until, status, cluster, logs } = bench();
    await create('crashes', {
      containers: [
        container('echo run; echo why it failed >&2; exit 3', {
          terminationMessagePolicy: 'FallbackToLogsOnError',
        }),
      ],
    });
    const waiting = await until(
      'crashes',
      'backs off',
      (pod) => status(pod)?.state?.waiting?.reason === 'CrashLoopBackOff',
    );
    expect(status(waiting)?.restartCount).toBe(1);
    expect(status(waiting)?.lastState?.terminated).toMatchObject({ exitCode: 3, reason: 'Error' });
    expect(status(waiting)?.lastState?.terminated?.message).toContain('why it failed\n');
    expect((await cluster.kubectl('get', 'pod', 'crashes')).stdout).toContain('CrashLoopBackOff');
    expect(await logs('crashes')).toContain('run\n');
    expect(await logs('crashes', '--previous')).toContain('run\n');
  });

  test('a container leaves its last words in the file that it is given', async () => {
    const { create, container, until, status, runner } = bench();
    const messageOf = (pod: Pod): string => status(pod)?.state?.terminated?.message ?? '';
    const file = runner === 'process' ? '"$LIFEHOOK_TERMINATION_MESSAGE"' : '/dev/termination-log';
    await create('says', {
      restartPolicy: 'Never',
      containers: [container(`echo to-the-log; printf done >${file}`)],
    });
    const said = await until('says', 'has ended', (pod) => pod.status?.phase === 'Succeeded');
    expect(status(said)?.state?.terminated).toMatchObject({
      exitCode: 0,
      reason: 'Completed',
      message: 'done',
    });
    await create('says-much', {
      restartPolicy: 'Never',
      containers: [container(`seq 5000 >${file}; exit 1`)],
    });
    const much = await until('says-much', 'has ended', (pod) => pod.status?.phase === 'Failed');
    expect(messageOf(much)).toHaveLength(4_096);
    expect(messageOf(much).endsWith('4999\n5000\n')).toBe(true);
  });

  test('a signal counts as 128 and its number, and a program that is not there is told', async () => {
    const { create, container, until, status } = bench();
    // The first process of a namespace of its own is not killed by itself: its child is.
    await create('killed', {
      restartPolicy: 'Never',
      containers: [container('sh -c "kill -9 \\$\\$"; exit $?')],
    });
    const killed = await until('killed', 'has ended', (pod) => pod.status?.phase === 'Failed');
    expect(status(killed)?.state?.terminated).toMatchObject({ exitCode: 137, reason: 'Error' });
    await create('absent', {
      restartPolicy: 'Never',
      containers: [container('', { command: ['no-such-program'] })],
    });
    const absent = await until('absent', 'has ended', (pod) => pod.status?.phase === 'Failed');
    expect(status(absent)?.state?.terminated).toMatchObject({ reason: 'StartError' });
    expect(status(absent)?.state?.terminated?.message).toContain(
      'executable file not found in $PATH',
    );
  });

  test('activeDeadlineSeconds fails the pod', async () => {
    const { create, container, until } = bench();
    await create('too-long', {
      activeDeadlineSeconds: 1,
      containers: [container('trap "exit 0" TERM; while :; do sleep 0.1; done')],
    });
    const { status } = await until(
      'too-long',
      'has failed',
      (pod) => pod.status?.phase === 'Failed',
    );
    expect(status?.reason).toBe('DeadlineExceeded');
  });

  test('an exec probe of readiness opens and closes the pod; readinessGates hold it', async () => {
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

  test('TCP and HTTP probes go to the address of the pod; a status from 400 on fails', async () => {
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
            failureThreshold: 30,
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
    expect(new Set(asked)).toEqual(new Set(['/start kube-probe/1.34']));
    code = 302;
    await ready('http');
    expect(asked.at(-1)).toBe('/ready kube-probe/1.34');
    web.close();
  });

  test('a liveness probe that fails restarts the container, with its own grace; grpc is refused', async () => {
    const { create, container, until, status, events, running } = bench();
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
    const begun = Date.now();
    const dead = await until('dies', 'is restarted', (pod) => (status(pod)?.restartCount ?? 0) > 0);
    expect(status(dead)?.lastState?.terminated?.exitCode).toBe(137);
    expect(Date.now() - begun).toBeLessThan(8_000);
    expect((await events('dies')).join('\n')).toMatch(/Unhealthy: Liveness probe failed: /);
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
