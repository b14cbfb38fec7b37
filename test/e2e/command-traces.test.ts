/**
 * Traces of the lifecycles that a command itself runs (container, pod and pipeline), with $OTEL_EXPORTER_OTLP_ENDPOINT.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';

import {
  openTraceCollector,
  type TakenSpan,
  type TraceCollector,
} from '../fixtures/trace-collector.ts';
import { openCluster } from './cluster-stand.ts';
import { openProject } from './pipeline-stand.ts';

const NAME = 'OTEL_EXPORTER_OTLP_ENDPOINT';
let collector: TraceCollector;

beforeAll(async () => {
  collector = await openTraceCollector();
  process.env[NAME] = collector.endpoint;
});

afterAll(async () => {
  delete process.env[NAME];
  await collector[Symbol.asyncDispose]();
});

function attributesOf({ attributes }: TakenSpan): Record<string, string> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue]));
}

const traced = (lifecycle: string): Record<string, string>[] =>
  collector.spans.map(attributesOf).filter((one) => one['lifehook.lifecycle'] === lifecycle);

it('a build has a span of each hook, with its outcome', async () => {
  using project = openProject(null, {
    'skaffold.yaml': `
apiVersion: skaffold/v4beta11
kind: Config
build:
  tagPolicy: { sha256: {} }
  artifacts:
    - image: web
      custom: { buildCommand: 'true' }
      hooks:
        before: [{ command: ['true'] }, { command: [sh, -c, 'exit 7'] }]
`,
  });
  const { code } = await project.lifehook('build');
  expect(code).toBe(3);
  const about = { 'lifehook.lifecycle': 'pipeline', 'lifehook.run': expect.any(String) };
  expect(traced('pipeline')).toEqual([
    { ...about, 'lifehook.hook': 'build/web/before/0', 'lifehook.outcome': 'Succeeded' },
    { ...about, 'lifehook.hook': 'build/web/before/1', 'lifehook.outcome': 'Failed' },
  ]);
});

it('a container has a span of each hook that the command runs', async () => {
  const hook = { path: '/bin/true' };
  using project = openProject(null, {
    'web/config.json': JSON.stringify({
      ociVersion: '1.3.0',
      root: { path: 'rootfs' },
      process: { args: ['/bin/true'], cwd: '/', env: [] },
      hooks: { createRuntime: [hook], poststart: [hook] },
    }),
    'web/rootfs/empty': '',
  });
  const options = ['--root', 'state', '--runner', 'process', '--bundle', 'web', 'web-1'];
  const { code, stderr } = await project.lifehook('oci', 'run', ...options);
  expect([code, stderr]).toEqual([0, '']);
  const spans = collector.spans.filter(
    (span) => attributesOf(span)['lifehook.lifecycle'] === 'container',
  );
  expect(spans.map(({ name }) => name)).toEqual(['createRuntime', 'poststart']);
  expect(attributesOf(spans[0] as TakenSpan)).toEqual({
    'lifehook.lifecycle': 'container',
    'lifehook.run': expect.stringMatching(/^web-1\/\d+-\d+$/) as string,
    'container.id': 'web-1',
    'lifehook.attempt': '1',
    'lifehook.outcome': 'Succeeded',
  });
});

it('a pod of the local cluster has a span of each of its hooks', async () => {
  await using cluster = await openCluster('--runner', 'process');
  const { code, stderr } = await cluster.apply(`
apiVersion: v1
kind: Pod
metadata: { name: db }
spec:
  containers:
    - name: db
      image: none
      command: [sh, -c, 'trap "exit 0" TERM; while :; do sleep 0.05; done']
      lifecycle: { postStart: { exec: { command: ['true'] } } }
`);
  expect([code, stderr]).toEqual([0, '']);
  await collector.until('postStart');
  expect(traced('pod')).toEqual([
    {
      'lifehook.lifecycle': 'pod',
      'lifehook.run': expect.stringContaining('/postStart'),
      'k8s.namespace.name': 'default',
      'k8s.pod.name': 'db',
      'k8s.container.name': 'db',
      'lifehook.attempt': '1',
      'lifehook.outcome': 'Succeeded',
    },
  ]);
});
