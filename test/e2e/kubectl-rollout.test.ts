/**
 * kubectl and deployments on the local cluster: a rollout's whole life, with its history.
 * @module-tag kubectl
 */
import { afterAll, beforeAll, expect, test } from 'vitest';

import { eventually } from '../fixtures/api-cases/eventually.ts';
import { type ClusterStand, openCluster } from './cluster-stand.ts';
import { deployment, rowsOf, stepsOn } from './kubectl-steps.ts';

let cluster: ClusterStand;
const { ok, fails, apply, field } = stepsOn(() => cluster);

beforeAll(async () => {
  cluster = await openCluster();
});

afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
});

const rolledOut = (name: string): Promise<string> =>
  ok('rollout', 'status', `deployment/${name}`, '--timeout=60s');

const revisions = async (name: string): Promise<string[]> =>
  (await ok('rollout', 'history', `deployment/${name}`))
    .split('\n')
    .slice(2)
    .map((line) => line.split(' ')[0] ?? '');

test('a deployment that is created becomes available, with all its replicas', async () => {
  const made = ['--image=none', '--replicas=2', '--', 'sh', '-c', 'exec sleep 1000'];
  expect(await ok('create', 'deployment', 'made', ...made)).toBe('deployment.apps/made created');
  expect(await rolledOut('made')).toContain('deployment "made" successfully rolled out');
  expect(rowsOf(await ok('get', 'deployment', 'made'))[0]?.slice(0, 4)).toEqual([
    'made',
    '2/2',
    '2',
    '2',
  ]);
  expect(await ok('wait', '--for=condition=Available', 'deployment/made')).toBe(
    'deployment.apps/made condition met',
  );
  await ok('delete', 'deployment', 'made');
});

test('status, history, undo, pause, resume and restart go through the revisions', async () => {
  await apply(deployment('web'));
  await rolledOut('web');
  expect(await apply(deployment('web', { says: 'v2' }))).toBe('deployment.apps/web configured');
  await rolledOut('web');
  expect(await revisions('web')).toEqual(['1', '2']);
  expect(await ok('rollout', 'history', 'deployment/web', '--revision=2')).toContain('echo v2');

  expect(await ok('rollout', 'undo', 'deployment/web')).toBe('deployment.apps/web rolled back');
  await rolledOut('web');
  expect(await revisions('web')).toEqual(['2', '3']);
  expect(await field('deployment web', '.spec.template.spec.containers[0].command[2]')).toContain(
    'echo v1',
  );
  await ok('rollout', 'undo', 'deployment/web', '--to-revision=2');
  await rolledOut('web');
  expect(await revisions('web')).toEqual(['3', '4']);

  expect(await ok('rollout', 'pause', 'deployment/web')).toBe('deployment.apps/web paused');
  await ok('set', 'env', 'deployment/web', 'A=paused');
  await eventually('the paused change is seen', async () => {
    const [generation, observed] = await Promise.all([
      field('deployment web', '.metadata.generation'),
      field('deployment web', '.status.observedGeneration'),
    ]);
    return generation === observed;
  });
  expect(await revisions('web')).toEqual(['3', '4']);
  expect(await fails('rollout', 'pause', 'deployment/web')).toContain('is already paused');
  expect(await fails('rollout', 'undo', 'deployment/web')).toContain('paused');
  expect(await ok('rollout', 'resume', 'deployment/web')).toBe('deployment.apps/web resumed');
  await rolledOut('web');
  expect(await revisions('web')).toEqual(['3', '4', '5']);

  const before = await ok('get', 'pods', '-l', 'app=web', '-o', 'name');
  expect(await ok('rollout', 'restart', 'deployment/web')).toBe('deployment.apps/web restarted');
  await rolledOut('web');
  expect(await revisions('web')).toEqual(['3', '4', '5', '6']);
  const after = await ok('get', 'pods', '-l', 'app=web', '-o', 'name');
  expect(before.split('\n').filter((name) => after.split('\n').includes(name))).toEqual([]);
});

