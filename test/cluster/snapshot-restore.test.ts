/**
 * Restores a StatefulSet on a real cluster from snapshots of its CSI driver. The cases: the same names, a controller
 * that is killed in between, and a rehearsal.
 */
import type { StatefulSet } from 'kubernetes-types/apps/v1.js';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

import type { Resource } from '../../src/kube/object.ts';
import { makeResource, persistentVolumeClaims, pods } from '../../src/kube/resources.ts';
import { executionHookTemplates } from '../../src/lifecycles/snapshot/kinds.ts';
import {
  type SnapshotRestore,
  snapshotRestores,
} from '../../src/lifecycles/snapshot/restore/kinds.ts';
import { type Ended, run } from '../e2e/cluster-stand.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { requireServed } from '../needs.ts';
import { type GuardStand, openGuardStand, PATIENCE_SECONDS } from './guard-stand.ts';
import { BASE_IMAGE } from './parameters.ts';
import { kubeconfigPath } from './real-cluster.ts';

const statefulSets: Resource<StatefulSet> = makeResource({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
});
const REPLICAS = 2;
const CLAIMS = ['data-db-0', 'data-db-1'];
const TEMPLATE = 'freeze';
const LABELS = { app: 'db' };
/** Succeeds in a copy that was cut during the freeze. A copy without this file was cut before or after it. */
const IS_FROZEN = 'test -e "$LIFEHOOK_PATH/frozen"';

let stand: GuardStand | null = null;

beforeAll(async () => {
  stand = await openGuardStand('restored');
  if (stand === null) return;
  const { cluster, namespace } = stand;
  await cluster.client.create(executionHookTemplates, {
    metadata: { namespace, name: TEMPLATE },
    preAction: { exec: { command: sh('touch /data/frozen') } },
    postAction: { exec: { command: sh('rm /data/frozen') } },
    probe: { exec: { command: sh('test -e /data/frozen') } },
  });
  await cluster.client.create(statefulSets, database(stand));
  await eventually('the database runs', isRunning, PATIENCE_SECONDS);
  const claims = CLAIMS.flatMap((claim) => ['--claim', claim]);
  const made = await lifehook('snapshot', 'create', 'nightly', ...claims, '--template', TEMPLATE);
  expect(made).toMatchObject({ code: 0 });
}, 300_000);

afterAll(async () => {
  await stand?.[Symbol.asyncDispose]();
}, 300_000);

beforeEach((context) => {
  requireServed(
    context,
    stand !== null,
    'a StorageClass and a VolumeSnapshotClass of one CSI driver',
  );
});

function here(): GuardStand {
  if (stand === null) throw new Error('there is no stand without a CSI driver');
  return stand;
}

it('creates the claims of a StatefulSet again, under their names, and starts it', async () => {
  await inPod('db-0', 'echo lost >/data/later');
  await deleteClaims();
  const names = CLAIMS.flatMap((claim) => ['--claim', `${claim}=${claim}`]);
  const check = ['--image', BASE_IMAGE, '--command', IS_FROZEN];
  const { code, stdout, stderr } = await restore('nightly', ...names, ...stopping(), ...check);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('verified  Passed');
  await eventually('the database runs again', isRunning, PATIENCE_SECONDS);
  expect(await inPod('db-0', 'cat /data/orders; ls /data')).toBe(
    'orders of db-0\nfrozen\norders\n',
  );
  expect(await inPod('db-1', 'cat /data/orders')).toBe('orders of db-1\n');
  for (const name of CLAIMS) expect(await labelsOf(name)).toMatchObject(LABELS);
});

it('continues a restore whose controller is killed after the database was stopped', async () => {
  // SNAP-V17: Kubernetes deletes these claims although an ended pod of the restore before has mounted them.
  await deleteClaims();
  const { cluster, namespace } = here();
  await cluster.client.create(snapshotRestores, {
    metadata: { namespace, name: 'killed' },
    spec: {
      source: { applicationSnapshotName: 'nightly' },
      claims: CLAIMS.map((name) => ({ sourceClaimName: name, claimName: name })),
      preRestore: [{ name: 'stop', scale: { kind: 'StatefulSet', name: 'db' } }],
      postRestore: [
        {
          name: 'mark',
          pod: { image: BASE_IMAGE, command: sh('echo x >>"$LIFEHOOK_PATH/marks"') },
        },
      ],
    },
  });
  await restoreOf('killed', ({ status }) => status?.scaled !== undefined);
  await here().controller().kill();
  await here().startController();
  const { status } = await restoreOf('killed', isOver);
  expect([status?.phase, status?.failure]).toEqual(['Completed', undefined]);
  await eventually('the database runs again', isRunning, PATIENCE_SECONDS);
  expect(await inPod('db-0', 'cat /data/marks')).toBe('x\n');
});

