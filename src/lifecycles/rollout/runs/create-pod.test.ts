/** Against the local cluster's own API server: a controller that dies while it creates the pod of a hook. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ControllerStand } from '../../../../test/fixtures/rollout/controller-stand.ts';
import { StageStand } from '../../../../test/fixtures/rollout/stage-stand.ts';
import type { KubeClient } from '../../../kube/client.ts';
import { configMaps, pods } from '../../../kube/resources.ts';
import { permitKey } from '../hookpod/permit-object.ts';
import { hookRuns } from '../kinds.ts';
import { withOutcome } from './run-status.ts';

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

/** Its request for the pod arrives later, if ever. */
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

describe('createPod', () => {
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
