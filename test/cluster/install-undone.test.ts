/**
 * A user deletes the installed objects in the wrong order, while a database is frozen and a rollout is held.
 *
 * @module-tag node
 */
import { afterAll, beforeAll, expect, it } from 'vitest';

import { deployments } from '../../src/kube/resources.ts';
import { executionHooks } from '../../src/lifecycles/snapshot/kinds.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { IMAGES } from './install-image.ts';
import { ACTIONS, type InstallStand, openInstall, SYSTEM } from './install-stand.ts';

/** The node takes 10 to 16 s to remove a pod, and the test removes several pods one after the other. */
const TIMEOUT_MS = 300_000;

let stand: InstallStand;

beforeAll(async () => {
  stand = await openInstall();
  await stand.install(IMAGES.now);
});

afterAll(async () => {
  await stand[Symbol.asyncDispose]();
});

async function freezeAndHold(): Promise<void> {
  const { client, namespace } = stand;
  const actions = ACTIONS.trim().replaceAll(/^/gm, '  ');
  await stand.apply(`
apiVersion: lifehook.dev/v1alpha1
kind: DeploymentLifecycle
metadata: { name: web }
spec:
  deploymentName: web
  recreate:
    pre: { failurePolicy: Abort, execNewPod: { containerName: main, command: ['false'] } }
---
apiVersion: lifehook.dev/v1alpha1
kind: ExecutionHook
metadata: { name: night }
spec:
  podSelector: { matchLabels: { app: db } }
${actions}
`);
  await eventually('it is frozen', () => Promise.resolve(stand.hookLog().includes('freeze')));
  await eventually('the Deployment is gated', async () => {
    const found = await client.get(deployments, { namespace, name: 'web' });
    return found.metadata?.labels?.['lifehook.dev/gated'] !== undefined;
  });
  await stand.kubectl('set', 'env', 'deployment/web', 'VERSION=2');
  await eventually('the rollout is held', async () => {
    const found = await client.get(deployments, { namespace, name: 'web' });
    return found.spec?.paused === true;
  });
}

it(
  'an uninstall without running controllers thaws, releases the rollout and leaves nothing stuck',
  async () => {
    const { client, namespace } = stand;
    await freezeAndHold();
    const reported = await stand.lifehook('uninstall');
    expect(reported.code, reported.stderr).toBe(0);
    expect(reported.stdout).toContain(
      `would clean up: ExecutionHook ${namespace}/night, which holds db-`,
    );
    await stand.remove(IMAGES.now);
    expect(stand.hookLog()).toEqual(['freeze']);
    const held = await client.get(executionHooks, { namespace, name: 'night' });
    expect(held.metadata?.deletionTimestamp).toBeDefined();

    const { code, stdout, stderr } = await stand.lifehook('uninstall', '--yes');
    expect({ code }, `${stdout}${stderr}`).toEqual({ code: 0 });
    expect(stand.hookLog()).toEqual(['freeze', 'thaw']);
    const { spec, metadata } = await client.get(deployments, { namespace, name: 'web' });
    expect(spec?.paused ?? false).toBe(false);
    expect(metadata?.labels ?? {}).not.toHaveProperty(['lifehook.dev/gated']);
    expect(await stand.kubectl('api-resources', '--api-group=lifehook.dev', '-o', 'name')).toBe('');
    await stand.kubectl('set', 'env', 'deployment/web', 'VERSION=3');
    await stand.kubectl('rollout', 'status', 'deployment/web', '--timeout=200s');
    await expect(stand.kubectl('get', 'namespace', SYSTEM)).rejects.toThrow('not found');
  },
  TIMEOUT_MS,
);
