/**
 * A release of the chart on a cluster where kubectl installed Lifehook before. It checks stored objects only; no pods
 * run.
 *
 * @module-tag helm
 * @module-tag kubectl
 */
import { resolve } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { customResourceDefinitions, deployments } from '../../src/kube/resources.ts';
import { pathOf } from '../needs.ts';
import { type ClusterStand, type Ended, openCluster, run } from './cluster-stand.ts';

const PROGRAM = resolve(process.env['LIFEHOOK_TEST_PROGRAM'] ?? 'dist/lifehook.js');
const SYSTEM = 'lifehook-system';
const CHART = ['lifehook', 'deploy/chart'];

let stand: ClusterStand;

beforeAll(async () => {
  stand = await openCluster();
  const options = ['install', '--image', 'lifehook:kubectl'];
  const printed = await run(process.execPath, [PROGRAM, ...options]);
  const { code, stderr } = await stand.apply(printed.stdout);
  expect(code, stderr).toBe(0);
});

afterAll(async () => {
  await stand[Symbol.asyncDispose]();
});

/** Runs helm; resolves even if helm fails. */
function helm(...args: readonly string[]): Promise<Ended> {
  const where = ['--kubeconfig', stand.kubeconfig, '--namespace', SYSTEM];
  return run(pathOf('helm') ?? 'helm', [...args, ...where]);
}

async function done(...args: readonly string[]): Promise<void> {
  const { code, stderr } = await helm(...args);
  expect(code, `helm ${args.join(' ')}: ${stderr}`).toBe(0);
}

/** The state of the stored Deployment. */
async function stored(): Promise<{ image: string; timeline: boolean }> {
  const key = { namespace: SYSTEM, name: 'lifehook-controller' };
  const { spec } = await stand.client.get(deployments, key);
  const [{ image = '', args = [] } = {}] = spec?.template.spec?.containers ?? [];
  return { image, timeline: args.some((arg) => arg.startsWith('--timeline-address')) };
}

describe('a release of the chart', () => {
  it('is refused where kubectl made the objects', async () => {
    const { code, stderr } = await helm('install', ...CHART);
    expect(code).not.toBe(0);
    expect(stderr).toContain('invalid ownership metadata');
  });

  it('takes them over with --take-ownership', async () => {
    const taking = ['--take-ownership', '--server-side=false'];
    await done('install', ...CHART, ...taking, '--set', 'image=lifehook:1');
    expect(await stored()).toEqual({ image: 'lifehook:1', timeline: true });
  });

  it('is upgraded, and rolled back, with no further option', async () => {
    const set = ['--set', 'image=lifehook:2,timeline=false'];
    await done('upgrade', ...CHART, '--reset-then-reuse-values', ...set);
    expect(await stored()).toEqual({ image: 'lifehook:2', timeline: false });
    await done('rollback', 'lifehook');
    expect(await stored()).toEqual({ image: 'lifehook:1', timeline: true });
  });

  it('leaves the kinds when it is uninstalled, and is installed again over them', async () => {
    await done('uninstall', 'lifehook');
    const { items } = await stand.client.list(customResourceDefinitions);
    const ours = items.filter(({ metadata }) => isOurs(metadata?.name ?? ''));
    expect(ours).toHaveLength(8);
    expect(ours.filter(({ metadata }) => metadata?.deletionTimestamp !== undefined)).toEqual([]);
    await done('install', ...CHART, '--set', 'image=lifehook:3');
    expect((await stored()).image).toBe('lifehook:3');
  });

  it('is forgotten by helm uninstall once lifehook uninstall has removed its objects', async () => {
    // This deletes the namespace that kubectl created; a namespace that Helm creates stays.
    await uninstallWhole();
    await done('install', ...CHART, '--create-namespace', '--set', 'image=lifehook:4');
    await uninstallWhole();
    const { items } = await stand.client.list(customResourceDefinitions);
    expect(items.map(({ metadata }) => metadata?.name ?? '').filter(isOurs)).toEqual([]);
    await done('uninstall', 'lifehook');
    expect((await helm('status', 'lifehook')).stderr).toContain('not found');
  });
});

const isOurs = (name: string): boolean => name.endsWith('.lifehook.dev');

async function uninstallWhole(): Promise<void> {
  const options = ['uninstall', '--yes', '--kubeconfig', stand.kubeconfig];
  const { code, stdout, stderr } = await run(process.execPath, [PROGRAM, ...options]);
  expect(code, stdout + stderr).toBe(0);
}
