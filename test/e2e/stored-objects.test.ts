/** Stored objects of an earlier release on the local cluster, under the controllers of today. */
import { afterAll, beforeAll, expect, it } from 'vitest';

import { leases } from '../../src/kube/resources.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { STORED_LEASE } from '../fixtures/stored-objects/lease.ts';
import {
  expectKept,
  expectReleased,
  expectThawed,
  openStoredWorld,
  type StoredWorld,
} from '../fixtures/stored-objects/world.ts';
import { type ClusterStand, openCluster } from './cluster-stand.ts';
import { type ControllerProgram, installKinds, startController } from './controller-program.ts';

const PATIENCE_S = 90;

let cluster: ClusterStand;
let controller: ControllerProgram;
let world: StoredWorld;

beforeAll(async () => {
  cluster = await openCluster('--runner', 'process');
  await installKinds(cluster);
  world = { ...cluster, namespace: 'default' };
  await openStoredWorld(world);
  const { namespace } = world;
  const metadata = { ...STORED_LEASE.metadata, namespace };
  await world.client.create(leases, { ...STORED_LEASE, metadata });
  controller = await startController(cluster, ['--webhook-address', '127.0.0.1:0']);
});

afterAll(async () => {
  await controller[Symbol.asyncDispose]();
  await cluster[Symbol.asyncDispose]();
});

it('stands by while the Lease of the earlier release lasts, and leads with the next number', async () => {
  const { metadata: { name = '', annotations } = {}, spec: before = {} } = STORED_LEASE;
  const { holderIdentity: earlier } = before;
  const lease = await eventually(
    'the Lease has another holder',
    async () => {
      const found = await world.client.get(leases, { namespace: world.namespace, name });
      return found.spec?.holderIdentity === earlier ? null : found;
    },
    PATIENCE_S,
  );
  expect(lease.spec).toMatchObject({ leaseTransitions: 4, leaseDurationSeconds: 15 });
  expect(lease.metadata?.annotations).toEqual(annotations);
  await eventually('an attempt has begun', async () => steps().includes('AttemptStarted'));
  expect(steps().slice(0, 4)).toEqual([
    `LeaderSeen ${earlier}`,
    `LeaderSeen ${lease.spec?.holderIdentity}`,
    'LeadershipGained',
    'AttemptStarted',
  ]);
  // The Lease lasts 15 s. A busy machine can only make the wait longer.
  expect(timeOf('LeadershipGained') - timeOf('LeaderSeen')).toBeGreaterThan(14_000);
});

/** Unix milliseconds of the first line with this message. */
function timeOf(message: string): number {
  const line = controller.log.find(({ msg }) => msg === message);
  return Date.parse(String(line?.['time']));
}

/** The leader's identity and its actions, in order. */
function steps(): string[] {
  const reported = ['LeaderSeen', 'LeadershipGained', 'AttemptStarted'];
  const lines = controller.log.filter(({ msg }) => reported.includes(msg));
  return lines.map(({ msg, holder }) => (msg === 'LeaderSeen' ? `${msg} ${String(holder)}` : msg));
}

it('thaws what was frozen, and undoes what was in the middle of an attempt', () =>
  expectThawed(world));

it('releases a rollout that was held in the middle of its hook', () => expectReleased(world));

it('keeps the fields and annotations that it does not know', () => expectKept(world));
