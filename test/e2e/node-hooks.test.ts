/** Pod hooks with real servers and programs: the conformance cases of handlers (K), and their events. */
import type { Lifecycle } from 'kubernetes-types/core/v1.js';
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { mkdtemp, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { serverCertificates } from '../../src/platform/node-certificates.ts';
import { nodePlatform } from '../../src/platform/node-platform.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import type { Ended } from './cluster-stand.ts';
import { type StartedKubectl, startKubectl } from './kubectl-steps.ts';
import { type Bench, openBench } from './pod-bench.ts';

let bench: Bench;

beforeAll(async () => {
  bench = await openBench('process');
});

afterAll(async () => {
  await bench[Symbol.asyncDispose]();
});

const TICKING = 'trap "exit 0" TERM; while :; do sleep 0.05; done';
const HOST = '127.0.0.1';

const create = (name: string, lifecycle: Lifecycle, metadata: object = {}): Promise<void> =>
  bench.create(
    name,
    {
      restartPolicy: 'Never',
      terminationGracePeriodSeconds: 5,
      containers: [
        bench.container(TICKING, { lifecycle, ports: [{ name: 'web', containerPort: 7_790 }] }),
      ],
    },
    metadata,
  );

const eventOf = (name: string, reason: string): Promise<string> =>
  eventually(`${reason} of ${name}`, async () =>
    (await bench.events(name)).find((event) => event.startsWith(`${reason}: `)),
  );

interface WebServer extends AsyncDisposable {
  readonly port: number;
  /** Requests as "GET /path" with their headers, in order. */
  readonly asked: { readonly line: string; readonly headers: Readonly<Record<string, unknown>> }[];
}

async function serve(
  make: (listener: RequestListener) => Server,
  { status = 200, host = HOST, port = 0 }: { status?: number; host?: string; port?: number } = {},
): Promise<WebServer> {
  const asked: WebServer['asked'] = [];
  const server = make(({ method, url, headers }, response) => {
    asked.push({ line: `${method} ${url}`, headers });
    response.writeHead(status).end('the answer, a secret');
  });
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address() as { port: number };
  return {
    port: address.port,
    asked,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

test(
  'postStart by exec runs before the container is running, and its output is not logged (POD-K1, POD-K2)',
  { tags: 'kubectl' },
  async () => {
    await create('good', {
      postStart: { exec: { command: ['sh', '-c', 'echo begun >here; echo a-secret'] } },
    });
    await bench.running('good');
    expect(await bench.exec('good', 'cat here')).toBe('begun\n');
    expect(await bench.logs('good')).not.toContain('a-secret');
    await create('bad', {
      postStart: { exec: { command: ['sh', '-c', 'echo a-secret; echo a-secret >&2; exit 7'] } },
    });
    const ended = await bench.until(
      'bad',
      'has ended',
      (pod) => pod.status?.phase === 'Failed' || pod.status?.phase === 'Succeeded',
    );
    expect(bench.status(ended)?.state?.terminated).toBeDefined();
    expect(await eventOf('bad', 'FailedPostStartHook')).toBe(
      'FailedPostStartHook: PostStartHook failed: sh in the container exited with code 7.',
    );
    await eventOf('bad', 'Killing');
    const described = await bench.cluster.kubectl('describe', 'pod', 'bad');
    expect(described.stdout).toContain('FailedPostStartHook');
    expect(described.stdout).toMatch(/Killing\s.*FailedPostStartHook\n/);
    expect(described.stdout.slice(described.stdout.indexOf('Events:'))).not.toContain('a-secret');
  },
);

test('a failing preStop by exec is reported in an Event, and the container still stops (POD-K4)', async () => {
  await create('stops', { preStop: { exec: { command: ['sh', '-c', 'echo a-secret; exit 3'] } } });
  await bench.running('stops');
  await bench.remove('stops', 5);
  const event = await eventOf('stops', 'FailedPreStopHook');
  expect(event).toBe(
    'FailedPreStopHook: PreStopHook failed: sh in the container exited with code 3.',
  );
});

test('httpGet succeeds with any status, and sends headers and Host to the named port of the pod (POD-K14, POD-K16, POD-K18, POD-K21)', async () => {
  const httpHeaders = [
    { name: 'Host', value: 'example.com' },
    { name: 'X-Mine', value: 'yes' },
  ];
  await create('http', { preStop: { httpGet: { path: '/stop?now', port: 'web', httpHeaders } } });
  const { status } = await bench.running('http');
  await using server = await serve(createHttpServer, {
    status: 500,
    host: status?.podIP ?? '',
    port: 7_790,
  });
  await bench.remove('http', 5);
  expect(server.asked).toMatchObject([
    {
      line: 'GET /stop?now',
      headers: {
        host: 'example.com',
        'x-mine': 'yes',
        'user-agent': 'kube-lifecycle/1.37',
        accept: '*/*',
      },
    },
  ]);
  expect((await bench.events('http')).join('\n')).not.toContain('FailedPreStopHook');
});

test('httpGet fails when no server listens (POD-K15), and with the annotation also on an unexpected status', async () => {
  await create('refused', { preStop: { httpGet: { port: 'web' } } });
  await bench.running('refused');
  await bench.remove('refused', 5);
  expect(await eventOf('refused', 'FailedPreStopHook')).toContain('ECONNREFUSED');
  await using server = await serve(createHttpServer, { status: 404 });
  const annotations = { 'lifehook.dev/http-hook-expect': '2xx' };
  await create(
    'expects',
    { preStop: { httpGet: { host: HOST, port: server.port } } },
    { annotations },
  );
  await bench.running('expects');
  await bench.remove('expects', 5);
  const event = await eventOf('expects', 'FailedPreStopHook');
  expect(event).toContain('404');
  expect(event).not.toContain('a secret');
});

test('httpGet does not verify HTTPS, and falls back to plain HTTP without credentials (POD-K20)', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lifehook-tls-'));
  try {
    const { files, clock } = nodePlatform;
    const { key, certificate } = await serverCertificates({ files, folder, nowMs: clock.nowMs() });
    await using tls = await serve((listener) =>
      createHttpsServer({ key, cert: certificate }, listener),
    );
    await using plain = await serve(createHttpServer);
    const httpHeaders = [{ name: 'Authorization', value: 'Bearer a-secret' }];
    const action = { host: HOST, scheme: 'HTTPS', httpHeaders };
    await create('tls', {
      postStart: { httpGet: { ...action, port: tls.port } },
      preStop: { httpGet: { ...action, port: plain.port } },
    });
    await bench.running('tls');
    expect(tls.asked).toMatchObject([{ headers: { authorization: 'Bearer a-secret' } }]);
    await bench.remove('tls', 5);
    expect(plain.asked).toHaveLength(1);
    expect(plain.asked[0]?.headers).not.toHaveProperty('authorization');
    expect(await eventOf('tls', 'LifecycleHTTPFallback')).toContain('sent again over HTTP');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('tcpSocket is accepted by the API and fails when the hook runs (POD-K24)', async () => {
  await create('tcp', { postStart: { tcpSocket: { port: 1 } } });
  expect(await eventOf('tcp', 'FailedPostStartHook')).toContain('invalid handler');
  await bench.until(
    'tcp',
    'has ended',
    (pod) => bench.status(pod)?.state?.terminated !== undefined,
  );
});

test('a port name that the container does not have is reported in an Event (POD-K18)', async () => {
  await create('no-port', { preStop: { httpGet: { port: 'nothing' } } });
  await bench.running('no-port');
  await bench.remove('no-port', 5);
  expect(await eventOf('no-port', 'FailedPreStopHook')).toMatch(/port.*nothing/);
});

test('preStop does not run in an exited container, nor with a grace period of 0 (POD-K11, POD-SL8)', async () => {
  await using server = await serve(createHttpServer);
  const lifecycle = { preStop: { httpGet: { host: HOST, port: server.port } } };
  await bench.create('over', {
    restartPolicy: 'Never',
    containers: [bench.container('exit 0', { lifecycle })],
  });
  await bench.until('over', 'is over', (pod) => pod.status?.phase === 'Succeeded');
  await bench.remove('over', 5);
  await create('forced', lifecycle);
  await bench.running('forced');
  await bench.remove('forced', 0);
  expect(server.asked).toEqual([]);
});

test('exec, attach and logs -f end when the container exits', { tags: 'kubectl' }, async () => {
  const kubectl = (...args: readonly string[]): Promise<Ended> => bench.cluster.kubectl(...args);
  await bench.create('ends', {
    restartPolicy: 'Never',
    containers: [
      bench.container(
        'i=0; while [ $i -lt 2000 ]; do echo line $i; i=$((i+1)); done; until [ -e go ]; do echo tick; sleep 0.1; done; exit 5',
      ),
    ],
  });
  await bench.running('ends');
  const start = (...args: readonly string[]): StartedKubectl =>
    startKubectl(bench.cluster, ...args);
  const following = start('logs', '-f', 'ends');
  const attaching = start('attach', 'ends');
  const cutting = start('exec', 'ends', '--', 'sh', '-c', 'echo begun; exec sleep 1000');
  const [exited, much, absent] = await Promise.all([
    kubectl('exec', 'ends', '--', 'sh', '-c', 'exit 42'),
    kubectl('exec', 'ends', '--', 'sh', '-c', 'seq 100000'),
    kubectl('exec', 'ends', '--', 'no-such-program'),
  ]);
  await eventually('all three have begun', async () =>
    [following.said(), attaching.said(), cutting.said()].every((text) => /tick|begun/.test(text)),
  );
  // The exec may fail: the container can exit, and end the exec, before its success is reported.
  await bench.exec('ends', 'echo >go').catch(() => '');
  const [logs, attached, cut] = await Promise.all([
    following.ended,
    attaching.ended,
    cutting.ended,
  ]);
  expect(logs).toMatchObject({ code: 0 });
  const lines = logs.stdout.split('\n').filter((line) => line.startsWith('line '));
  expect(lines).toHaveLength(2_000);
  expect(attached.stderr).not.toContain('rror:');
  expect(cut.code).toBe(137);
  expect(exited.code).toBe(42);
  expect(much.stdout.trim().split('\n')).toHaveLength(100_000);
  expect(absent.code).not.toBe(0);
  expect(absent.stderr).toContain('executable file not found');
  const ended = await bench.until('ends', 'has ended', (pod) => pod.status?.phase === 'Failed');
  expect(bench.status(ended)?.state?.terminated?.exitCode).toBe(5);
  expect((await kubectl('exec', 'ends', '--', 'true')).stderr).toContain(
    'cannot exec into a container in a completed pod',
  );
});
