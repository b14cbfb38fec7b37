/** The cases of deployment hooks on the real cluster: its controllers, its kubelet, and our program outside of it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type ControllerProgram, startController } from '../e2e/controller-program.ts';
import { rolloutCases } from '../fixtures/rollout-cases/cases.ts';
import { removeWebhooks } from '../fixtures/rollout-cases/remove-webhooks.ts';
import { runCase } from '../fixtures/rollout-cases/run-case.ts';
import { HOST } from './parameters.ts';
import { kubeconfigPath, makeNamespace } from './real-cluster.ts';
import { type CaseStand, openCaseStand, PATIENCE_MS } from './rollout-case-stand.ts';

const TIMEOUT_MS = 300_000;

let stand: CaseStand;
let controller: ControllerProgram;
let removeNamespace: () => Promise<void>;

beforeAll(async () => {
  stand = await openCaseStand();
  const { namespace, remove } = await makeNamespace(stand.client, 'rollout-controller');
  removeNamespace = remove;
  const options = ['--webhook-address', `${HOST}:0`, '--no-leader-elect', '-n', namespace];
  controller = await startController({ kubeconfig: kubeconfigPath() }, options);
});

afterAll(async () => {
  await stand.untilDeleted();
  await controller[Symbol.asyncDispose]();
  await removeWebhooks(stand.client);
  await removeNamespace();
  await stand.close();
}, TIMEOUT_MS);

describe.concurrent('deployment hooks on the real cluster', () => {
  for (const one of rolloutCases) {
    it(`${one.id}: ${one.title}`, { timeout: TIMEOUT_MS }, async () => {
      await expect(runCase({ ...stand, patienceMs: PATIENCE_MS }, one)).resolves.toBeUndefined();
    });
  }
});
