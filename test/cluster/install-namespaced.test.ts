/**
 * Lifehook is installed for one namespace: it works there, and does nothing in other namespaces.
 *
 * @module-tag node
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { allPermissions, lifehookDefinitions } from '../../src/cli/install/all-definitions.ts';
import { deployments } from '../../src/kube/resources.ts';
import { deploymentLifecycles, hookRuns } from '../../src/lifecycles/rollout/kinds.ts';
import { executionHooks } from '../../src/lifecycles/snapshot/kinds.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { IMAGES } from './install-image.ts';
import { mayDo, rightsOf, rightsOfEveryAccount, rightText } from './install-rights.ts';
import { ACTIONS, type InstallStand, openInstall } from './install-stand.ts';

let stand: InstallStand;
let account: string;

beforeAll(async () => {
  stand = await openInstall();
  await stand.installHere(IMAGES.now);
  account = `system:serviceaccount:${stand.namespace}:lifehook-controller`;
});

afterAll(async () => {
  await stand[Symbol.asyncDispose]();
});

describe('the controllers of one namespace', () => {
  it('have only cluster-scoped rights outside of their namespace (SNAP-G23)', async () => {
    const everywhere = allPermissions({ timeline: true })
      .filter(({ clusterWide }) => clusterWide === true)
      .flatMap(({ group, resource, verbs }) =>
        verbs.map((verb) => rightText({ group, resource, verb })),
      );
    const others = await rightsOfEveryAccount(stand.client);
    const found = await rightsOf(stand.client, account);
    expect(found).toEqual([...everywhere, ...others].toSorted());
    const right = { group: '', resource: 'pods/exec', verb: 'create' };
    const own = { ...right, namespace: stand.namespace };
    expect(await mayDo(stand.client, account, own)).toBe(true);
    expect(await mayDo(stand.client, account, { ...right, namespace: 'default' })).toBe(false);
  });

  it('freeze and thaw in their namespace', async () => {
    const { client, namespace } = stand;
    await stand.apply(`
apiVersion: lifehook.dev/v1alpha1
kind: ExecutionHook
metadata: { name: night }
spec:
  podSelector: { matchLabels: { app: db } }
${ACTIONS.trim().replaceAll(/^/gm, '  ')}
`);
    await eventually('it is frozen', () => Promise.resolve(stand.hookLog().includes('freeze')));
    await client.delete(executionHooks, { namespace, name: 'night' });
    await eventually('it is thawed', () => Promise.resolve(stand.hookLog().includes('thaw')));
  });

  it('gate a rollout without a webhook, as PausedAtRest', async () => {
    const { client, namespace } = stand;
    const key = { namespace, name: 'web' };
    await stand.apply(`
apiVersion: lifehook.dev/v1alpha1
kind: DeploymentLifecycle
metadata: { name: web }
spec:
  deploymentName: web
  gate: PausedAtRest
  recreate:
    pre: { execNewPod: { containerName: main, command: ['true'] } }
`);
    await eventually('it rests paused', async () => {
      const { spec } = await client.get(deployments, key);
      return spec?.paused === true;
    });
    await stand.kubectl('set', 'env', 'deployment/web', 'VERSION=2');
    const look = async (): Promise<unknown> => {
      const { items } = await client.list(hookRuns, { namespace });
      const { status } = await client.get(deploymentLifecycles, key);
      return items.length === 1 && status?.rollout?.phase === 'Done';
    };
    await eventually('the hook has run, and the rollout is over', look, 90);
  });

  it('are uninstalled without the custom kinds, which other installations use', async () => {
    const own = ['--namespaced', '--namespace', stand.namespace];
    const { code, stdout, stderr } = await stand.lifehook('uninstall', '--yes', ...own);
    expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' });
    const { spec } = await stand.client.get(deployments, {
      namespace: stand.namespace,
      name: 'web',
    });
    expect(spec?.paused ?? false).toBe(false);
    const kinds = await stand.kubectl('api-resources', '--api-group=lifehook.dev', '-o', 'name');
    expect(kinds.trim().split('\n')).toHaveLength(lifehookDefinitions().length);
    expect(await stand.kubectl('get', 'serviceaccounts', '-o', 'name')).not.toContain('lifehook');
  });
});
