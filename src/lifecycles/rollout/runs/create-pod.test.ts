/**
 * Tests the creation of a hook's pod against the local cluster's API server: the pod may be that of another client, and
 * the controller may die meanwhile or may be outdated.
 */
import type { Pod } from 'kubernetes-types/core/v1.js';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { ControllerStand } from '../../../../test/fixtures/rollout/controller-stand.ts';
import { StageStand } from '../../../../test/fixtures/rollout/stage-stand.ts';
import type { KubeClient } from '../../../kube/client.ts';
import { configMaps, pods } from '../../../kube/resources.ts';
import { hookPodName, hookPodLabels } from '../hookpod/identity.ts';
import { isFinished } from '../hookpod/read-hook-pod.ts';
import { permitKey } from '../hookpod/permit-object.ts';
import { hookRuns } from '../kinds.ts';
import { withOutcome } from './run-status.ts';
import type { StageRequest } from './stage.ts';

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

/** A client whose request for the pod arrives later, or never. */
function dyingClient(): KubeClient {
  const { client } = server;
  return {
    ...client,
    create: async (resource, ...rest) => {
      if (resource.kind === pods.kind) throw new Error('the controller dies');
      return client.create(resource, ...rest);
    },
  };
}

/**
 * A user creates the pod of the first attempt in advance, with the name and labels that the controller's pod will have.
 */
async function createdInAdvance(request: StageRequest): Promise<Pod> {
  const { deployment, number, stage } = request;
  const { name = '', uid = '' } = deployment.metadata ?? {};
  const identity = { deployment: name, uid, number, stage, attempt: 1 };
  return server.client.create(pods, {
    metadata: { namespace, name: hookPodName(identity), labels: hookPodLabels(identity) },
    spec: {
      restartPolicy: 'Never',
      containers: [{ name: 'hook', image: 'none', command: ['true'] }],
    },
  });
}

async function untilEnded({ metadata }: Pod): Promise<void> {
  const key = { namespace, name: metadata?.name ?? '' };
  await vi.waitUntil(async () => isFinished(await server.client.get(pods, key)), {
    timeout: 60_000,
  });
}

describe('a pod that another client created in advance (ROLL-S5)', () => {
  it('is not taken for that of the attempt, and fails it', async () => {
    const request = await stand.ask('forged', { hook: stand.hook('exit 1') });
    await untilEnded(await createdInAdvance(request));
    const { run } = await stand.toEnd(request);
    expect(run.status).toMatchObject({ phase: 'Failed', attempts: [{ reason: 'PodNameTaken' }] });
  });

  it('is not taken for it at its deadline either', async () => {
    const request = await stand.ask('forged-late', { hook: stand.hook('exit 1') });
    const { step } = await stand.until(request, ({ kind }) => kind === 'createPod');
    await untilEnded(await createdInAdvance(request));
    if (step.kind !== 'createPod') throw new Error(step.kind);
    const end = { outcome: 'TimedOut', reason: 'HookTimedOut', message: 'it has 5 s' } as const;
    const { run, attempt } = step;
    await stand.carryOut({ kind: 'lookForPod', run, attempt, ifMissing: end, abort: null });
    const ended = await stand.run(request);
    expect(ended?.status?.attempts).toMatchObject([{ outcome: 'TimedOut' }]);
    expect(ended?.status?.attempts[0]?.podUID).toBeUndefined();
  });

  it('is no question for a pod whose creation was answered, although a webhook removed the token', async () => {
    const request = await stand.ask('stripped', { hook: stand.hook('exit 0') });
    const { step } = await stand.until(request, ({ kind }) => kind === 'createPod');
    const create: KubeClient['create'] = (resource, object, ...rest) => {
      const { annotations: _, ...metadata } = object.metadata ?? {};
      return server.client.create(resource, { ...object, metadata }, ...rest);
    };
    await stand.carryOut(step, { ...server.client, create });
    const { run } = await stand.toEnd(request);
    expect(run.status).toMatchObject({ phase: 'Succeeded', attempts: [{ number: 1 }] });
  });

  it('differs from our own, which is found after the answer to its creation was lost', async () => {
    const request = await stand.ask('answer-lost', { hook: stand.hook('exit 0') });
    const { step } = await stand.until(request, ({ kind }) => kind === 'createPod');
    const create: KubeClient['create'] = async (resource, ...rest) => {
      const made = await server.client.create(resource, ...rest);
      if (resource.kind === pods.kind) throw new Error('the controller dies');
      return made;
    };
    const dies = { ...server.client, create };
    await expect(stand.carryOut(step, dies)).rejects.toThrow('the controller dies');
    const { run } = await stand.toEnd(request);
    expect(run.status).toMatchObject({ phase: 'Succeeded', attempts: [{ number: 1 }] });
  });
});

describe('createPod', () => {
  it('rejects with NotFound if its HookRun was deleted, so that the caches forget it', async () => {
    const request = await stand.ask('run-deleted', { hook: stand.hook('exit 0') });
    const { step } = await stand.until(request, ({ kind }) => kind === 'createPod');
    if (step.kind !== 'createPod') throw new Error(step.kind);
    const { name = '' } = step.run.metadata ?? {};
    await server.client.delete(hookRuns, { namespace, name });
    await expect(stand.carryOut(step)).rejects.toMatchObject({ reason: 'NotFound' });
    expect(await stand.pods(request)).toEqual([]);
  });

  it('makes a conflict of an end that was decided before the grant and arrives late (ROLL-P4)', async () => {
    const request = await stand.ask('granted', { hook: stand.hook('exit 0') });
    const { step } = await stand.until(request, ({ kind }) => kind === 'createPod');
    if (step.kind !== 'createPod') throw new Error(step.kind);
    const { run, attempt } = step;
    const end = { outcome: 'TimedOut', reason: 'HookTimedOut', message: 'it has 5 s' } as const;
    const ending = { attempt, end, lastLines: [], abort: null, nowMs: Date.now() };
    const late = { ...run, status: withOutcome(run, ending) };

    await expect(stand.carryOut(step, dyingClient())).rejects.toThrow('the controller dies');
    const { uid = '' } = request.deployment.metadata ?? {};
    const permit = await server.client.get(configMaps, permitKey({ namespace, uid }));
    expect(permit.data).toEqual({ '1-pre-1': '1000001' });
    await expect(server.client.replaceStatus(hookRuns, late)).rejects.toMatchObject({ code: 409 });
  });

  it('is refused the grant that arrives after the end of its attempt is recorded (ROLL-P3)', async () => {
    const request = await stand.ask('overtaken', { hook: stand.hook('exit 0') });
    const { step } = await stand.until(request, ({ kind }) => kind === 'createPod');
    let arrive = (): void => {};
    const arrives = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    let late: Promise<unknown> = Promise.resolve();
    await new Promise<void>((send) => {
      const create: KubeClient['create'] = async (resource, ...rest) => {
        send();
        await arrives;
        return server.client.create(resource, ...rest);
      };
      late = stand.carryOut(step, { ...server.client, create });
    });
    const { run } = await stand.toEnd(request, { reason: 'NewRollout', message: 'another one' });
    expect(run.status?.phase).not.toBe('Running');
    arrive();
    await expect(late).rejects.toMatchObject({ code: 409 });
    expect(await stand.pods(request)).toEqual([]);
  });
});