it('deletes the claims and pods of a rehearsal, and reports a check that fails', async () => {
  const check = ['--scratch', '--image', BASE_IMAGE, '--command'];
  const before = await claimNames();
  expect(await restore('nightly', ...check, IS_FROZEN)).toMatchObject({ code: 0 });
  const bad = await restore('nightly', ...check, 'echo "no orders" >&2; exit 1');
  expect(bad.code).toBe(3);
  expect(bad.stderr).toContain('no orders');
  await eventually(
    'their claims are deleted',
    async () => (await claimNames()).join() === before.join(),
  );
  await eventually('their pods are deleted', async () => {
    const { items } = await here().cluster.client.list(pods, { namespace: here().namespace });
    return items.every(({ metadata }) => metadata?.labels?.['app'] === LABELS.app);
  });
});

it('refuses a snapshot without hooks, and leaves the database running', async () => {
  const [claim = ''] = CLAIMS;
  expect(await lifehook('snapshot', 'create', 'crash', '--claim', claim)).toMatchObject({
    code: 0,
  });
  const before = await claimNames();
  const { code, stderr } = await restore('crash', '--claim', `${claim}=copy`, ...stopping());
  expect(code).toBe(5);
  expect(stderr).toContain('ApplicationConsistent is required');
  expect(await claimNames()).toEqual(before);
  expect(await isRunning()).toBe(true);
});

function database({ namespace, csi }: GuardStand): StatefulSet {
  const write = 'test -e /data/orders || echo "orders of $HOSTNAME" >/data/orders';
  return {
    metadata: { namespace, name: 'db' },
    spec: {
      replicas: REPLICAS,
      serviceName: 'db',
      podManagementPolicy: 'Parallel',
      selector: { matchLabels: LABELS },
      template: {
        metadata: { labels: LABELS },
        spec: {
          terminationGracePeriodSeconds: 0,
          automountServiceAccountToken: false,
          containers: [
            {
              name: 'db',
              image: BASE_IMAGE,
              imagePullPolicy: 'IfNotPresent',
              command: sh(`${write}; while :; do sleep 1; done`),
              volumeMounts: [{ name: 'data', mountPath: '/data' }],
            },
          ],
        },
      },
      volumeClaimTemplates: [
        {
          metadata: { name: 'data' },
          spec: {
            accessModes: ['ReadWriteOnce'],
            storageClassName: csi.storageClassName,
            resources: { requests: { storage: '1Gi' } },
          },
        },
      ],
    },
  };
}

async function isRunning(): Promise<boolean> {
  const { cluster, namespace } = here();
  const { metadata, status } = await cluster.client.get(statefulSets, { namespace, name: 'db' });
  // An older status counts the pods from before the restore.
  const isCurrent = status?.observedGeneration === metadata?.generation;
  return isCurrent && status?.readyReplicas === REPLICAS;
}

function stopping(): readonly string[] {
  return ['--stop', 'statefulset/db'];
}

function sh(line: string): string[] {
  return ['sh', '-c', line];
}

function lifehook(...args: readonly string[]): Promise<Ended> {
  const program = process.env['LIFEHOOK_TEST_PROGRAM'] ?? 'dist/lifehook.js';
  const where = ['--kubeconfig', kubeconfigPath(), '-n', here().namespace];
  return run(process.execPath, [program, ...args, ...where]);
}

const restore = (...args: readonly string[]): Promise<Ended> =>
  lifehook('snapshot', 'restore', ...args);

/** Starts to delete the claims. Does not wait, since Kubernetes keeps the claims while a pod uses them. */
async function deleteClaims(): Promise<void> {
  const ended = await here().kubectl(['delete', 'pvc', ...CLAIMS, '--wait=false']);
  expect(ended).toMatchObject({ code: 0 });
}

/** Runs a shell line in a pod of the database, and returns its stdout. */
async function inPod(pod: string, line: string): Promise<string> {
  const { code, stdout, stderr } = await here().kubectl(['exec', pod, '--', ...sh(line)]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

async function claimNames(): Promise<readonly string[]> {
  const { cluster, namespace } = here();
  const { items } = await cluster.client.list(persistentVolumeClaims, { namespace });
  return items.map(({ metadata }) => metadata?.name ?? '').toSorted();
}

async function labelsOf(name: string): Promise<unknown> {
  const { cluster, namespace } = here();
  const { metadata } = await cluster.client.get(persistentVolumeClaims, { namespace, name });
  return metadata?.labels;
}

const isOver = ({ status }: SnapshotRestore): boolean => status?.completedAt !== undefined;

function restoreOf(
  name: string,
  is: (found: SnapshotRestore) => boolean,
): Promise<SnapshotRestore> {
  const { cluster, namespace } = here();
  return eventually(
    `the restore ${name} gets on`,
    async () => {
      const found = await cluster.client.get(snapshotRestores, { namespace, name });
      return is(found) && found;
    },
    PATIENCE_SECONDS,
  );
}
