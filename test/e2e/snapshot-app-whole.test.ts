/**
 * The whole snapshot lifecycle on the local cluster: provisioned claims, real containers, both controllers, and the
 * project's snapshotter.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { CustomResourceDefinition } from 'kubernetes-types/apiextensions/v1.js';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { EventRecorder } from '../../src/controller/event-recorder.ts';
import { runManager } from '../../src/controller/manager.ts';
import { SharedInformers } from '../../src/controller/shared-informers.ts';
import { watchCluster } from '../../src/controller/watch-cluster.ts';
import { execInPod, openExec } from '../../src/kube/exec.ts';
import {
  customResourceDefinitions,
  persistentVolumeClaims,
  pods,
} from '../../src/kube/resources.ts';
import { contents, snapshots } from '../../src/kube/snapshots.ts';
import { makeSnapshotController } from '../../src/lifecycles/snapshot/app/drive.ts';
import type { SnapshotContext } from '../../src/lifecycles/snapshot/context.ts';
import { makeHookController } from '../../src/lifecycles/snapshot/hook/hook-controller.ts';
import {
  applicationSnapshots,
  type ApplicationSnapshotSpec,
  type ApplicationSnapshotStatus,
  executionHooks,
  executionHookTemplates,
} from '../../src/lifecycles/snapshot/kinds.ts';
import { CLAIM_HOOKS } from '../../src/lifecycles/snapshot/names.ts';
import { snapshotDefinitions } from '../../src/lifecycles/snapshot/schema/definitions.ts';
import { nodePlatform as platform } from '../../src/platform/node-platform.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { type ClusterStand, openCluster } from './cluster-stand.ts';

const namespace = 'default';
const labels = { app: 'db' };
let cluster: ClusterStand;
const stopping = new AbortController();
let running: Promise<void>;

beforeAll(async () => {
  cluster = await openCluster('--runner', 'process');
  const { client } = cluster;
  for (const definition of snapshotDefinitions()) {
    const made = definition as unknown as CustomResourceDefinition;
    await client.create(customResourceDefinitions, made);
  }
  await eventually('the kinds are served', async () => {
    try {
      return [await client.list(executionHooks), await client.list(applicationSnapshots)];
    } catch {
      return null;
    }
  });
  running = runControllers();
  // A freeze creates a mark on each volume, and the thaw removes it. So a snapshot shows whether its volume was frozen.
  const on = (what: string): string[] => {
    const volumes = '"$LIFEHOOK_VOLUME_DATA/frozen" "$LIFEHOOK_VOLUME_LOG/frozen"';
    return ['sh', '-c', `${what} ${volumes}`];
  };
  await client.create(executionHookTemplates, {
    metadata: { name: 'mark', namespace },
    preAction: { exec: { command: on('touch') } },
    postAction: { exec: { command: on('rm') } },
    probe: { exec: { command: ['sh', '-c', 'test -e "$LIFEHOOK_VOLUME_DATA/frozen"'] } },
    expirationSeconds: 60,
  });
  await makeDatabase();
});

afterAll(async () => {
  stopping.abort();
  await running;
  await cluster[Symbol.asyncDispose]();
});

async function runControllers(): Promise<void> {
  const { client, connection } = cluster;
  const informers = new SharedInformers({ watch: watchCluster(connection) });
  const { random } = connection;
  const access = {
    exec: (options: Parameters<typeof execInPod>[1]) => execInPod(connection, options),
    openExec: (options: Parameters<typeof openExec>[1]) => openExec(connection, options),
    network: platform.network,
  };
  const context: SnapshotContext = {
    client,
    informers,
    scope: {},
    recorder: new EventRecorder({ client, component: 'lifehook', platform, random }),
    platform,
    random,
    freezing: access,
    thawing: access,
    observe: () => {},
    observeController: () => {},
  };
  const controllers = [makeHookController(context), makeSnapshotController(context)];
  await runManager({ informers, controllers, election: null, signal: stopping.signal });
}

async function makeDatabase(): Promise<void> {
  const { client } = cluster;
  for (const name of ['data', 'log']) {
    await client.create(persistentVolumeClaims, {
      metadata: { name, namespace, labels },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    });
  }
  await client.create(pods, {
    metadata: { name: 'db-0', namespace },
    spec: {
      terminationGracePeriodSeconds: 0,
      containers: [
        {
          name: 'db',
          image: 'none',
          command: ['sh', '-c', 'while :; do sleep 1000; done'],
          volumeMounts: ['data', 'log'].map((name) => ({ name, mountPath: name })),
        },
      ],
      volumes: ['data', 'log'].map((name) => ({
        name,
        persistentVolumeClaim: { claimName: name },
      })),
    },
  });
  await eventually('the database runs', async () => {
    const { status } = await client.get(pods, { namespace, name: 'db-0' });
    return status?.containerStatuses?.[0]?.state?.running;
  });
}

async function take(
  name: string,
  spec: ApplicationSnapshotSpec,
): Promise<ApplicationSnapshotStatus> {
  const { client } = cluster;
  await client.create(applicationSnapshots, { metadata: { name, namespace }, spec });
  return eventually(`${name} is over`, async () => {
    const { status } = await client.get(applicationSnapshots, { namespace, name });
    return status?.completedAt === undefined ? null : status;
  });
}

/** For each volume: whether its snapshot shows a frozen state. */
async function areFrozen({ volumes = [] }: ApplicationSnapshotStatus): Promise<boolean[]> {
  const { client } = cluster;
  return Promise.all(
    volumes.map(async ({ volumeSnapshotName: name = '' }) => {
      const { status } = await client.get(snapshots, { namespace, name });
      const content = status?.boundVolumeSnapshotContentName ?? '';
      const cut = await client.get(contents, { name: content });
      return existsSync(join(cut.status?.snapshotHandle ?? '', 'frozen'));
    }),
  );
}

