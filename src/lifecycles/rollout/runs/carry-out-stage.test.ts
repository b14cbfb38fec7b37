/**
 * Tests the steps of a stage against the API server and controllers of the local cluster. The test acts as the node.
 */
import type { ReplicaSet } from 'kubernetes-types/apps/v1.js';
import type { Pod } from 'kubernetes-types/core/v1.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ControllerStand } from '../../../../test/fixtures/rollout/controller-stand.ts';
import { StageStand } from '../../../../test/fixtures/rollout/stage-stand.ts';
import type { KubeClient } from '../../../kube/client.ts';
import { getOrNull } from '../../../kube/get-or-null.ts';
import { configMaps, pods, replicaSets } from '../../../kube/resources.ts';
import { buildHookPod, isRefusal } from '../hookpod/build-hook-pod.ts';
import { hookPodLabels } from '../hookpod/identity.ts';
import { permitKey } from '../hookpod/permit-object.ts';
import { carryOutStage } from './carry-out-stage.ts';
import { makeHookRun } from './hook-run.ts';
import { grant, readPermit, revoke } from './permit.ts';
import type { StageActing } from './stage-acting.ts';
import type { StageRequest, StageStep } from './stage.ts';
import { adoptions } from './tidy.ts';

const namespace = 'default';
let server: ControllerStand;
let stand: StageStand;

beforeAll(async () => {
  server = await ControllerStand.open({ secondMs: 20 });
  const { client, connection } = server;
  stand = await StageStand.open({ client, connection, namespace, image: 'none' });
});

afterAll(async () => {
  await stand.close();
  await server.close();
});

const isKind = (kind: StageStep['kind']) => (step: StageStep) => step.kind === kind;
const runs = (step: StageStep): boolean => step.kind === 'wait' && step.reason.endsWith(' runs');
const neverEnds = 'sleep 1000';
const DELETED = { deletionTimestamp: 'at once' };

function podOf(request: StageRequest, attempt = 1): Pod {
  const built = buildHookPod({ ...request, attempt });
  if (isRefusal(built)) throw new Error(built.message);
  return built;
}

function setOf({ deployment, template }: StageRequest): ReplicaSet {
  const name = `${deployment.metadata?.name ?? ''}-set`;
  const labels = { app: name };
  const selector = { matchLabels: labels };
  const spec = { replicas: 0, selector, template: { ...template, metadata: { labels } } };
  return { metadata: { name, namespace }, spec };
}

describe('carryOutStage, a pod to delete', () => {
  it('is not a later one of the same name (ROLL-DH18)', async () => {
    const { client } = server;
    const spec = { containers: [{ name: 'hook', image: 'none' }] };
    const pod = await client.create(pods, { metadata: { namespace, name: 'again' }, spec });
    const earlier = { ...pod, metadata: { ...pod.metadata, uid: 'of the deleted pod' } };
    const step = { kind: 'deletePod', reason: 'it has ended' } as const;
    await carryOutStage({ client } as StageActing, { ...step, pod: earlier });
    const look = async () =>
      (await getOrNull(client, pods, { namespace, name: 'again' }))?.metadata ?? DELETED;
    expect(await look()).not.toHaveProperty('deletionTimestamp');
    await carryOutStage({ client } as StageActing, { ...step, pod });
    expect(await look()).toHaveProperty('deletionTimestamp');
  });
});

