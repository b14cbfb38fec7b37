/** Effects of users, restarts and deletions on a running rollout. The gate is PausedAtRest. */
import { isDeepStrictEqual } from 'node:util';

import type { ReplicaSet } from 'kubernetes-types/apps/v1.js';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { deploymentLifecycles, hookRuns } from '../../src/lifecycles/rollout/kinds.ts';
import { configMaps, deployments, namespaces } from '../../src/kube/resources.ts';
import { nodeTimers } from '../../src/platform/timers.ts';
import { sleep } from '../../src/platform/sleep.ts';
import { hook, MachineStand, template } from '../fixtures/rollout/machine-stand.ts';

const KEY = { namespace: 'shop', name: 'web' };
const RECREATE = { strategy: { type: 'Recreate' } };
const UPDATED = 'replaceStatus deploymentlifecycles';
let stand: MachineStand;

beforeEach(async () => {
  stand = await MachineStand.open();
});

afterEach(async () => {
  await stand.close();
});

test('a controller that restarts while mid runs adopts it, and starts no attempt twice (ROLL-C19)', async () => {
  await stand.released({ recreate: { pre: hook(0), mid: hook(null) } }, RECREATE);
  await stand.change('t2');
  await stand.until('mid runs', async () => (await stand.runningHooks('mid')).length === 1);
  await stand.stop();
  await stand.finish('mid', 0);
  stand.start();
  await stand.untilPhase(2, 'Done');
  const { items } = await stand.client.list(hookRuns, { namespace: 'shop' });
  expect(items.map(({ status }) => status?.attemptCount)).toEqual([1, 1]);
  expect((await stand.deployment()).spec?.replicas).toBe(2);
});

test('neither the release nor Done waits for the finalizer of a hook pod', async () => {
  await stand.released({ rollingUpdate: { pre: hook(null), post: hook(null, 'Retry') } });
  await stand.change('t2');
  await stand.until('pre runs', async () => (await stand.runningHooks('pre')).length === 1);
  stand.writes.splice(0);
  await stand.finish('pre', 0);
  await stand.until('post runs', async () => (await stand.runningHooks('post')).length === 1);
  // The writes of a release, in order: permit, outcome, phase, Deployment.
  const released = ['replace configmaps', 'replaceStatus hookruns', UPDATED, 'patch deployments'];
  expect(stand.writes.slice(0, 4)).toEqual(released);
  expect(stand.writes.slice(4)).toContain('patch pods');
  stand.writes.splice(0);
  await stand.finish('post', 0);
  await stand.until('no finalizer is left', async () =>
    (await stand.hookPods()).every(({ metadata }) => metadata?.finalizers === undefined),
  );
  const done = ['replace configmaps', 'replaceStatus hookruns', UPDATED];
  expect(stand.writes.slice(0, 3)).toEqual(done);
});

test('an abort by annotation holds the rollout, and a retry starts the same template with a new number', async () => {
  await stand.released({ rollingUpdate: { pre: hook(null) } });
  await stand.change('t2');
  await stand.until('pre runs', async () => (await stand.runningHooks()).length === 1);
  await stand.annotate({ 'lifehook.dev/abort': '2' });
  await stand.untilPhase(2, 'Held');
  expect((await stand.lifecycle()).status?.rollout?.failure?.reason).toBe('AbortedByUser');
  expect(await stand.runningHooks()).toEqual([]);
  await stand.annotate({ 'lifehook.dev/retry': '2' });
  await stand.finish('pre', 0);
  await stand.untilPhase(3, 'Done');
  expect(await stand.podsOf('t2')).toHaveLength(2);
  expect((await stand.deployment()).metadata?.annotations).not.toHaveProperty('lifehook.dev/retry');
});

