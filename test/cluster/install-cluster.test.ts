/**
 * Lifehook works on a real cluster as installed, with only the rights of its service account.
 *
 * @module-tag node
 */
import { readdirSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { allPermissions } from '../../src/cli/install/all-definitions.ts';
import { deployments, pods } from '../../src/kube/resources.ts';
import { snapshots } from '../../src/kube/snapshots.ts';
import { deploymentLifecycles, hookRuns } from '../../src/lifecycles/rollout/kinds.ts';
import { applicationSnapshots } from '../../src/lifecycles/snapshot/kinds.ts';
import type { Bar } from '../../src/timeline/bar.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { keepChanging } from './install-changes.ts';
import { IMAGES } from './install-image.ts';
import { mayDo, rightsOf, rightsOfEveryAccount, rightText } from './install-rights.ts';
import { ACTIONS, type InstallStand, openInstall, SYSTEM } from './install-stand.ts';
import { openTimeline } from './install-timeline.ts';
import { BASE_IMAGE } from './parameters.ts';

const ACCOUNT = `system:serviceaccount:${SYSTEM}:lifehook-controller`;
const LEASES = { group: 'coordination.k8s.io', resource: 'leases' };
const CONFIGURATIONS = {
  group: 'admissionregistration.k8s.io',
  resource: 'mutatingwebhookconfigurations',
};
const PATIENCE_SECONDS = 90;
const PATIENCE = { timeout: 60_000 };

/** The node takes up to 30 s to remove a pod. */
const NODE_PATIENCE_S = 120;

let stand: InstallStand;

beforeAll(async () => {
  stand = await openInstall();
  await stand.install(IMAGES.now);
});

afterAll(async () => {
  await stand[Symbol.asyncDispose]();
});

/** Outcomes of the attempts of each HookRun. Resolves when at least `runs` HookRuns exist and the rollout is done. */
async function outcomesAfter(runs: number): Promise<(string | undefined)[][]> {
  const { client, namespace } = stand;
  const look = async (): Promise<(string | undefined)[][] | null> => {
    const { items } = await client.list(hookRuns, { namespace });
    const { status } = await client.get(deploymentLifecycles, { namespace, name: 'web' });
    if (items.length < runs || status?.rollout?.phase !== 'Done') return null;
    return items.map((run) => run.status?.attempts.map(({ outcome }) => outcome) ?? []);
  };
  return eventually(`${runs} hooks have run`, look, PATIENCE_SECONDS);
}

/** Changes the pod template of `web`, so that a new rollout starts. */
const change = (version: string): Promise<string> =>
  stand.kubectl('set', 'env', 'deployment/web', `VERSION=${version}`);

/** Sends SIGKILL to the controller process of the pod. A deletion of the pod would be graceful. */
async function killProcessOf(pod: string): Promise<void> {
  const { metadata } = await stand.client.get(pods, { namespace: SYSTEM, name: pod });
  const uid = metadata?.uid ?? 'none';
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const own = pids.filter((pid) => textOf(pid, 'cgroup').includes(uid));
  const [controller] = own.filter((pid) => textOf(pid, 'cmdline').includes('lifehook.js'));
  expect(controller).toBeDefined();
  process.kill(Number(controller), 'SIGKILL');
}

function textOf(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

describe('the service account of the controllers', () => {
  it('has the declared rights in all namespaces, and no others (SNAP-G23)', async () => {
    const declared = allPermissions({ timeline: true }).flatMap(({ group, resource, verbs }) =>
      verbs.map((verb) => rightText({ group, resource, verb })),
    );
    // RBAC cannot limit `create` by object name. The next test checks the rights that are limited by name.
    const admission = 'admissionregistration.k8s.io';
    const others = [
      `create mutatingwebhookconfigurations.${admission}`,
      `create validatingwebhookconfigurations.${admission}`,
      'create localsubjectaccessreviews.authorization.k8s.io',
      ...(await rightsOfEveryAccount(stand.client)),
    ];
    const served = await rightsOf(stand.client, ACCOUNT);
    expect(served).toEqual([...declared, ...others].toSorted());
  });

  it.each([
    [{ verb: 'get', resource: 'secrets', name: 'lifehook-webhook' }, true],
    [{ verb: 'get', resource: 'secrets', name: 'another' }, false],
    [{ verb: 'list', resource: 'secrets' }, false],
    [{ verb: 'delete', resource: 'secrets', name: 'lifehook-webhook' }, false],
    [{ verb: 'get', resource: 'secrets', name: 'lifehook-webhook', namespace: 'default' }, false],
    [{ verb: 'create', resource: 'secrets', namespace: 'default' }, false],
    [{ verb: 'update', ...LEASES, name: 'lifehook-controller' }, true],
    [{ verb: 'update', ...LEASES, name: 'another' }, false],
    [{ verb: 'update', ...LEASES, name: 'kube-scheduler', namespace: 'kube-system' }, false],
    [{ verb: 'create', resource: 'serviceaccounts/token', name: 'lifehook-controller' }, false],
    [{ verb: 'patch', ...CONFIGURATIONS, name: 'lifehook-rollout-gate' }, true],
    [{ verb: 'patch', ...CONFIGURATIONS, name: 'another' }, false],
    [{ verb: 'delete', ...CONFIGURATIONS, name: 'lifehook-rollout-gate' }, false],
  ])('has the right by name %j: %j', async (right, expected) => {
    const whole = { group: '', namespace: SYSTEM, ...right };
    expect(await mayDo(stand.client, ACCOUNT, whole)).toBe(expected);
  });

  it.each([
    [['get', 'secrets', '--all-namespaces'], 'secrets is forbidden'],
    [
      ['create', 'clusterrolebinding', 'own', '--clusterrole=cluster-admin', `--user=${ACCOUNT}`],
      'forbidden',
    ],
    [['delete', 'deployment', 'web'], 'forbidden'],
    [['delete', 'node', '--all'], 'forbidden'],
  ])('is refused: kubectl %j', async (args, words) => {
    await expect(stand.kubectl(...args, '--as', ACCOUNT)).rejects.toThrow(words);
  });
});

describe('the controllers in the cluster', () => {
  it('run without root, without capabilities and with a read-only filesystem', async () => {
    const { items } = await stand.client.list(pods, { namespace: SYSTEM });
    expect(items).toHaveLength(2);
    const name = items[0]?.metadata?.name ?? '';
    const script = `
      const fs = require('node:fs');
      const status = fs.readFileSync('/proc/self/status', 'utf8');
      const told = (name) => new RegExp('^' + name + ':\\\\s+(\\\\S+)', 'm').exec(status)[1];
      let written = 'written';
      try { fs.writeFileSync('/tmp-file', ''); } catch (error) { written = error.code; }
      console.log([process.getuid(), told('CapEff'), told('NoNewPrivs'), told('Seccomp'), written].join(' '));`;
    const reported = await stand.kubectl(
      '--namespace',
      SYSTEM,
      'exec',
      name,
      '--',
      'node',
      '-e',
      script,
    );
    expect(reported.trim()).toBe('65532 0000000000000000 1 2 EROFS');
  });

  it('take a snapshot between its freeze and thaw hooks', async () => {
    const { client, namespace } = stand;
    await stand.apply(`
apiVersion: lifehook.dev/v1alpha1
kind: ExecutionHookTemplate
metadata: { name: freeze }
${ACTIONS}
---
apiVersion: lifehook.dev/v1alpha1
kind: ApplicationSnapshot
metadata: { name: first }
spec:
  source: { persistentVolumeClaimNames: [data] }
  volumeSnapshotClassName: local
  executionHookInfos: [{ executionHookTemplateName: freeze }]
`);
    const done = await eventually(
      'the snapshot is over',
      async () => {
        const found = await client.get(applicationSnapshots, { namespace, name: 'first' });
        return found.status?.completedAt === undefined ? null : found;
      },
      PATIENCE_SECONDS,
    );
    expect(done.status?.failure).toBeUndefined();
    expect(done.status?.volumes?.map(({ cut }) => cut)).toEqual([true]);
    expect(stand.hookLog()).toEqual(['freeze', 'thaw']);
  });

  it('gate a rollout', async () => {
    await stand.apply(`
apiVersion: lifehook.dev/v1alpha1
kind: DeploymentLifecycle
metadata: { name: web }
spec:
  deploymentName: web
  recreate:
    pre: { execNewPod: { containerName: main, command: [sh, -c, 'echo migrated to $VERSION; sleep 3'] } }
`);
    await eventually('the Deployment is labelled', async () => {
      const found = await stand.client.get(deployments, {
        namespace: stand.namespace,
        name: 'web',
      });
      return found.metadata?.labels?.['lifehook.dev/gated'] !== undefined;
    });
    await change('2');
    expect(await outcomesAfter(1)).toEqual([['Succeeded']]);
  });

  it('continue a rollout when the leader is killed, and repeat no hook', async () => {
    const leader = await stand.leader();
    await change('3');
    await eventually('a hook runs', async () => {
      const { items } = await stand.client.list(hookRuns, { namespace: stand.namespace });
      return items.length === 2;
    });
    await killProcessOf(leader);
    expect(await outcomesAfter(2)).toEqual([['Succeeded'], ['Succeeded']]);
  });

  it('show past and new hooks, each controller in its own timeline', async () => {
    const { client, namespace } = stand;
    await stand.apply(`
apiVersion: v1
kind: Pod
metadata: { name: cache }
spec:
  terminationGracePeriodSeconds: 1
  containers:
    - name: main
      image: ${BASE_IMAGE}
      imagePullPolicy: IfNotPresent
      command: [sh, -c, 'exec sleep 1000']
      lifecycle: { preStop: { exec: { command: [sh, -c, 'echo draining; exit 7'] } } }
`);
    await stand.kubectl('wait', '--for=condition=Ready', 'pod/cache', '--timeout=200s');
    await stand.kubectl('delete', 'pod', 'cache', '--wait=false');
    const { items } = await client.list(pods, { namespace: SYSTEM });
    expect(items).toHaveLength(2);
    for (const { metadata } of items) {
      await using timeline = await openTimeline(metadata?.name ?? '');
      const outcomes = async (which: Partial<Bar>): Promise<string[]> => {
        const entries = Object.entries(which) as [keyof Bar, unknown][];
        const found = (await timeline.bars()).filter((bar) =>
          entries.every(([name, value]) => bar[name] === value),
        );
        return found.map(({ outcome }) => outcome);
      };
      const hook = { lifecycle: 'rollout', lane: `${namespace}/web`, point: 'pre' } as const;
      await expect.poll(() => outcomes(hook), PATIENCE).toEqual(['Succeeded', 'Succeeded']);
      expect(await outcomes({ kind: 'frozen', run: 'first' })).toEqual(['Succeeded']);
      const preStop = { lane: `${namespace}/cache/main`, point: 'preStop' } as const;
      await expect.poll(() => outcomes(preStop), PATIENCE).toEqual(['Failed']);
    }
  });

  it('refuse no change during their upgrade', async () => {
    const { client, namespace } = stand;
    const changing = keepChanging(client, { namespace, name: 'web' });
    await stand.install(IMAGES.next);
    const haveEnded = async (): Promise<boolean> => {
      const { items } = await client.list(pods, { namespace: SYSTEM });
      return items.length === 2;
    };
    await eventually('the old ones have ended', haveEnded, NODE_PATIENCE_S);
    expect(await changing.stop()).toBeGreaterThan(20);
    await change('4');
    expect(await outcomesAfter(3)).toHaveLength(3);
  });

  it('are uninstalled in order: volume snapshots stay and gated Deployments are released', async () => {
    const { client, namespace } = stand;
    const { code, stdout, stderr } = await stand.lifehook('uninstall', '--yes');
    expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' });
    const left = await client.list(snapshots, { namespace });
    expect(left.items.map(({ metadata }) => metadata?.ownerReferences ?? [])).toEqual([[]]);
    expect(await stand.kubectl('api-resources', '--api-group=lifehook.dev', '-o', 'name')).toBe('');
    const configurations = 'mutatingwebhookconfigurations,validatingwebhookconfigurations';
    expect(await stand.kubectl('get', configurations, '-o', 'name')).not.toContain('lifehook');
    await change('5');
    await stand.kubectl('rollout', 'status', 'deployment/web', '--timeout=200s');
  });
});
