/**
 * What kubectl shows of the local cluster: get in all its forms, describe, wait, events, discovery.
 * @module-tag kubectl
 */
import { spawn } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { eventually } from '../fixtures/api-cases/eventually.ts';
import { type ClusterStand, kubectlPath, openCluster } from './cluster-stand.ts';
import { deployment, rowsOf, SERVE, stepsOn } from './kubectl-steps.ts';

let cluster: ClusterStand;
const { ok, fails, apply, field } = stepsOn(() => cluster);

const CLAIM = `apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: claim }
spec:
  accessModes: [ReadWriteOnce]
  resources: { requests: { storage: 1Gi } }
`;

beforeAll(async () => {
  cluster = await openCluster();
  await apply(`${deployment('web')}---\n${CLAIM}`);
  await ok('expose', 'deployment', 'web', '--port=80', '--target-port=8080');
  await ok('create', 'job', 'once', '--image=none', '--', 'sh', '-c', 'echo done');
  await ok('rollout', 'status', 'deployment/web', '--timeout=60s');
  await ok('wait', '--for=condition=Complete', 'job/once', '--timeout=60s');
});

afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
});

test('get prints tables: of one kind, of several, of all namespaces', async () => {
  const pods = rowsOf(await ok('get', 'pods', '-l', 'app=web'));
  expect(pods.map(([, ready, status, restarts]) => [ready, status, restarts])).toEqual([
    ['1/1', 'Running', '0'],
    ['1/1', 'Running', '0'],
  ]);
  const wide = rowsOf(await ok('get', 'pods', '-l', 'app=web', '-o', 'wide'));
  expect(wide.map((row) => row.slice(5, 7))).toEqual([
    [expect.stringMatching(/^127\./), 'lifehook'],
    [expect.stringMatching(/^127\./), 'lifehook'],
  ]);
  const [service] = rowsOf(await ok('get', 'service', 'web'));
  expect(service?.slice(0, 5)).toEqual([
    'web',
    'ClusterIP',
    expect.stringMatching(/^127\./),
    '<none>',
    '80/TCP',
  ]);
  expect(await ok('get', 'deployments,jobs,services')).toMatch(/deployment.apps\/web +2\/2/);
  expect(await ok('get', 'job', 'once')).toMatch(/once +Complete +1\/1/);
  expect(await ok('get', 'pods', '-A', '--no-headers')).toMatch(/^default +once-/m);
  expect(await ok('get', 'nodes')).toMatch(/lifehook +Ready/);
  expect((await cluster.kubectl('get', 'pods', '-n', 'kube-public')).stderr).toBe(
    'No resources found in kube-public namespace.\n',
  );
});

test('get gives objects as JSON, YAML, names, JSON paths, columns and templates', async () => {
  const list = JSON.parse(await ok('get', 'pods', '-l', 'app=web', '-o', 'json')) as {
    kind: string;
    items: { kind: string; status: { phase: string } }[];
  };
  expect([list.kind, list.items.length, list.items[0]?.status.phase]).toEqual([
    'List',
    2,
    'Running',
  ]);
  expect(await ok('get', 'deployment', 'web', '-o', 'yaml')).toMatch(
    /^apiVersion: apps\/v1\nkind: Deployment\n/,
  );
  expect(await ok('get', 'deployment', 'web', '-o', 'name')).toBe('deployment.apps/web');
  expect(await field('deployment web', '.spec.template.spec.containers[0].ports[0].protocol')).toBe(
    'TCP',
  );
  const columns = 'custom-columns=NAME:.metadata.name,N:.spec.replicas';
  expect(await ok('get', 'deployment', 'web', '-o', columns)).toBe('NAME   N\nweb    2');
  expect(
    await ok('get', 'deployment', 'web', '-o', 'go-template={{.metadata.name}}/{{.spec.replicas}}'),
  ).toBe('web/2');
});

test('get selects by labels, fields and sorts', async () => {
  const names = (...args: string[]): Promise<string> => ok('get', ...args, '-o', 'name');
  const running = await names('pods', '--field-selector=status.phase=Running');
  expect(running.split('\n')).toHaveLength(2);
  expect(await names('pods', '--field-selector=status.phase!=Running')).toMatch(/^pod\/once-\w+$/);
  expect(await names('pods', '-l', 'app in (web,db),!job-name')).toBe(running);
  expect(await names('pods', '-l', 'app notin (web)')).toMatch(/^pod\/once-\w+$/);
  expect(await names('deployments', '--field-selector=metadata.name=web')).toBe(
    'deployment.apps/web',
  );
  expect(await fails('get', 'pods', '--field-selector=spec.colour=red')).toContain(
    'field label not supported: spec.colour',
  );
  const sorted = rowsOf(await ok('get', 'services', '--sort-by=.metadata.name'));
  expect(sorted.map(([name]) => name)).toEqual(['kubernetes', 'web']);
  expect(await ok('get', 'pods', '--show-labels', '-L', 'app')).toContain('app=web');
});