test('a template that is reverted before the release is done without hooks', async () => {
  await stand.released({ rollingUpdate: { pre: hook(null), post: hook(0, 'Retry') } });
  await stand.change('t2');
  await stand.until('pre runs', async () => (await stand.runningHooks()).length === 1);
  await stand.change('t1');
  await stand.untilPhase(3, 'Done');
  expect((await stand.lifecycle()).status?.rollout?.reason).toBe('Reverted');
  expect((await stand.runs()).map(({ spec }) => spec.rollout)).toEqual([2]);
  expect(await stand.sets()).toHaveLength(1);
});

test('Rollback restores the old template, and holds the failed one when it is applied again', async () => {
  await stand.released({ onAbort: 'Rollback', recreate: { mid: hook(1) } }, RECREATE);
  await stand.change('t2');
  await stand.untilPhase(2, 'RolledBack');
  const { spec } = await stand.deployment();
  expect(spec).toMatchObject({ replicas: 2, template: template('t1') });
  await stand.until('it is paused at rest', async () => {
    const { spec: now, metadata } = await stand.deployment();
    return now?.paused === true && metadata?.annotations?.['lifehook.dev/released'] === '2';
  });
  await stand.change('t2');
  await stand.untilPhase(3, 'Held');
  expect((await stand.lifecycle()).status?.rollout?.failure?.reason).toBe('AbortedBefore');
  expect(await stand.podsOf('t1')).toHaveLength(2);
});

/** Deletes the lifecycle; resolves once its finalizer is removed. */
async function deleteLifecycle(): Promise<void> {
  await stand.client.delete(deploymentLifecycles, KEY);
  await stand.until('the lifecycle is deleted', async () => {
    const { items } = await stand.client.list(deploymentLifecycles);
    return items.length === 0;
  });
}

async function marksLeft(): Promise<string[]> {
  const { metadata } = await stand.deployment();
  const ours = Object.keys({ ...metadata?.annotations, ...metadata?.labels });
  return ours.filter((name) => name.startsWith('lifehook.dev/'));
}

test('a lifecycle that is deleted while mid runs ends its hooks, then restores the released template', async () => {
  await stand.released({ recreate: { mid: hook(null) } }, RECREATE);
  await stand.change('t2');
  await stand.until('mid runs', async () => (await stand.runningHooks('mid')).length === 1);
  await deleteLifecycle();
  expect(await stand.hookPods()).toEqual([]);
  const { items: maps } = await stand.client.list(configMaps, { namespace: KEY.namespace });
  expect(maps.filter((map) => map.metadata?.name?.startsWith('hook-permit-') === true)).toEqual([]);
  const { spec } = await stand.deployment();
  expect(spec).toMatchObject({ replicas: 2, template: template('t1') });
  expect(spec?.paused ?? false).toBe(false);
  expect(await marksLeft()).toEqual([]);
  await stand.until('t1 runs again', async () => (await stand.podsOf('t1')).length === 2);
  expect(await stand.podsOf('t2')).toEqual([]);
});

test('a lifecycle that is deleted with onDelete Release starts the held template', async () => {
  await stand.released({ onDelete: 'Release', rollingUpdate: { pre: hook(1) } });
  await stand.change('t2');
  await stand.untilPhase(2, 'Held');
  await deleteLifecycle();
  await stand.until('t2 runs', async () => (await stand.podsOf('t2')).length === 2);
  expect(await marksLeft()).toEqual([]);
});

test('a first rollout stays paused when its lifecycle is deleted, and a new lifecycle runs its hooks', async () => {
  const first = { rollingUpdate: { pre: hook(1) } };
  await stand.keep(first);
  await stand.deploy('t1');
  await stand.untilPhase(1, 'Held');
  await deleteLifecycle();
  const { spec, status } = await stand.deployment();
  expect(spec).toMatchObject({ paused: true, replicas: 2, template: template('t1') });
  const failed = status?.conditions?.find(({ type }) => type === 'Failed');
  expect(failed).toMatchObject({ status: 'True', reason: 'LifecycleDeleted' });
  expect(failed?.message).toContain('kubectl rollout resume deployment/web');
  await stand.keep({ rollingUpdate: { pre: hook(null) } });
  await stand.untilPhase(2, 'Pre');
  await stand.finish('pre', 0);
  await stand.untilPhase(2, 'Done');
  expect(await stand.podsOf('t1')).toHaveLength(2);
});

