/** One snapshot as a user takes it: `lifehook up`, a pod with a volume, and `lifehook snapshot create`. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { pods } from '../../src/kube/resources.ts';
import { snapshots } from '../../src/kube/snapshots.ts';
import { applicationSnapshots, executionHooks } from '../../src/lifecycles/snapshot/kinds.ts';
import { type ClusterStand, type Ended, openWholeCluster, run } from '../e2e/cluster-stand.ts';
import { podLog } from '../e2e/pod-log.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { applyManifest } from '../fixtures/apply-manifest.ts';

const PATIENCE_S = 60;
const NAMESPACE = 'default';
const JOURNAL = '"$LIFEHOOK_VOLUME_DATA/journal"';

/**
 * Each freeze and thaw appends one line to a file on the volume, so that a copy shows which of them ran before it. A
 * freeze that fails is retried until its timeout.
 */
const APP = `
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Mi } } }
---
apiVersion: v1
kind: Pod
metadata: { name: db }
spec:
  terminationGracePeriodSeconds: 0
  containers:
    - name: db
      image: none
      command: [sh, -c, 'while :; do sleep 1; done']
      volumeMounts: [{ name: data, mountPath: data }]
  volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
---
apiVersion: lifehook.dev/v1alpha1
kind: ExecutionHookTemplate
metadata: { name: freeze }
preAction: { exec: { command: [sh, -c, 'echo freeze >>${JOURNAL}'] } }
postAction: { exec: { command: [sh, -c, 'echo thaw >>${JOURNAL}'] } }
probe: { exec: { command: [sh, -c, 'test "$(tail -n 1 ${JOURNAL})" = freeze'] } }
---
apiVersion: lifehook.dev/v1alpha1
kind: ExecutionHookTemplate
metadata: { name: refuse }
preAction:
  exec: { command: [sh, -c, 'echo refuse >>${JOURNAL}; exit 7'] }
  actionTimeoutSeconds: 2
postAction: { exec: { command: [sh, -c, 'echo undo >>${JOURNAL}'] } }
`;

const restored = (snapshot: string): string => `
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: restored }
spec:
  accessModes: [ReadWriteOnce]
  resources: { requests: { storage: 1Mi } }
  dataSource: { apiGroup: snapshot.storage.k8s.io, kind: VolumeSnapshot, name: ${snapshot} }
`;

let cluster: ClusterStand;

beforeAll(async () => {
  cluster = await openWholeCluster('--runner', 'process');
  await applyManifest(cluster.client, APP);
  await untilPhase('db', 'Running');
});

afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
});

async function untilPhase(name: string, phase: string): Promise<void> {
  const look = async (): Promise<boolean> =>
    (await cluster.client.get(pods, { namespace: NAMESPACE, name })).status?.phase === phase;
  await eventually(`pod ${name} is ${phase}`, look, PATIENCE_S);
}

function create(name: string, template: string): Promise<Ended> {
  const program = process.env['LIFEHOOK_TEST_PROGRAM'] ?? 'dist/lifehook.js';
  const options = ['--claim', 'data', '--template', template, '--kubeconfig', cluster.kubeconfig];
  return run(process.execPath, [program, 'snapshot', 'create', name, ...options]);
}

let readers = 0;

/** The log on the volume of a claim, read by a separate pod. */
async function journalOf(claim: string): Promise<string> {
  readers += 1;
  const name = `reader-${readers}`;
  const container = {
    name: 'main',
    image: 'none',
    command: ['sh', '-c', `cat ${JOURNAL}`],
    volumeMounts: [{ name: 'data', mountPath: 'data' }],
  };
  await cluster.client.create(pods, {
    metadata: { name, namespace: NAMESPACE },
    spec: {
      restartPolicy: 'Never',
      containers: [container],
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: claim } }],
    },
  });
  await untilPhase(name, 'Succeeded');
  return podLog(cluster.connection, { namespace: NAMESPACE, pod: name, container: 'main' });
}

describe('a snapshot of the local cluster', () => {
  it('copies the volume between the freeze and the thaw, and prints its verdict', async () => {
    const { code, stdout, stderr } = await create('nightly', 'freeze');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    // A directory may be copied file by file; then the snapshotter proves that nothing changed meanwhile.
    expect(stdout).toContain('verdict   ApplicationConsistent (FrozenAtCut)');
    expect(stdout).toMatch(/db +db +yes +post +AfterFreeze=Frozen AfterCut=Frozen/u);
    expect(await journalOf('data')).toBe('freeze\nthaw\n');
    const key = { namespace: NAMESPACE, name: 'nightly' };
    const { status } = await cluster.client.get(applicationSnapshots, key);
    expect(status?.phase).toBe('Completed');
    await applyManifest(
      cluster.client,
      restored(status?.volumes?.[0]?.volumeSnapshotName ?? 'none'),
    );
    expect(await journalOf('restored')).toBe('freeze\n');
  });

  it('fails and thaws without a volume snapshot when the freeze fails', async () => {
    const before = await cluster.client.list(snapshots, { namespace: NAMESPACE });
    const { code, stdout } = await create('broken', 'refuse');
    expect(code).toBe(1);
    expect(stdout).toContain('PreActionFailed');
    expect(await journalOf('data')).toMatch(/\nrefuse\n([^]*\n)?undo\n$/u);
    const after = await cluster.client.list(snapshots, { namespace: NAMESPACE });
    expect(after.items.length).toBe(before.items.length);
    const { items } = await cluster.client.list(executionHooks, { namespace: NAMESPACE });
    expect(items.every(({ status }) => status?.postActionSucceed === true)).toBe(true);
  });
});
