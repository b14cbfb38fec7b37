/**
 * Deletes and replaces, with kubectl, a DeploymentLifecycle that holds a template.
 * @module-tag kubectl
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { type ClusterStand, openWholeCluster } from './cluster-stand.ts';
import { SERVE, stepsOn } from './kubectl-steps.ts';

const PATIENCE = { timeout: 120_000, interval: 250 } as const;

/** A Deployment that runs t1, and a lifecycle that holds every later template. */
function appWithHooks(name: string): string {
  const containers = [{ name: 'main', image: 'web:1', command: ['sh', '-c', SERVE] }];
  const labels = { app: name };
  const metadata = { name, namespace: 'default' };
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata,
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers } },
    },
  };
  return JSON.stringify(deployment);
}

function lifecycleOf(name: string, deploymentName: string = name, more: object = {}): string {
  const execNewPod = { containerName: 'main', command: ['sh', '-c', 'exit 1'] };
  return JSON.stringify({
    apiVersion: 'lifehook.dev/v1alpha1',
    kind: 'DeploymentLifecycle',
    metadata: { name, namespace: 'default' },
    spec: {
      deploymentName,
      rollingUpdate: { pre: { failurePolicy: 'Abort', execNewPod } },
      ...more,
    },
  });
}

let cluster: ClusterStand;
const { ok, apply, feed, field } = stepsOn(() => cluster);

beforeAll(async () => {
  cluster = await openWholeCluster();
});

afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
});

async function holdTemplate(name: string): Promise<void> {
  await apply(appWithHooks(name));
  await ok('rollout', 'status', `deployment/${name}`, '--timeout=120s');
  await apply(lifecycleOf(name));
  await vi.waitFor(async () => {
    const armed = '.status.conditions[?(@.type=="Armed")].status';
    expect(await field(`deploymentlifecycle/${name}`, armed)).toBe('True');
  }, PATIENCE);
  await ok('set', 'image', `deployment/${name}`, 'main=web:2');
  await vi.waitFor(async () => {
    expect(await field(`deploymentlifecycle/${name}`, '.status.rollout.phase')).toBe('Held');
  }, PATIENCE);
}

function image(name: string): Promise<string> {
  return field(`deployment/${name}`, '.spec.template.spec.containers[0].image');
}

describe('kubectl and a lifecycle that holds a template', () => {
  it('warns of what a deletion restores, and restores it', async () => {
    await holdTemplate('shop');
    const { code, stderr } = await cluster.kubectl('delete', 'deploymentlifecycle', 'shop');
    expect({ code }, stderr).toEqual({ code: 0 });
    expect(stderr).toMatch(/^Warning: .* rollout 2 \(.*web:2\) is withdrawn, .*web:1$/mu);
    expect(await image('shop')).toBe('web:1');
    expect(await field('deployment/shop', '.spec.paused')).not.toBe('true');
  });

  it('warns when Release is set, and starts the held template on deletion', async () => {
    await holdTemplate('cart');
    const patch = '{"spec":{"onDelete":"Release"}}';
    const set = await cluster.kubectl('patch', 'dlc', 'cart', '--type=merge', '-p', patch);
    expect(set.stderr).toMatch(/^Warning: .* rollout 2 \(.*web:2\) starts without its hooks/mu);
    await ok('delete', 'deploymentlifecycle', 'cart');
    expect(await image('cart')).toBe('web:2');
    await ok('rollout', 'status', 'deployment/cart', '--timeout=120s');
  });

  it('warns that a second lifecycle of the Deployment runs no hook, and gives no warning when it is deleted', async () => {
    await holdTemplate('desk');
    const second = lifecycleOf('desk-2', 'desk', { onDelete: 'Release' });
    const created = await feed(second, 'create', '-f', '-');
    expect(created.stderr.trim()).toMatch(
      /^Warning: the DeploymentLifecycle "desk" is older [^\n]*: no hook of this one runs [^\n]*$/u,
    );
    const deleted = await cluster.kubectl('delete', 'deploymentlifecycle', 'desk-2');
    expect(deleted).toMatchObject({ code: 0, stderr: '' });
    expect([await image('desk'), await field('deployment/desk', '.spec.paused')]).toEqual([
      'web:2',
      'true',
    ]);
    const other = await feed(lifecycleOf('none', 'absent'), 'create', '-f', '-');
    expect(other).toMatchObject({ code: 0, stderr: '' });
    const replaced = await feed(lifecycleOf('desk'), 'replace', '-f', '-');
    expect(replaced).toMatchObject({ code: 0, stderr: '' });
  });

  it('does not take the held template as released after replace --force', async () => {
    await holdTemplate('till');
    const { code, stderr } = await feed(lifecycleOf('till'), 'replace', '--force', '-f', '-');
    expect({ code }, stderr).toEqual({ code: 0 });
    const released = '.status.released.template.spec.containers[0].image';
    await vi.waitFor(async () => {
      expect(await field('deploymentlifecycle/till', released)).toBe('web:1');
    }, PATIENCE);
    expect(await image('till')).toBe('web:1');
    const sets = await ok('get', 'replicasets', '-l', 'app=till', '-o', 'name');
    expect(sets.split('\n')).toHaveLength(1);
  });
});