test('get -w shows each change of a pod, to its end', async () => {
  const child = spawn(
    kubectlPath(),
    ['--kubeconfig', cluster.kubeconfig, 'get', 'pods', '-l', 'run=seen', '-w', '--no-headers'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  try {
    await ok('run', 'seen', '--image=none', '--command', '--', 'sh', '-c', SERVE);
    await eventually('it runs', async () => Promise.resolve(text.includes('Running')));
    await ok('delete', 'pod', 'seen');
    await eventually('it goes', async () => Promise.resolve(text.includes('Terminating')));
  } finally {
    child.kill();
  }
  const statuses = text
    .trim()
    .split('\n')
    .map((line) => line.split(/ +/)[2]);
  expect([...new Set(statuses)].slice(0, 4)).toEqual([
    'Pending',
    'ContainerCreating',
    'Running',
    'Terminating',
  ]);
});

test('what is not there, or not known, is said', async () => {
  expect(await fails('get', 'pod', 'nobody')).toBe(
    'Error from server (NotFound): pods "nobody" not found',
  );
  expect(await fails('get', 'wonders')).toContain(
    'the server doesn\'t have a resource type "wonders"',
  );
});

test.each([
  ['pod -l app=web', /Controlled By: +ReplicaSet\/web-[^]*State: +Running[^]*Ready +True/],
  ['pod -l app=web', /Events:[^]*Scheduled[^]*Successfully assigned default\/web-[^]*Started/],
  ['deployment web', /Replicas: +2 desired \| 2 updated \| 2 total \| 2 available/],
  ['replicaset -l app=web', /Pods Status: +2 Running \/ 0 Waiting \/ 0 Succeeded \/ 0 Failed/],
  ['node lifehook', /Ready +True [^]*Non-terminated Pods: +\(2 in total\)/],
  ['service web', /Endpoints: +127\.\d+\.\d+\.\d+:8080,127\.\d+\.\d+\.\d+:8080/],
  ['service kubernetes', /Endpoints: +127\.0\.0\.1:\d+/],
  ['job once', /Pods Statuses: +0 Active \(0 Ready\) \/ 1 Succeeded \/ 0 Failed/],
  ['pvc claim', /Name: +claim[^]*Access Modes:/],
  ['namespace default', /Status: +Active/],
])('describe %s', async (what, expected) => {
  const { stdout } = await eventually(`it matches ${String(expected)}`, async () => {
    const told = await cluster.kubectl('describe', ...what.split(' '));
    return expected.test(told.stdout) ? told : null;
  });
  expect(stdout).toMatch(expected);
});

test('wait ends with a condition, a value, a deletion, or its time', async () => {
  const ready = await ok('wait', '--for=condition=Ready', 'pod', '-l', 'app=web');
  expect(ready.split('\n').every((line) => line.endsWith('condition met'))).toBe(true);
  await ok('wait', '--for=jsonpath={.status.readyReplicas}=2', 'deployment/web');
  expect(await fails('wait', '--for=condition=Failed', 'deployment/web', '--timeout=3s')).toContain(
    'timed out waiting for the condition on deployments/web',
  );
  await ok('create', 'configmap', 'short');
  const gone = ok('wait', '--for=delete', 'configmap/short', '--timeout=60s');
  await ok('delete', 'configmap', 'short');
  await gone;
});

test('events are listed for a namespace, and for one object', async () => {
  expect(await ok('get', 'events')).toMatch(/Normal +Scheduled +pod\/web-/);
  expect(await ok('events', '--for', 'job/once')).toMatch(/SuccessfulCreate +Job\/once/);
  expect(await ok('get', 'events', '--field-selector=involvedObject.kind=Job')).toMatch(
    /Completed +job\/once/,
  );
});

test('the server says what it is and what it has', async () => {
  expect(await ok('version')).toMatch(/Server Version: v1\.34\./);
  expect(await ok('cluster-info')).toContain('https://127.0.0.1:');
  const versions = (await ok('api-versions')).split('\n');
  expect(versions).toEqual(expect.arrayContaining(['apps/v1', 'batch/v1', 'v1']));
  const resources = rowsOf(await ok('api-resources', '--sort-by=name'));
  expect(resources).toContainEqual(['deployments', 'deploy', 'apps/v1', 'true', 'Deployment']);
  expect(resources).toContainEqual(['nodes', 'no', 'v1', 'false', 'Node']);
  expect(await ok('api-resources', '--api-group=batch', '-o', 'name')).toContain('jobs.batch');
  expect(await ok('auth', 'can-i', 'create', 'pods')).toBe('yes');
  expect(await ok('auth', 'whoami')).toMatch(/Username +kubernetes-admin/);
  expect(await ok('get', '--raw', '/readyz')).toBe('ok');
});
