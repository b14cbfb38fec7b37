/**
 * `lifehook uninstall` on a cluster whose controllers were deleted and left finalizers.
 * @module-tag kubectl
 */
import { resolve } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { getOrNull } from '../../src/kube/get-or-null.ts';
import { customResourceDefinitions, deployments, namespaces } from '../../src/kube/resources.ts';
import { snapshots } from '../../src/kube/snapshots.ts';
import { deploymentLifecycles } from '../../src/lifecycles/rollout/kinds.ts';
import { templateDigest } from '../../src/lifecycles/rollout/template-digest.ts';
import { applicationSnapshots, executionHooks } from '../../src/lifecycles/snapshot/kinds.ts';
import { type ClusterStand, type Ended, openCluster, run } from './cluster-stand.ts';
import { installKinds } from './controller-program.ts';

const PROGRAM = resolve(process.env['LIFEHOOK_TEST_PROGRAM'] ?? 'dist/lifehook.js');
const namespace = 'default';

/**
 * Held Deployments whose lifecycles have no controller: one before its first release, and two with an older released
 * template.
 */
const HELD = `
apiVersion: lifehook.dev/v1alpha1
kind: DeploymentLifecycle
metadata: { name: web, finalizers: [lifehook.dev/deployment-lifecycle] }
spec:
  deploymentName: web
  recreate: { pre: { execNewPod: { containerName: main, command: ['true'] } } }
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  labels: { lifehook.dev/gated: 'true' }
  annotations: { lifehook.dev/rollout: '1', lifehook.dev/released: '0' }
spec:
  replicas: 0
  paused: true
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: main, image: none, command: [sleep, '9'] }] }
${overReleased('api', 'Restore')}
${overReleased('cart', 'Release')}
---
apiVersion: lifehook.dev/v1alpha1
kind: ExecutionHook
metadata: { name: foreign, finalizers: [example.com/keeper] }
spec:
  podSelector: { matchLabels: { app: web } }
  onNoTarget: Ignore
  preAction: { exec: { command: ['true'] } }
  postAction: { exec: { command: ['true'] } }
---
apiVersion: v1
kind: Namespace
metadata: { name: lifehook-system }
`;

function overReleased(name: string, onDelete: string): string {
  return `---
apiVersion: lifehook.dev/v1alpha1
kind: DeploymentLifecycle
metadata: { name: ${name}, finalizers: [lifehook.dev/deployment-lifecycle] }
spec:
  deploymentName: ${name}
  onDelete: ${onDelete}
  recreate: { pre: { execNewPod: { containerName: main, command: ['true'] } } }
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
  labels: { lifehook.dev/gated: 'true' }
  annotations: { lifehook.dev/rollout: '2', lifehook.dev/released: '1' }
spec:
  replicas: 0
  paused: true
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec: { containers: [{ name: main, image: 'unreleased:2', command: [sleep, '9'] }] }`;
}

/** Records the previous rollout in the lifecycle, as the controller would have done. */
async function recordReleased(name: string): Promise<void> {
  const containers = [{ name: 'main', image: 'released:1', command: ['sleep', '9'] }];
  const template = { metadata: { labels: { app: name } }, spec: { containers } };
  const released = { number: 1, digest: templateDigest(template), template };
  const body = { status: { released } };
  const key = { namespace, name };
  await cluster.client.patch(deploymentLifecycles, key, {
    type: 'merge',
    subresource: 'status',
    body,
  });
}

let cluster: ClusterStand;

const uninstall = (...args: readonly string[]): Promise<Ended> =>
  run(process.execPath, [PROGRAM, 'uninstall', '--kubeconfig', cluster.kubeconfig, ...args]);

beforeAll(async () => {
  cluster = await openCluster();
  await installKinds(cluster);
  const { code, stderr } = await cluster.apply(HELD);
  expect(code, stderr).toBe(0);
  await recordReleased('api');
  await recordReleased('cart');
  await makeSnapshots();
});

afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
});

