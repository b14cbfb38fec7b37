/** Stored objects of an earlier release on the local cluster, under the controllers of today. */
import { afterAll, beforeAll, it } from 'vitest';

import {
  expectKept,
  expectReleased,
  expectThawed,
  openStoredWorld,
  type StoredWorld,
} from '../fixtures/stored-objects/world.ts';
import { type ClusterStand, openCluster } from './cluster-stand.ts';
import { type ControllerProgram, installKinds, startController } from './controller-program.ts';

let cluster: ClusterStand;
let controller: ControllerProgram;
let world: StoredWorld;

beforeAll(async () => {
  cluster = await openCluster('--runner', 'process');
  await installKinds(cluster);
  world = { ...cluster, namespace: 'default' };
  await openStoredWorld(world);
  controller = await startController(cluster, ['--webhook-address', '127.0.0.1:0']);
});

afterAll(async () => {
  await controller[Symbol.asyncDispose]();
  await cluster[Symbol.asyncDispose]();
});

it('thaws what was frozen, and undoes what was in the middle of an attempt', () =>
  expectThawed(world));

it('releases a rollout that was held in the middle of its hook', () => expectReleased(world));

it('keeps the fields and annotations that it does not know', () => expectKept(world));
