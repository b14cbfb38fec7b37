import type { Deployment } from 'kubernetes-types/apps/v1.js';
import { expect, it } from 'vitest';

import type { CliCluster } from '../kube-connection.ts';
import { plannedDeployment } from './planned-deployment.ts';

const manifest = { metadata: { name: 'web' }, spec: { paused: true } } as unknown as Deployment;
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** A cluster whose apply answers with this spec, and the writes that it got. */
function openCluster(spec: object) {
  const writes: unknown[] = [];
  const client = {
    apply: async (_: unknown, object: Deployment, options: object) => {
      writes.push(['apply', options]);
      return { ...object, spec };
    },
    replace: async (_: unknown, object: Deployment, options: object) => {
      writes.push(['replace', object.spec, options]);
      return { ...object, spec: { ...object.spec, minReadySeconds: 0 } };
    },
  };
  return { writes, cluster: { client, namespace: 'shop' } as unknown as CliCluster };
}

function storedWith(metadata: object): Deployment {
  return { metadata, spec: {} } as unknown as Deployment;
}

const lastApplied = (text: string): Deployment =>
  storedWith({ annotations: { [LAST_APPLIED]: text } });
const applyAs = (fieldManager: string) => ['apply', { fieldManager, force: true, dryRun: true }];

it('is stored by the server again without the fields that kubectl apply would remove', async () => {
  const { cluster, writes } = openCluster({ paused: true, minReadySeconds: 9 });
  const stored = lastApplied('{"spec":{"paused":true,"minReadySeconds":9}}');
  const planned = await plannedDeployment(cluster, manifest, stored);
  expect(planned.spec).toEqual({ paused: true, minReadySeconds: 0 });
  expect(writes).toEqual([
    applyAs('lifehook-rollout-plan'),
    ['replace', { paused: true }, { dryRun: true }],
  ]);
});

it.each([
  ['without an earlier Deployment', null],
  ['without an earlier apply', storedWith({})],
  ['with a last apply of the same fields', lastApplied('{"spec":{"paused":true}}')],
  ['with an annotation that is not JSON', lastApplied('{')],
  ['with an annotation that is no object', lastApplied('[]')],
])('is one apply %s', async (_, stored) => {
  const { cluster, writes } = openCluster({ paused: true, minReadySeconds: 9 });
  const planned = await plannedDeployment(cluster, manifest, stored);
  expect(planned.metadata).toEqual({ name: 'web', namespace: 'shop' });
  expect(planned.spec).toEqual({ paused: true, minReadySeconds: 9 });
  expect(writes).toEqual([applyAs('lifehook-rollout-plan')]);
});

const entry = (manager: string, operation = 'Apply', spec: object = { 'f:template': {} }) => ({
  manager,
  operation,
  fieldsV1: { 'f:spec': spec },
});

it.each([
  ['the manager of the earlier server-side apply', [entry('flux')], 'flux'],
  ['it once for several API versions', [entry('flux'), entry('flux')], 'flux'],
  ['none of several managers', [entry('flux'), entry('kubectl')], 'lifehook-rollout-plan'],
  ['no manager of another write', [entry('helm', 'Update')], 'lifehook-rollout-plan'],
  [
    'no manager of other fields',
    [entry('scaler', 'Apply', { 'f:replicas': {} })],
    'lifehook-rollout-plan',
  ],
])('is applied by %s', async (_, managedFields, manager) => {
  const { cluster, writes } = openCluster({ paused: true });
  await plannedDeployment(cluster, manifest, storedWith({ managedFields }));
  expect(writes).toEqual([applyAs(manager)]);
});
