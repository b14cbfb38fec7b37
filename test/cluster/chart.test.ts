/**
 * The chart on a real cluster with the real Helm: install, test, upgrade, rollback, uninstall and install again.
 *
 * @module-tag node
 * @module-tag helm
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { deployments, pods } from '../../src/kube/resources.ts';
import { deploymentLifecycles, hookRuns } from '../../src/lifecycles/rollout/kinds.ts';
import { executionHooks } from '../../src/lifecycles/snapshot/kinds.ts';
import { type Ended, run } from '../e2e/cluster-stand.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { pathOf } from '../needs.ts';
import { IMAGES } from './install-image.ts';
import { ACTIONS, type InstallStand, openInstall, SYSTEM } from './install-stand.ts';
import { kubeconfigPath } from './real-cluster.ts';

const CHART = ['lifehook', 'deploy/chart'];
const WAIT = ['--wait', '--timeout', '200s'];
const PATIENCE_SECONDS = 120;
const KINDS = ['get', 'customresourcedefinitions', '-o', 'name'];

let stand: InstallStand;

beforeAll(async () => {
  stand = await openInstall();
  // Other suites leave the custom resource definitions behind. Helm refuses to install over objects that it does not
  // own.
  const { code, stderr } = await stand.lifehook('uninstall', '--yes');
  expect(code, stderr).toBe(0);
});

afterAll(async () => {
  await helm('uninstall', 'lifehook', '--ignore-not-found', '--no-hooks');
  await stand[Symbol.asyncDispose]();
});

/** Runs helm. Also resolves if helm fails. */
function helm(...args: readonly string[]): Promise<Ended> {
  const where = ['--kubeconfig', kubeconfigPath(), '--namespace', SYSTEM];
  return run(pathOf('helm') ?? 'helm', [...args, ...where]);
}

async function done(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await helm(...args);
  expect(code, `helm ${args.join(' ')}: ${stderr}${stdout}`).toBe(0);
  return stdout;
}

const install = (): Promise<string> =>
  done('install', ...CHART, '--create-namespace', '--set', `image=${IMAGES.now}`, ...WAIT);

/** The image of the running Deployment, and whether its timeline is on. */
async function running(): Promise<{ image: string; timeline: boolean }> {
  const key = { namespace: SYSTEM, name: 'lifehook-controller' };
  const { spec } = await stand.client.get(deployments, key);
  const [{ image = '', args = [] } = {}] = spec?.template.spec?.containers ?? [];
  return { image, timeline: args.some((arg) => arg.startsWith('--timeline-address')) };
}

const freezer = (name: string): string => `
apiVersion: lifehook.dev/v1alpha1
kind: ExecutionHook
metadata: { name: ${name} }
spec:
  podSelector: { matchLabels: { app: db } }
${ACTIONS.trim().replaceAll(/^/gm, '  ')}
`;

const countOf = (line: string): number => stand.hookLog().filter((one) => one === line).length;

async function freeze(name: string): Promise<void> {
  const before = countOf('freeze');
  await stand.apply(freezer(name));
  await eventually(`${name} froze`, () => Promise.resolve(countOf('freeze') > before));
}

async function release(name: string): Promise<void> {
  const { client, namespace } = stand;
  await client.delete(executionHooks, { namespace, name });
  const isDeleted = async (): Promise<boolean> => {
    const { items } = await client.list(executionHooks, { namespace });
    return items.every(({ metadata }) => metadata?.name !== name);
  };
  await eventually(`${name} is deleted`, isDeleted, PATIENCE_SECONDS);
}

async function untilHooksRan(runs: number): Promise<void> {
  const { client, namespace } = stand;
  const look = async (): Promise<boolean> => {
    const { items } = await client.list(hookRuns, { namespace });
    const { status } = await client.get(deploymentLifecycles, { namespace, name: 'web' });
    return items.length === runs && status?.rollout?.phase === 'Done';
  };
  await eventually(`${runs} hooks have run`, look, PATIENCE_SECONDS);
}

const change = (version: string): Promise<string> =>
  stand.kubectl('set', 'env', 'deployment/web', `VERSION=${version}`);

describe('the chart', () => {
  it('installs the kinds and two replicas that are ready', async () => {
    expect(await install()).toContain('helm test lifehook');
    expect((await stand.kubectl(...KINDS)).match(/\.lifehook\.dev$/gm)).toHaveLength(5);
    const { items } = await stand.client.list(pods, { namespace: SYSTEM });
    expect(items).toHaveLength(2);
  });

  it('passes helm test: doctor proves from a pod that the gate holds', async () => {
    const shown = await done('test', 'lifehook', '--logs', '--timeout', '200s');
    expect(shown).toMatch(/^ok +webhook +the gate is armed/m);
    expect(shown).toMatch(/^ok +controller /m);
    expect(shown).not.toMatch(/^error/m);
  });

  it('gates a rollout', async () => {
    await stand.apply(`
apiVersion: lifehook.dev/v1alpha1
kind: DeploymentLifecycle
metadata: { name: web }
spec:
  deploymentName: web
  recreate:
    pre: { execNewPod: { containerName: main, command: ['true'] } }
`);
    await stand.kubectl('wait', '--for=condition=Armed', 'deploymentlifecycle/web');
    await change('2');
    await untilHooksRan(1);
  });

  it('upgrades a changed value and the image while a container is frozen, and thaws it', async () => {
    await freeze('evening');
    const set = ['--reset-then-reuse-values', '--set', `image=${IMAGES.next},timeline=false`];
    await done('upgrade', ...CHART, ...set, ...WAIT);
    expect(await running()).toEqual({ image: IMAGES.next, timeline: false });
    await release('evening');
    expect(countOf('thaw')).toBe(countOf('freeze'));
  });

  it('rolls back to the image and the values of the first revision', async () => {
    await done('rollback', 'lifehook', '1', ...WAIT);
    expect(await running()).toEqual({ image: IMAGES.now, timeline: true });
    await change('3');
    await untilHooksRan(2);
  });

  it('leaves the kinds, the objects and what is frozen at helm uninstall, and the gate closed', async () => {
    const { client, namespace } = stand;
    await freeze('night');
    await done('uninstall', 'lifehook', ...WAIT);
    expect((await stand.kubectl(...KINDS)).match(/\.lifehook\.dev$/gm)).toHaveLength(5);
    const { items } = await client.list(executionHooks, { namespace });
    expect(items.map(({ metadata }) => metadata?.name)).toEqual(['night']);
    await client.get(deploymentLifecycles, { namespace, name: 'web' });
    expect(countOf('thaw')).toBe(countOf('freeze') - 1);
    await expect(change('4')).rejects.toThrow('lifehook');
  });

  it('takes over the kinds and the objects when it is installed again', async () => {
    await install();
    await release('night');
    expect(countOf('thaw')).toBe(countOf('freeze'));
    await change('5');
    await untilHooksRan(3);
  });

  it('fails helm test where no controller runs', async () => {
    const own = ['--namespace', SYSTEM];
    await stand.kubectl(...own, 'scale', 'deployment/lifehook-controller', '--replicas=0');
    await stand.kubectl(...own, 'wait', 'pods', '--all', '--for=delete', '--timeout=200s');
    const { code, stdout, stderr } = await helm('test', 'lifehook', '--logs', '--timeout', '200s');
    expect(code).not.toBe(0);
    expect(stdout + stderr).toMatch(/^error +controller/m);
  });
});
