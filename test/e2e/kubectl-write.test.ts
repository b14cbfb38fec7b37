/**
 * Cases outside the transcripts of kubectl: a three-way merge that keeps foreign fields, an idle cluster, and
 * `explain`.
 * @module-tag kubectl
 */
import { afterAll, beforeAll, expect, test } from 'vitest';

import { eventually } from '../fixtures/api-cases/eventually.ts';
import { type ClusterStand, openCluster } from './cluster-stand.ts';
import { deployment, stepsOn } from './kubectl-steps.ts';

let cluster: ClusterStand;
const { ok, apply, field } = stepsOn(() => cluster);

beforeAll(async () => {
  cluster = await openCluster();
});

afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
});

test('apply changes what the file changes, and keeps what other clients have set', async () => {
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

test('a cluster at rest with a completed rollout writes nothing', async () => {
  await apply(deployment('web'));
  await ok('rollout', 'status', 'deployment/web', '--timeout=60s');
  const revision = (): Promise<string> => field('pods -A', '.metadata.resourceVersion');
  await eventually('nothing is written for half a second', async () => {
    const before = await revision();
    await new Promise((go) => {
      setTimeout(go, 500);
    });
    return before === (await revision());
  });
});

test('explain prints the descriptions, which are in a file of their own', async () => {
  expect(await ok('explain', 'configmap.data')).toContain('Data contains the configuration data');
});
