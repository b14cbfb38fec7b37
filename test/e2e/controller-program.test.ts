/**
 * `lifehook controller` as a separate process: its webhook, metrics, traces, namespace and exit.
 * @module-tag kubectl
 */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { applicationSnapshots } from '../../src/lifecycles/snapshot/kinds.ts';
import {
  openTraceCollector,
  type TakenSpan,
  type TraceCollector,
} from '../fixtures/trace-collector.ts';
import { type ClusterStand, openCluster } from './cluster-stand.ts';
import { type ControllerProgram, installKinds, startController } from './controller-program.ts';
import { stepsOn } from './kubectl-steps.ts';

const API = 'apiVersion: lifehook.dev/v1alpha1';

const app = (namespace: string): string => `
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data, namespace: ${namespace} }
spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Mi } } }
---
apiVersion: v1
kind: Pod
metadata: { name: db, namespace: ${namespace} }
spec:
  terminationGracePeriodSeconds: 0
  containers:
    - name: db
      image: none
      command: [sh, -c, 'while :; do sleep 1; done']
      volumeMounts: [{ name: data, mountPath: data }]
  volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
---
${API}
kind: ExecutionHookTemplate
metadata: { name: freeze, namespace: ${namespace} }
preAction: { exec: { command: [sh, -c, 'touch "$LIFEHOOK_VOLUME_DATA/frozen"'] } }
postAction: { exec: { command: [sh, -c, 'rm "$LIFEHOOK_VOLUME_DATA/frozen"'] } }
expirationSeconds: 60
`;

const hook = (name: string, more = ''): string => `
${API}
kind: ExecutionHook
metadata: { name: ${name}, namespace: default }
spec: { executionHookTemplateName: freeze, podContainerNamesList: [{ podName: db, containerNames: [db] }] ${more} }`;

const snapshot = (name: string, namespace = 'default'): string => `
${API}
kind: ApplicationSnapshot
metadata: { name: ${name}, namespace: ${namespace} }
spec:
  source: { persistentVolumeClaimNames: [data] }
  executionHookInfos: [{ executionHookTemplateName: freeze }]`;

let cluster: ClusterStand;
const { ok, apply, feed, field } = stepsOn(() => cluster);

beforeAll(async () => {
  cluster = await openCluster();
  await installKinds(cluster);
  await ok('create', 'namespace', 'other');
  for (const namespace of ['default', 'other']) {
    await apply(app(namespace));
    await ok('wait', '--for=condition=Ready', 'pod/db', '-n', namespace, '--timeout=60s');
  }
});

afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
});

function completed(name: string, namespace = 'default'): Promise<string> {
  const wanted = '--for=jsonpath={.status.phase}=Completed';
  return ok('wait', wanted, `appsnap/${name}`, '-n', namespace, '--timeout=60s');
}

