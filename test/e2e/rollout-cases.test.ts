/**
 * The rollout cases on the local cluster: its controllers, pods as plain processes, and a separate `lifehook
 * controller`.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { rolloutCases } from '../fixtures/rollout-cases/cases.ts';
import { runCase } from '../fixtures/rollout-cases/run-case.ts';
import { type ClusterStand, openCluster } from './cluster-stand.ts';
import { type ControllerProgram, installKinds, startController } from './controller-program.ts';

const PATIENCE_MS = 120_000;

let cluster: ClusterStand;
let controller: ControllerProgram;

beforeAll(async () => {
  cluster = await openCluster();
  await installKinds(cluster);
  const options = ['--webhook-address', '127.0.0.1:0', '--no-leader-elect'];
  controller = await startController(cluster, options);
});

afterAll(async () => {
  await controller[Symbol.asyncDispose]();
  await cluster[Symbol.asyncDispose]();
});

describe.concurrent('deployment hooks on the local cluster', () => {
  for (const one of rolloutCases) {
    it(`${one.id}: ${one.title}`, async () => {
      await expect(runCase({ ...cluster, patienceMs: PATIENCE_MS }, one)).resolves.toBeUndefined();
    });
  }
});