describe('carryOutStage, a whole stage', () => {
  it('writes run, intent, pod and outcome in order, then removes the finalizer (ROLL-S1)', async () => {
    const request = await stand.ask('whole', { hook: stand.hook('exit 0') });
    const name = request.deployment.metadata?.name;
    const { run, before } = await stand.toEnd(request);
    expect(before).toEqual([
      'openRun',
      'recordIntent',
      'createPod',
      'recordOutcome',
      'removeFinalizer',
    ]);
    expect(run).toMatchObject({
      metadata: { ownerReferences: [{ kind: 'DeploymentLifecycle', name }] },
      status: { phase: 'Succeeded', attemptCount: 1, attempts: [{ outcome: 'Succeeded' }] },
    });
    const [pod, ...others] = await stand.pods(request);
    expect(others).toEqual([]);
    expect(pod?.metadata?.finalizers ?? []).toEqual([]);
    expect(run.status?.attempts[0]).toMatchObject({
      podName: pod?.metadata?.name,
      podUID: pod?.metadata?.uid,
    });
    expect(stand.reported(request)).toEqual(['HookStarted', 'HookSucceeded']);
    expect(stand.observed.filter((event) => event.deployment === name)).toMatchObject([
      { type: 'AttemptStarted', attempt: 1 },
      { type: 'AttemptEnded', outcome: 'Succeeded' },
      { type: 'HookEnded', phase: 'Succeeded' },
    ]);
  });

  it('emits events for each failure on Deployment and HookRun, and names an unreadable log (ROLL-DH17)', async () => {
    const hook = stand.hook('exit 3', { failurePolicy: 'Ignore' });
    const request = await stand.ask('ignored', { hook });
    const { run } = await stand.toEnd(request);
    expect(run.status).toMatchObject({ phase: 'Ignored', reason: 'HookFailed' });
    expect(stand.reported(request)).toEqual(['HookStarted', 'HookFailed', 'HookIgnored']);
    const name = request.deployment.metadata?.name ?? '';
    const failures = stand.notes.filter(
      ({ reason, about }) => reason === 'HookFailed' && about.name?.startsWith(name) === true,
    );
    expect(failures.map(({ about }) => about.kind)).toEqual(['Deployment', 'HookRun']);
    expect(failures[0]?.message).toMatch(/exit code 3 \(Error\) \(its log could not be read: /);
  });

  it('aborts a hook when a new rollout begins, and waits until its pod is deleted (ROLL-DH18)', async () => {
    const request = await stand.ask('overtaken', { hook: stand.hook(neverEnds) });
    await stand.until(request, runs);
    const abort = { reason: 'NewRollout', message: 'rollout 2 has begun' };
    const { run, before } = await stand.toEnd(request, abort);
    expect(before).toEqual(['deletePod', 'recordOutcome', 'removeFinalizer']);
    expect(run.status).toMatchObject({
      phase: 'Aborted',
      reason: 'NewRollout',
      attempts: [{ outcome: 'Aborted' }],
    });
    expect(await stand.pods(request)).toEqual([]);
  });
});

describe('carryOutStage, each attempt once (ROLL-S2, ROLL-S3)', () => {
  it('creates no pod if the HookRun has changed since it was read', async () => {
    const request = await stand.ask('stale', { hook: stand.hook('exit 0') });
    const { step } = await stand.until(request, isKind('createPod'));
    await stand.toEnd(request);
    const [pod] = await stand.pods(request);
    await server.client.delete(pods, { namespace, name: pod?.metadata?.name ?? '' });
    await stand.carryOut(step);
    expect(await stand.pods(request)).toEqual([]);
  });

  it('creates no pod next to another that is not in the cache yet', async () => {
    const request = await stand.ask('beside', { hook: stand.hook('exit 0') });
    const { step } = await stand.until(request, isKind('createPod'));
    const { name: deployment = '', uid = '' } = request.deployment.metadata ?? {};
    const other = { deployment, uid, number: 2, stage: 'pre', attempt: 1 } as const;
    const name = `another-of-${deployment}`;
    await server.client.create(pods, {
      metadata: { name, namespace, labels: hookPodLabels(other) },
      spec: { containers: [{ name: 'hook', image: 'none', command: ['sleep', '9'] }] },
    });
    await stand.carryOut(step);
    expect((await stand.pods(request)).map(({ metadata }) => metadata?.name)).toEqual([name]);
  });

  it('records Unknown for a pod deleted by force, and does not retry it', async () => {
    const hook = stand.hook(neverEnds, { failurePolicy: 'Retry' });
    const request = await stand.ask('forced', { hook });
    await stand.until(request, isKind('wait'));
    const [pod] = await stand.pods(request);
    const key = { namespace, name: pod?.metadata?.name ?? '' };
    const body = { metadata: { finalizers: null } };
    await server.client.patch(pods, key, { type: 'merge', body });
    await server.client.delete(pods, key, { gracePeriodSeconds: 0 });
    const { run } = await stand.toEnd(request);
    expect(run.status).toMatchObject({ phase: 'Unknown', reason: 'PodLost', attemptCount: 1 });
  });
});

describe('carryOutStage, permits', () => {
  const permitOf = async ({ deployment }: StageRequest): Promise<object | undefined> => {
    const key = permitKey({ namespace, uid: deployment.metadata?.uid ?? '' });
    return (await server.client.get(configMaps, key)).data;
  };

  it('name the attempt before its pod is created (ROLL-P1) until its outcome is recorded (ROLL-P2)', async () => {
    const request = await stand.ask('permitted', { hook: stand.hook('exit 0') });
    const { step: making } = await stand.until(request, isKind('createPod'));
    await stand.carryOut(making);
    expect(await permitOf(request)).toEqual({ '1-pre-1': '1000001' });
    const { step: recording } = await stand.until(request, isKind('recordOutcome'));
    expect(await permitOf(request)).toEqual({ '1-pre-1': '1000001' });
    await stand.carryOut(recording);
    expect(Object.keys((await permitOf(request)) ?? {})).toEqual(['revoked']);
  });

  it('are revoked before an attempt without a pod ends (ROLL-P2)', async () => {
    const request = await stand.ask('late', { hook: stand.hook('exit 0') });
    await stand.until(request, isKind('createPod'));
    await stand.die(request);
    const abort = { reason: 'NewRollout', message: 'rollout 2 has begun' };
    const { before } = await stand.toEnd(request, abort);
    expect(before).toEqual(['lookForPod']);
    expect(Object.keys((await permitOf(request)) ?? {})).toEqual(['revoked']);
  });

  it('are not granted or revoked by an outdated controller (ROLL-P3)', async () => {
    const request = await stand.ask('raced', { hook: stand.hook('exit 0') });
    const { name = '', uid = '' } = request.deployment.metadata ?? {};
    const attempt = { uid, number: 1, stage: 'pre', attempt: 1 } as const;
    const owner = { namespace, name, uid };
    await grant(server.client, { owner, attempt, permit: null });
    const permit = await readPermit(server.client, owner);
    let writes = 0;
    const stale: KubeClient = {
      ...server.client,
      replace: async (...call) => {
        await server.client.patch(configMaps, permitKey({ namespace, uid }), {
          type: 'merge',
          body: { metadata: { annotations: { somebody: `else ${(writes += 1)}` } } },
        });
        return server.client.replace(...call);
      },
    };
    const next = { ...attempt, attempt: 2 };
    const granting = grant(stale, { owner, attempt: next, permit });
    await expect(granting).rejects.toMatchObject({ code: 409 });
    const run = makeHookRun(request);
    await expect(revoke(stale, run, 1)).rejects.toMatchObject({ code: 409 });
    expect(await permitOf(request)).toEqual({ '1-pre-1': '1000001' });
    await revoke(server.client, run, 2);
    expect(await permitOf(request)).toMatchObject({ '1-pre-1': '1000001' });
  });
});

describe('carryOutStage, a pod that cannot be created', () => {
  it('fails when the server refuses the permit, and creates no pod', async () => {
    const request = await stand.ask('sealed', { hook: stand.hook('exit 0') });
    const { uid = '' } = request.deployment.metadata ?? {};
    const metadata = { ...permitKey({ namespace, uid }) };
    await server.client.create(configMaps, { metadata, immutable: true });
    const { run } = await stand.toEnd(request);
    expect(run.status).toMatchObject({ phase: 'Failed', attempts: [{ reason: 'PermitRefused' }] });
    expect(run.status?.message).toMatch(/the server refuses its permit: .*immutable/);
    expect(await stand.pods(request)).toEqual([]);
  });

  it('fails when another pod has the name', async () => {
    const request = await stand.ask('taken', { hook: stand.hook('exit 0') });
    const { name = '' } = podOf(request).metadata ?? {};
    await server.client.create(pods, {
      metadata: { name, namespace },
      spec: { containers: [{ name: 'hook', image: 'none', command: ['true'] }] },
    });
    const { run } = await stand.toEnd(request);
    expect(run.status).toMatchObject({ phase: 'Failed', reason: 'PodNameTaken' });
  });

  it('fails with the message of the server, and retries under Retry', async () => {
    const hook = stand.hook('exit 0', { failurePolicy: 'Retry' });
    const container = {
      name: 'app',
      image: 'none',
      terminationMessagePath: '/x',
      volumeMounts: [],
    };
    const spec = { containers: [{ ...container, imagePullPolicy: 'Sometimes' }] };
    // The pauses are 1 s, 2 s and so on. The number of attempts therefore depends on the speed of the machine.
    const request = await stand.ask('refused', { hook, template: { spec }, deadlineSeconds: 5 });
    const { run } = await stand.toEnd(request);
    const { attempts = [], attemptCount = 0 } = run.status ?? {};
    expect(run.status).toMatchObject({ phase: 'Failed', reason: 'DeadlineExceeded' });
    expect(attemptCount).toBeGreaterThan(1);
    expect(attemptCount).toBeLessThanOrEqual(4);
    expect(attempts).toHaveLength(attemptCount);
    for (const attempt of attempts) expect(attempt).toMatchObject({ reason: 'PodRefused' });
    expect(run.status?.message).toMatch(/the server refuses its pod: .*imagePullPolicy/);
    const retried = Array.from({ length: attemptCount - 1 }, () => ['HookRetried', 'HookFailed']);
    expect(stand.reported(request)).toEqual(['HookStarted', 'HookFailed', ...retried.flat()]);
  });

  it('fails at once when the template has no such container (ROLL-C25)', async () => {
    const hook = { ...stand.hook('exit 0'), failurePolicy: 'Retry' as const };
    hook.execNewPod = { ...hook.execNewPod, containerName: 'gone' };
    const request = await stand.ask('missing', { hook });
    const { run, before } = await stand.toEnd(request);
    expect(before).toEqual(['openRun', 'settleRun']);
    expect(run.status).toMatchObject({ phase: 'Failed', reason: 'ContainerNotFound' });
    expect(stand.reported(request)).toEqual(['HookFailed']);
  });
});

describe('carryOutStage, changeOwner', () => {
  it('gives the pod to the ReplicaSet, once (ROLL-DH19)', async () => {
    const request = await stand.ask('owned', { hook: stand.hook('exit 0') });
    await stand.toEnd(request);
    const [pod] = await stand.pods(request);
    if (pod === undefined) throw new Error('there is no pod');
    expect(pod.metadata?.ownerReferences).toMatchObject([{ kind: 'Deployment' }]);
    const replicaSet = await server.client.create(replicaSets, setOf(request));
    for (const step of adoptions({ pods: [pod], number: 1, replicaSet }))
      await stand.carryOut(step);
    const changed = await stand.pods(request);
    const owner = { kind: 'ReplicaSet', uid: replicaSet.metadata?.uid, controller: false };
    expect(changed[0]?.metadata?.ownerReferences).toMatchObject([owner]);
    expect(adoptions({ pods: changed, number: 1, replicaSet })).toEqual([]);
  });
});