describe('lifehook controller', () => {
  let collector: TraceCollector;
  let controller: ControllerProgram;

  beforeAll(async () => {
    collector = await openTraceCollector();
    controller = await startController(cluster, ['--webhook-address', '127.0.0.1:0'], {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20secret',
    });
  });

  afterAll(async () => {
    await controller[Symbol.asyncDispose]();
    await collector[Symbol.asyncDispose]();
    // Without a process that serves the webhooks, no hook can be created.
    await ok('delete', 'mutatingwebhookconfigurations,validatingwebhookconfigurations', '--all');
  });

  it('refuses an invalid hook on admission with the reason', async () => {
    const wrong = await feed(
      hook('wrong', ', preAction: { exec: { command: [a] } }'),
      'apply',
      '-f',
      '-',
    );
    expect(wrong.code).not.toBe(0);
    expect(wrong.stderr).toContain('name a template, or write actions: exactly one of the two');
    expect(await ok('get', 'eh', '-o', 'name')).toBe('');
  });

  it('runs the freeze of a hook, and thaws when the hook is deleted', async () => {
    await apply(hook('good'));
    await ok('wait', '--for=jsonpath={.status.preActionSucceed}=true', 'eh/good', '--timeout=60s');
    const metrics = (): Promise<string> => controller.metrics();
    await expect.poll(metrics).toMatch(/^lifehook_frozen_targets 1$/mu);
    await ok('delete', 'eh', 'good', '--timeout=60s');
    await expect.poll(metrics).toMatch(/^lifehook_frozen_targets 0$/mu);
    expect(await metrics()).toMatch(/^lifehook_releases_total\{cause="Deleted"\} 1$/mu);
    expect(await metrics()).toMatch(/^lifehook_leader 1$/mu);
  });

  it('sends one trace of a snapshot, under the uid of the snapshot', async () => {
    await apply(snapshot('traced'));
    await completed('traced');
    const uid = await field('appsnap traced', '.metadata.uid');
    const taken = (): readonly TakenSpan[] =>
      collector.spans.filter(({ traceId }) => traceId === uid.replaceAll('-', ''));
    const reported = (): readonly string[] => {
      const nameOf = new Map(taken().map(({ spanId, name }) => [spanId, name]));
      return taken()
        .map(({ name, parentSpanId }) => `${nameOf.get(parentSpanId ?? '') ?? '-'} > ${name}`)
        .toSorted();
    };
    // The spans of one trace may arrive in several requests.
    await expect
      .poll(reported)
      .toEqual([
        '- > ApplicationSnapshot',
        'ApplicationSnapshot > ExecutionHook',
        'ApplicationSnapshot > cut',
        'ExecutionHook > frozen db/db',
        'ExecutionHook > released: Cut',
        'frozen db/db > postAction',
        'frozen db/db > preAction',
      ]);
    const spans = taken();
    for (const { startTimeUnixNano, endTimeUnixNano } of spans) {
      expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano));
    }
    const root = spans.find(({ name }) => name === 'ApplicationSnapshot');
    const verdict = await field('appsnap traced', '.status.verdict.value');
    expect(root?.attributes).toContainEqual({
      key: 'lifehook.verdict',
      value: { stringValue: verdict },
    });
    expect(collector.headers()).toMatchObject({ authorization: 'Bearer secret' });
    await expect
      .poll(() => controller.metrics())
      .toMatch(/^lifehook_trace_spans_total\{outcome="sent"\}/mu);
  });

  it('does not wait for a hanging collector, neither with a thaw nor on SIGTERM', async () => {
    collector.hang();
    await apply(snapshot('untraced'));
    await completed('untraced');
    const { code } = await controller.end();
    expect(code).toBe(0);
    // AbortError: the controller cancelled its last request to the collector, and did not wait for the timeout.
    const busy = controller.log.findLast(({ msg }) => msg === 'CollectorBusy');
    expect(busy?.['why']).toContain('AbortError');
    expect(controller.log.at(-1)).toMatchObject({ msg: 'SpansDropped', why: 'the program ends' });
  });
});

it('with --namespaced reconciles only the objects of its namespace', async () => {
  await using controller = await startController(cluster, ['--namespaced', '-n', 'other']);
  await apply(snapshot('elsewhere'));
  await apply(snapshot('here', 'other'));
  await completed('here', 'other');
  const elsewhere = await cluster.client.get(applicationSnapshots, {
    namespace: 'default',
    name: 'elsewhere',
  });
  expect(elsewhere.status).toBeUndefined();
  expect(await ok('get', 'lease', '-n', 'other', '-o', 'name')).toContain('lifehook-controller');
  expect((await controller.end()).code).toBe(0);
});

it.each(['--metrics-address', '--webhook-address', '--timeline-address'])(
  'fails on start with the address of %s when another process holds its port',
  async (option) => {
    const other = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const starting = startController(cluster, [option, `127.0.0.1:${port}`]);
    await expect(starting).rejects.toThrow(
      `LHK108: Cannot listen on 127.0.0.1:${port} (${option}): another process holds the port`,
    );
  },
);

it('fails on start with the names of missing kinds', async () => {
  await using bare = await openCluster();
  await expect(startController(bare, [])).rejects.toThrow(/LHS407.*lifehook\.dev\/v1alpha1/u);
});
