import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ControllerStand } from '../../../../test/fixtures/rollout/controller-stand.ts';
import { StageStand } from '../../../../test/fixtures/rollout/stage-stand.ts';
import { hookRuns } from '../kinds.ts';

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

describe('carryOutStage, a HookRun that another writer has changed', () => {
  it('creates no pod: the rights of the author were not reviewed', async () => {
    const hook = stand.hook('exit 0', { failurePolicy: 'Abort' });
    const request = await stand.ask('changed', { hook });
    const { step } = await stand.until(request, ({ kind }) => kind === 'createPod');
    const name = step.kind === 'createPod' ? (step.run.metadata?.name ?? '') : '';
    const execNewPod = { command: ['other'] };
    const body = { spec: { hook: { execNewPod } } };
    await server.client.patch(hookRuns, { namespace, name }, { type: 'merge', body });
    const { run: ended } = await stand.toEnd(request);
    expect(ended.status).toMatchObject({ attempts: [{ reason: 'HookRunChanged' }] });
    expect(await stand.pods(request)).toEqual([]);
  });
});