test('scale sets the replicas, and refuses to when they are others than was thought', async () => {
  expect(await ok('scale', 'deployment/web', '--replicas=3')).toBe('deployment.apps/web scaled');
  await rolledOut('web');
  expect(await field('deployment web', '.status.readyReplicas')).toBe('3');
  expect(await fails('scale', 'deployment/web', '--current-replicas=7', '--replicas=1')).toContain(
    'Expected replicas to be 7, was 3',
  );
  await ok('scale', 'deployment/web', '--replicas=0');
  await ok('wait', '--for=delete', 'pod', '-l', 'app=web', '--timeout=60s');
  expect(rowsOf(await ok('get', 'deployment', 'web'))[0]?.[1]).toBe('0/0');
  await ok('scale', 'deployment/web', '--replicas=1');
  await rolledOut('web');
});

test('set image begins a rollout, and events and describe tell of it', async () => {
  expect(await ok('set', 'image', 'deployment/web', 'app=another')).toBe(
    'deployment.apps/web image updated',
  );
  await rolledOut('web');
  // The rollout is over before the last of the old pods has gone.
  await eventually('there are only new pods', async () => {
    const images = await field('pods -l app=web', '.items[*].spec.containers[0].image');
    return images === 'another';
  });
  const told = await eventually('the events are there', async () => {
    const text = await ok('events', '--for', 'deployment/web');
    return text.includes('ScalingReplicaSet') && text;
  });
  expect(told).toMatch(
    /Normal +ScalingReplicaSet +Deployment\/web +.*Scaled (up|down) replica set/,
  );
  const described = await ok('describe', 'deployment', 'web');
  expect(described).toMatch(/Replicas: +1 desired \| 1 updated \| 1 total \| 1 available/);
  expect(described).toMatch(/Progressing +True +NewReplicaSetAvailable/);
  expect(described).toMatch(/NewReplicaSet: +web-\w+ \(1\/1 replicas created\)/);
});

test('orphans of a delete are adopted again; a foreground delete waits for the pods', async () => {
  await ok('delete', 'deployment', 'web', '--cascade=orphan');
  const sets = await ok('get', 'rs', '-l', 'app=web', '-o', 'name');
  expect(sets).not.toBe('');
  expect(await field('rs -l app=web', '.items[*].metadata.ownerReferences')).toBe('');
  const pods = await ok('get', 'pods', '-l', 'app=web', '-o', 'name');

  await apply(deployment('web', { says: 'again', replicas: 1 }));
  await rolledOut('web');
  await eventually('the set has an owner again', async () => {
    const owners = await field('rs -l app=web', '.items[*].metadata.ownerReferences[*].name');
    return owners.startsWith('web');
  });
  expect(pods).toMatch(/^pod\/web-/);

  await ok('delete', 'deployment', 'web', '--cascade=foreground');
  expect(await ok('get', 'rs,pods', '-l', 'app=web', '-o', 'name')).toBe('');
});

test('a background delete takes replica sets and pods with it', async () => {
  await apply(deployment('gone'));
  await rolledOut('gone');
  expect(await ok('delete', 'deployment', 'gone')).toBe('deployment.apps "gone" deleted');
  await eventually('they are gone', async () => {
    return (await ok('get', 'rs,pods', '-l', 'app=gone', '-o', 'name')) === '';
  });
});

test('a rollout that cannot succeed is told by its status', async () => {
  await ok('create', 'deployment', 'stuck', '--image=unknown');
  await ok('patch', 'deployment', 'stuck', '-p', '{"spec":{"progressDeadlineSeconds":1}}');
  expect(await fails('rollout', 'status', 'deployment/stuck', '--timeout=60s')).toContain(
    'deployment "stuck" exceeded its progress deadline',
  );
  await ok('delete', 'deployment', 'stuck');
});

test('a cluster with nothing left to do writes nothing', async () => {
  const revision = (): Promise<string> => field('pods -A', '.metadata.resourceVersion');
  await eventually('it is quiet', async () => {
    const before = await revision();
    await new Promise((go) => {
      setTimeout(go, 500);
    });
    return before === (await revision());
  });
});
