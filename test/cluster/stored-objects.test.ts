/** The controllers of this build on a real cluster, with objects that an earlier release has stored. */
import { afterAll, beforeAll, it } from 'vitest';

import { type ControllerProgram, startController } from '../e2e/controller-program.ts';
import { removeWebhooks } from '../fixtures/rollout-cases/remove-webhooks.ts';
import {
  expectKept,
  expectReleased,
  expectThawed,
  openStoredWorld,
  type StoredWorld,
} from '../fixtures/stored-objects/world.ts';
import { persistentVolumes } from '../../src/kube/resources.ts';
import { HOST } from './parameters.ts';
import { kubeconfigPath, makeNamespace } from './real-cluster.ts';
import { type CaseStand, openCaseStand } from './rollout-case-stand.ts';

const TIMEOUT_MS = 300_000;

let stand: CaseStand;
let world: StoredWorld;
let removeNamespace: () => Promise<void>;
let controller: ControllerProgram;

beforeAll(async () => {
  stand = await openCaseStand();
  const { namespace, remove } = await makeNamespace(stand.client, 'stored');
  removeNamespace = remove;
  // The cluster may have no default StorageClass.
  await stand.client.create(persistentVolumes, {
    metadata: { name: namespace },
    spec: {
      capacity: { storage: '1Mi' },
      accessModes: ['ReadWriteOnce'],
      persistentVolumeReclaimPolicy: 'Retain',
      claimRef: { namespace, name: 'data' },
      hostPath: { path: `/tmp/${namespace}`, type: 'DirectoryOrCreate' },
    },
  });
  world = { ...stand, namespace };
  await openStoredWorld(world);
  const options = ['-n', namespace, '--namespaced', '--webhook-address', `${HOST}:0`];
  controller = await startController({ kubeconfig: kubeconfigPath() }, options);
}, TIMEOUT_MS);

afterAll(async () => {
  await removeNamespace();
  await stand.client.delete(persistentVolumes, { name: world.namespace });
  await controller[Symbol.asyncDispose]();
  await removeWebhooks(stand.client);
  await stand.close();
}, TIMEOUT_MS);

it('thaws what was frozen, and undoes what was in the middle of an attempt', () =>
  expectThawed(world));

it('releases a rollout that was held in the middle of its hook', () => expectReleased(world));

it('keeps the fields and annotations that it does not know', () => expectKept(world));
