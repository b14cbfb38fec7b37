/** `kill -9` of `lifehook controller` at every step of a rollout, on the real cluster. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ControllerKills } from '../fixtures/rollout-cases/controller-kills.ts';
import { killCases, withoutWebhook } from '../fixtures/rollout-cases/kill-cases.ts';
import { runCase } from '../fixtures/rollout-cases/run-case.ts';
import { clusterAccess } from './real-cluster.ts';
import { type CaseStand, openCaseStand, PATIENCE_MS } from './rollout-case-stand.ts';

const TIMEOUT_MS = 300_000;

let stand: CaseStand;
let kills: ControllerKills;

beforeAll(async () => {
  stand = await openCaseStand();
  kills = await ControllerKills.open(stand.client, clusterAccess());
});

afterAll(async () => {
  await stand.untilDeleted();
  await kills[Symbol.asyncDispose]();
  await stand.close();
}, TIMEOUT_MS);

describe.concurrent('a rollout whose controller is killed', () => {
  for (const one of killCases(() => kills)) {
    it(`${one.id}: ${one.title}`, { timeout: TIMEOUT_MS }, async () => {
      await expect(runCase({ ...stand, patienceMs: PATIENCE_MS }, one)).resolves.toBeUndefined();
    });
  }
});

it('ROLL-C33: without the webhook a changed template is refused, and a scaling is not', async () => {
  const run = (bench: Parameters<typeof withoutWebhook>[0]): Promise<void> =>
    withoutWebhook(bench, kills);
  const one = { id: 'ROLL-C33', run };
  await expect(runCase({ ...stand, patienceMs: PATIENCE_MS }, one)).resolves.toBeUndefined();
});
