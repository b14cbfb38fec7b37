/** Tests restores of a real SQLite database on the local cluster. The check of its recipe verifies them. */
import { afterAll, beforeAll, expect, it } from 'vitest';

import { deployments } from '../../src/kube/resources.ts';
import { type ClusterStand, type Ended, openWholeCluster, run } from '../e2e/cluster-stand.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { applyManifest } from '../fixtures/apply-manifest.ts';

const PATIENCE_S = 120;

/** `whole` has a sound database. In `torn`, the middle of the same database is overwritten. */
const app = (name: string, tear: string): string => `
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: ${name} }
spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 10Mi } } }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name} }
spec:
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec:
      terminationGracePeriodSeconds: 0
      containers:
        - name: main
          image: none
          command:
            - sh
            - -ec
            - |
              sqlite3 data/shop.db 'CREATE TABLE t (a TEXT PRIMARY KEY) WITHOUT ROWID;
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
                INSERT INTO t SELECT hex(randomblob(16)) FROM n;'
              ${tear}
              touch ready
              while :; do sleep 1; done
          readinessProbe: { exec: { command: [test, -e, ready] }, periodSeconds: 1 }
          volumeMounts: [{ name: data, mountPath: data }]
      volumes: [{ name: data, persistentVolumeClaim: { claimName: ${name} } }]
`;
const TEAR = 'dd if=/dev/urandom of=data/shop.db bs=4096 seek=10 count=20 conv=notrunc 2>/dev/null';

let cluster: ClusterStand;

beforeAll(async () => {
  cluster = await openWholeCluster('--runner', 'process');
  await applyManifest(cluster.client, app('whole', 'true'));
  await applyManifest(cluster.client, app('torn', TEAR));
  for (const name of ['whole', 'torn']) {
    await eventually(`${name} is ready`, () => isReady(name), PATIENCE_S);
    expect((await lifehook('snapshot', 'create', name, '--claim', name)).code).toBe(0);
  }
});

afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
});

async function isReady(name: string): Promise<boolean> {
  const { status } = await cluster.client.get(deployments, { namespace: 'default', name });
  return status?.readyReplicas === 1;
}

function lifehook(...args: readonly string[]): Promise<Ended> {
  const program = process.env['LIFEHOOK_TEST_PROGRAM'] ?? 'dist/lifehook.js';
  return run(process.execPath, [program, ...args, '--kubeconfig', cluster.kubeconfig]);
}

function rehearse(name: string, parameters: string): Promise<Ended> {
  const accepted = ['--scratch', '--require', 'CrashConsistent'];
  const check = ['--verify', `sqlite-lock,${parameters}`, '--image', 'none'];
  return lifehook('snapshot', 'restore', name, ...accepted, ...check);
}

it('passes for a database that is whole (SNAP-V11)', async () => {
  const { code, stdout } = await rehearse('whole', 'file=shop.db');
  expect(stdout).toContain('verified  Passed');
  expect(code).toBe(0);
});

it('fails for a database whose pages are damaged', async () => {
  const { code, stdout } = await rehearse('torn', 'file=shop.db');
  expect(stdout).toContain('verified  Failed');
  expect(code).toBe(3);
});