/** Expects the verdict: a copy that is made file by file is not trusted, even if its hooks succeeded. */
function expectVerdict({ volumes = [], hooks = [], ...status }: ApplicationSnapshotStatus): void {
  const isAtomic = volumes.every(({ atomic }) => atomic === true);
  const expected = isAtomic
    ? { value: 'ApplicationConsistent', reason: 'FrozenAtCut' }
    : { value: 'Inconsistent', reason: 'NotAtomic' };
  expect(status.verdict).toMatchObject(expected);
  expect(hooks).toMatchObject([
    {
      preActionSucceed: true,
      postActionSucceed: true,
      releaseCause: 'Cut',
      targets: [
        {
          podName: 'db-0',
          containerName: 'db',
          identity: 'Same',
          thawedBy: 'post',
          probes: [
            { when: 'AfterFreeze', outcome: 'Frozen' },
            { when: 'AfterCut', outcome: 'Frozen' },
          ],
        },
      ],
    },
  ]);
  expect(hooks[0]?.finding).toBeUndefined();
  expect(status.verdict?.freezeWindowMs).toBeGreaterThan(0);
}

const executionHookInfos = [{ executionHookTemplateName: 'mark' }];

it('cuts two volumes while they are frozen, and thaws them', async () => {
  const source = { persistentVolumeClaimNames: ['data', 'log'] };
  const status = await take('single', { source, executionHookInfos });
  expect(status.phase).toBe('Completed');
  expect(await areFrozen(status)).toEqual([true, true]);
  expectVerdict(status);
  await eventually('its hook is deleted', async () => {
    const { items } = await cluster.client.list(executionHooks, { namespace });
    return items.length === 0;
  });
});

it('cuts a group while it is frozen', async () => {
  const source = { selector: { matchLabels: labels } };
  const status = await take('group', { source, mode: 'Group', executionHookInfos });
  expect(status.phase).toBe('Completed');
  expect(await areFrozen(status)).toEqual([true, true]);
  expectVerdict(status);
});

it('runs the hooks that a claim names in its annotation', async () => {
  const { client } = cluster;
  const annotations = { [CLAIM_HOOKS]: '- executionHookTemplateName: mark\n' };
  const body = { metadata: { annotations } };
  await client.patch(persistentVolumeClaims, { namespace, name: 'data' }, { type: 'merge', body });
  const source = { persistentVolumeClaimNames: ['data'] };
  const status = await take('claimed', { source });
  expect(await areFrozen(status)).toEqual([true]);
  expectVerdict(status);
});

it('cuts unfrozen data without hooks, and is not ApplicationConsistent', async () => {
  const source = { persistentVolumeClaimNames: ['log'] };
  const status = await take('bare', { source });
  expect(await areFrozen(status)).toEqual([false]);
  expect(status.executionHookNames).toEqual([]);
  expect(status.verdict?.value).not.toBe('ApplicationConsistent');
});
