/**
 * What kubectl writes to the local cluster: create, apply of both kinds, patch, label, replace, delete.
 * @module-tag kubectl
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { eventually } from '../fixtures/api-cases/eventually.ts';
import { type ClusterStand, openCluster } from './cluster-stand.ts';
import { deployment, SERVE, stepsOn } from './kubectl-steps.ts';

let cluster: ClusterStand;
let folder: string;
const { ok, fails, apply, feed, field } = stepsOn(() => cluster);

beforeAll(async () => {
  cluster = await openCluster();
  folder = await mkdtemp(join(tmpdir(), 'lifehook-kubectl-'));
});

afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const config = (name: string, data: string, labels: string = ''): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}${labels} }\ndata: ${data}\n`;

test('create makes each kind by its arguments', async () => {
  expect(await ok('create', 'namespace', 'made')).toBe('namespace/made created');
  const make = (...args: string[]): Promise<string> => ok('create', '-n', 'made', ...args);
  expect(await make('configmap', 'c', '--from-literal=a=b')).toBe('configmap/c created');
  expect(await make('secret', 'generic', 's', '--from-literal=p=q')).toBe('secret/s created');
  expect(await make('serviceaccount', 'x')).toBe('serviceaccount/x created');
  expect(await make('service', 'clusterip', 'v', '--tcp=80:8080')).toBe('service/v created');
  expect(await make('job', 'j', '--image=none', '--', 'sh', '-c', 'echo done')).toBe(
    'job.batch/j created',
  );
  expect(await field('-n made configmap c', '.data.a')).toBe('b');
  expect(await field('-n made secret s', '.data.p')).toBe('cQ==');
  expect(await field('-n made service v', '.spec.clusterIP')).toMatch(/^127\./);
  expect(await ok('-n', 'made', 'wait', '--for=condition=Complete', 'job/j', '--timeout=60s')).toBe(
    'job.batch/j condition met',
  );
  expect(await ok('-n', 'made', 'logs', 'job/j')).toBe('done');
  expect(await fails('create', 'namespace', 'made')).toContain('namespaces "made" already exists');
  expect(await fails('create', '-n', 'nowhere', 'configmap', 'c')).toContain(
    'namespaces "nowhere" not found',
  );
});

test('a dry run, of the client or the server, says what it would do and stores nothing', async () => {
  const yaml = await ok('create', 'configmap', 'dry', '--dry-run=client', '-o', 'yaml');
  expect(yaml).toContain('kind: ConfigMap');
  expect(await ok('create', 'configmap', 'dry', '--dry-run=server')).toBe(
    'configmap/dry created (server dry run)',
  );
  expect(await apply(deployment('dry'), '--dry-run=server')).toBe(
    'deployment.apps/dry created (server dry run)',
  );
  expect(await ok('get', 'configmap/dry', 'deployment/dry', '--ignore-not-found')).toBe('');
});

test('apply changes what the file changes, and keeps what others have set', async () => {
  expect(await apply(deployment('three'))).toBe('deployment.apps/three created');
  expect(await apply(deployment('three'))).toBe('deployment.apps/three unchanged');
  await ok('set', 'env', 'deployment/three', 'MINE=kept');
  await ok('scale', 'deployment/three', '--replicas=1');
  const changed = deployment('three', { replicas: 1 })
    .replace('{ name: B, value: "2" }', '{ name: C, value: "3" }')
    .replace('labels: { app: three } }\nspec:\n  replicas', 'labels: {} }\nspec:\n  replicas');
  expect(await apply(changed)).toBe('deployment.apps/three configured');
  expect(await field('deployment three', '.spec.template.spec.containers[0].env[*].name')).toBe(
    'A C MINE',
  );
  expect(await field('deployment three', '.metadata.labels')).toBe('');
  await ok('delete', 'deployment', 'three');
});

test('apply --prune removes what is no longer in the files', async () => {
  const both = ['--prune', '-l', 'set=p', '--prune-allowlist=core/v1/ConfigMap'];
  const labels = ', labels: { set: p }';
  const [one, two] = [config('one', '{ a: b }', labels), config('two', '{ a: b }', labels)];
  await apply(`${one}---\n${two}`, ...both);
  expect(await apply(one, ...both)).toBe('configmap/one unchanged\nconfigmap/two pruned');
  expect(await ok('get', 'configmap', '-l', 'set=p', '-o', 'name')).toBe('configmap/one');
});

test('apply --server-side keeps fields to their owners, until it is forced', async () => {
  const apply1 = (data: string, ...more: string[]): ReturnType<typeof feed> =>
    feed(config('owned', data), 'apply', '--server-side', '-f', '-', ...more);
  const first = await apply1('{ a: "1", b: "1" }', '--field-manager=one');
  expect(first.stdout).toBe('configmap/owned serverside-applied\n');
  const conflict = await apply1('{ a: "2" }', '--field-manager=two');
  expect(conflict.code).toBe(1);
  expect(conflict.stderr).toContain('Apply failed with 1 conflict: conflict with "one": .data.a');
  expect((await apply1('{ a: "2" }', '--field-manager=two', '--force-conflicts')).code).toBe(0);
  expect((await apply1('{ c: "1" }', '--field-manager=one')).code).toBe(0);
  expect(JSON.parse(await field('configmap owned', '.data'))).toEqual({ a: '2', c: '1' });
  const managers = await ok(
    'get',
    'configmap/owned',
    '--show-managed-fields',
    '-o',
    'jsonpath={.metadata.managedFields[*].manager}',
  );
  expect(managers.split(' ').toSorted()).toEqual(['one', 'two']);
});

test('every kind of patch, labels and annotations', async () => {
  await apply(deployment('patched', { replicas: 0 }));
  const patch = (type: string, body: unknown, ...more: string[]): Promise<string> =>
    ok('patch', 'deployment', 'patched', `--type=${type}`, '-p', JSON.stringify(body), ...more);
  const container = (fields: object): object => ({
    spec: { template: { spec: { containers: [{ name: 'app', ...fields }] } } },
  });
  await patch('strategic', container({ env: [{ name: 'D', value: '4' }] }));
  expect(await field('deployment patched', '.spec.template.spec.containers[0].env[*].name')).toBe(
    'D A B',
  );
  await patch('merge', container({ image: 'merged', command: ['true'] }));
  expect(await field('deployment patched', '.spec.template.spec.containers[0].env')).toBe('');
  await patch('json', [{ op: 'replace', path: '/spec/revisionHistoryLimit', value: 3 }]);
  expect(await field('deployment patched', '.spec.revisionHistoryLimit')).toBe('3');
  await patch('merge', { spec: { replicas: 1 } }, '--subresource=scale');
  expect(await field('deployment patched', '.spec.replicas')).toBe('1');
  // Not while the controller writes the status between what kubectl reads and what it sends.
  await eventually(
    'nothing is changed',
    async () => (await patch('merge', {})) === 'deployment.apps/patched patched (no change)',
  );
  const guard = [{ op: 'test', path: '/spec/replicas', value: 9 }];
  expect(
    await fails('patch', 'deployment', 'patched', '--type=json', '-p', JSON.stringify(guard)),
  ).not.toBe('');

  expect(await ok('label', 'deployment', 'patched', 'tier=web')).toBe(
    'deployment.apps/patched labeled',
  );
  expect(await fails('label', 'deployment', 'patched', 'tier=db')).toContain(
    "'tier' already has a value (web), and --overwrite is false",
  );
  await ok('label', 'deployment', 'patched', 'tier=db', '--overwrite');
  await ok('annotate', 'deployment', 'patched', 'note=x');
  expect(await field('deployment -l tier=db', '.items[*].metadata.annotations.note')).toBe('x');
  await ok('label', 'deployment', 'patched', 'tier-');
  expect(await ok('get', 'deployment', '-l', 'tier', '-o', 'name')).toBe('');
  await ok('delete', 'deployment', 'patched');
});

test('create -f, replace and delete -f go by a file', async () => {
  const file = join(folder, 'config.yaml');
  await writeFile(file, `${config('f1', '{ a: "1" }')}---\n${config('f2', '{ a: "1" }')}`);
  expect(await ok('create', '-f', file)).toBe('configmap/f1 created\nconfigmap/f2 created');
  expect(await fails('create', '-f', file)).toContain('configmaps "f1" already exists');
  await writeFile(file, config('f1', '{ b: "2" }'));
  expect(await ok('replace', '-f', file)).toBe('configmap/f1 replaced');
  expect(JSON.parse(await field('configmap f1', '.data'))).toEqual({ b: '2' });
  expect(await ok('delete', '-f', file)).toBe('configmap "f1" deleted');
  expect(await fails('delete', '-f', file)).toContain('configmaps "f1" not found');
  expect(await ok('delete', '-f', file, '--ignore-not-found')).toBe('');
});

test('what is wrong with a manifest is refused, with its place', async () => {
  const unknown = await feed(
    config('w', '{ a: b }').replace('\ndata', '\ndat'),
    'create',
    '-f',
    '-',
  );
  expect(unknown.stderr).toContain('unknown field "dat"');
  const invalid = await feed(
    deployment('w').replace('replicas: 2', 'replicas: -1'),
    'create',
    '-f',
    '-',
  );
  expect(invalid.stderr).toContain('The Deployment "w" is invalid');
  expect(invalid.stderr).toContain('spec.replicas: Invalid value: -1');
  expect(invalid.code).toBe(1);
});

test('run and expose make a pod and its service', async () => {
  const sleepy = ['--image=none', '--port=8080', '--labels=app=ran', '--command', '--'];
  expect(await ok('run', 'ran', ...sleepy, 'sh', '-c', SERVE)).toBe('pod/ran created');
  await ok('wait', '--for=condition=Ready', 'pod/ran', '--timeout=60s');
  expect(await ok('expose', 'pod', 'ran', '--port=80', '--target-port=8080')).toBe(
    'service/ran exposed',
  );
  const ip = await field('pod ran', '.status.podIP');
  await eventually('it has an endpoint', async () => {
    const { stdout } = await cluster.kubectl('get', 'endpoints', 'ran', '-o', 'wide');
    return stdout.includes(`${ip}:8080`);
  });
});

test('delete: at once, by label, without waiting, by force', async () => {
  const deaf = ['--image=none', '--labels=app=deaf', '--command', '--', 'sh', '-c'];
  const script = 'trap "" TERM; while :; do sleep 0.1; done';
  // An end that came by the grace of the pod would come long after that of the wait.
  const patient = '--overrides={"spec":{"terminationGracePeriodSeconds":600}}';
  await ok('run', 'd1', patient, ...deaf, script);
  for (const name of ['d2', 'd3', 'd4']) await ok('run', name, ...deaf, script);
  await ok('wait', '--for=condition=Ready', 'pod', '-l', 'app=deaf', '--timeout=60s');
  expect(await ok('delete', 'pod', 'd1', '--now', '--timeout=60s')).toBe('pod "d1" deleted');
  expect(await ok('delete', 'pod', 'd2', '--force')).toBe('pod "d2" force deleted');
  expect(await ok('delete', 'pod', 'd3', '--wait=false')).toBe('pod "d3" deleted');
  expect(await field('pod d3', '.metadata.deletionGracePeriodSeconds')).toBe('30');
  expect(await ok('delete', 'pod', '-l', 'app=deaf', '--grace-period=1')).toBe(
    'pod "d3" deleted\npod "d4" deleted',
  );
  expect(await ok('get', 'pod', '-l', 'app=deaf', '-o', 'name')).toBe('');
  expect(await fails('delete', 'pod', 'd4')).toContain('pods "d4" not found');
});

test('delete of a namespace takes everything in it, and waits for that', async () => {
  expect(await ok('delete', 'namespace', 'made')).toBe('namespace "made" deleted');
  expect(await ok('get', 'all,configmap,secret', '-n', 'made', '-o', 'name')).toBe('');
  expect(await fails('get', 'namespace', 'made')).toContain('namespaces "made" not found');
});