/** Creates a completed snapshot with its VolumeSnapshots. */
async function makeSnapshots(): Promise<void> {
  const { client } = cluster;
  const key = { namespace, name: 'night' };
  const made = await client.create(applicationSnapshots, {
    metadata: { ...key, finalizers: ['lifehook.dev/application-snapshot'] },
    spec: { source: { persistentVolumeClaimNames: ['data'] } },
  });
  const body = { status: { completedAt: '2026-01-01T00:00:00.000000Z' } };
  await client.patch(applicationSnapshots, key, { type: 'merge', subresource: 'status', body });
  const owner = {
    apiVersion: 'lifehook.dev/v1alpha1',
    kind: 'ApplicationSnapshot',
    name: 'night',
    uid: made.metadata?.uid ?? '',
  };
  await client.create(snapshots, {
    metadata: {
      namespace,
      name: 'cut',
      labels: { 'lifehook.dev/application-snapshot': 'night' },
      ownerReferences: [owner],
    },
    spec: { source: { persistentVolumeClaimName: 'data' } },
  });
}

async function imageOf(name: string): Promise<object> {
  const { spec, metadata } = await cluster.client.get(deployments, { namespace, name });
  const image = spec?.template.spec?.containers[0]?.image;
  return { image, paused: spec?.paused ?? false, labels: metadata?.labels ?? {} };
}

describe('lifehook uninstall', () => {
  it('without --yes lists what it would delete and what runs afterwards, and does nothing', async () => {
    const { code, stdout } = await uninstall();
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^afterwards: Deployment default\/web: rollout 1 \(.*\) stays paused, /mu,
    );
    const released = await uninstall('--release-held');
    expect(released.stdout).toMatch(/^afterwards: Deployment default\/web: .* without its hooks/mu);
    expect(stdout).toContain('would clean up: DeploymentLifecycle default/web\n');
    expect(stdout).toContain('would clean up: Deployment default/web, whose rollout is held\n');
    expect(stdout).toContain('Nothing was done.');
    const web = await cluster.client.get(deployments, { namespace, name: 'web' });
    expect(web.spec?.paused).toBe(true);
  });

  it('names an object that a foreign finalizer blocks, keeps the kinds, and can be run again', async () => {
    const { client } = cluster;
    // On a busy machine 3 s can be too short for the deletion of the other objects: then the test tries again with more
    // time.
    const lefts: string[] = [];
    for (const seconds of [3, 10, 30, 90]) {
      const { code, stderr } = await uninstall('--yes', '--timeout', String(seconds));
      expect({ code }, stderr).toEqual({ code: 124 });
      expect(stderr).toContain('LHK040');
      lefts.push(/ longer than \d+ s; still left: .*? Next: /u.exec(stderr)?.[0] ?? '');
      if (!/; /u.test(lefts.at(-1)?.split('still left: ')[1] ?? '; ')) break;
    }
    expect(lefts.at(-1)).toMatch(/ s; still left: ExecutionHook default\/foreign\. Next: $/u);
    const key = { namespace, name: 'foreign' };
    const body = { metadata: { finalizers: [] } };
    await client.patch(executionHooks, key, { type: 'merge', body });
  });

  it('restores what is held and deletes the kinds when no controller runs, and keeps volume snapshots', async () => {
    const { client } = cluster;
    const { code, stdout, stderr } = await uninstall('--yes', '--timeout', '120');
    expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' });
    expect(await imageOf('web')).toEqual({ image: 'none', paused: true, labels: {} });
    expect(await imageOf('api')).toEqual({ image: 'released:1', paused: false, labels: {} });
    expect(await imageOf('cart')).toEqual({ image: 'unreleased:2', paused: false, labels: {} });
    const cut = await client.get(snapshots, { namespace, name: 'cut' });
    expect(cut.metadata?.ownerReferences ?? []).toEqual([]);
    const { items } = await client.list(customResourceDefinitions);
    const kinds = items.map(({ metadata }) => metadata?.name ?? '');
    expect(kinds.filter((name) => name.endsWith('.lifehook.dev'))).toEqual([]);
    expect(kinds).toContain('volumesnapshots.snapshot.storage.k8s.io');
  });

  it('keeps a namespace that it has not created, and can be run again', async () => {
    const again = await uninstall('--yes');
    expect(again.stdout).toBe('Removed: nothing was there\n');
    expect(again.code).toBe(0);
    const found = await getOrNull(cluster.client, namespaces, { name: 'lifehook-system' });
    expect(found).not.toBeNull();
  });
});