test('a first rollout that was left paused starts when a person resumes it', async () => {
  await stand.keep({ rollingUpdate: { pre: hook(1) } });
  await stand.deploy('t1');
  await stand.untilPhase(1, 'Held');
  await deleteLifecycle();
  const body = { spec: { paused: false } };
  await stand.client.patch(deployments, KEY, { type: 'merge', body });
  await stand.until('t1 runs', async () => (await stand.podsOf('t1')).length === 2);
  await stand.until('no mark is left', async () => (await marksLeft()).length === 0);
});

test('a lifecycle that is created late gates a template that has not run yet', async () => {
  await stand.deploy('t1', { paused: false });
  await stand.until('t1 runs', async () => (await stand.podsOf('t1')).length === 2);
  const body = { spec: { paused: true, template: template('t2') } };
  await stand.client.patch(deployments, KEY, { type: 'merge', body });
  await stand.keep({ gate: 'Admission', rollingUpdate: { pre: hook(null) } });
  await stand.until('pre of t2 runs', async () => (await stand.runningHooks('pre')).length === 1);
  expect((await stand.lifecycle()).status?.released?.template).toMatchObject(template('t1'));
  expect(await stand.podsOf('t2')).toEqual([]);
});

test('a namespace with a held rollout is deleted to its end', async () => {
  await stand.released({ rollingUpdate: { pre: hook(null) } });
  await stand.change('t2');
  await stand.until('pre runs', async () => (await stand.runningHooks()).length === 1);
  await stand.client.delete(namespaces, { name: KEY.namespace });
  await stand.until('the namespace is gone', async () => {
    const { items } = await stand.client.list(namespaces);
    return !items.some(({ metadata }) => metadata?.name === KEY.namespace);
  });
});

test('hook pods are deleted with their Deployment, without a blocking finalizer', async () => {
  await stand.released({ rollingUpdate: { pre: hook(null) } });
  await stand.change('t2');
  await stand.until('pre runs', async () => (await stand.runningHooks()).length === 1);
  await stand.client.delete(deployments, KEY, { propagationPolicy: 'Background' });
  await stand.until('no hook pod is left', async () => (await stand.hookPods()).length === 0);
  await stand.untilPhase(2, 'Failed');
  await stand.deploy('t1');
  await stand.untilPhase(1, 'Pre');
});

test('a failed mid restores the ReplicaSet of the old template with its revision (ROLL-L9)', async () => {
  await stand.released({ recreate: { mid: hook(1) } }, RECREATE);
  const before = (await stand.sets()).map(setText);
  await stand.change('t2');
  await stand.untilPhase(2, 'Held');
  expect((await stand.sets()).map(setText)).toEqual(before);
});

const QUIET_MS = 1_500;

test('a controller at rest writes nothing', async () => {
  await stand.released({ rollingUpdate: { pre: hook(0), post: hook(0, 'Retry') } });
  await stand.change('t2');
  await stand.untilPhase(2, 'Done');
  await stand.until('the old pods are gone', async () => (await stand.podsOf('t1')).length === 0);
  const versions = async (): Promise<unknown[]> => [
    (await stand.lifecycle()).metadata?.resourceVersion,
    (await stand.deployment()).metadata?.resourceVersion,
    ...(await stand.runs()).map(({ metadata }) => metadata?.resourceVersion),
  ];
  await stand.until('nothing is written for a while', async () => {
    const before = await versions();
    await sleep(nodeTimers, QUIET_MS);
    return isDeepStrictEqual(await versions(), before);
  });
  expect(await stand.hookPods()).toHaveLength(1);
});

const REVISION = 'deployment.kubernetes.io/revision';

function setText({ metadata, spec }: ReplicaSet): string {
  const revision = metadata?.annotations?.[REVISION] ?? '';
  return `${metadata?.uid ?? ''} of revision ${revision} with ${spec?.replicas ?? 0}`;
}
