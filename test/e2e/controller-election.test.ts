/**
 * The controllers of `lifehook up` and a separate `lifehook controller`: if either exits, the other one leads.
 * @module-tag kubectl
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import type { Lease } from 'kubernetes-types/coordination/v1.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { getOrNull } from '../../src/kube/get-or-null.ts';
import { leases, pods } from '../../src/kube/resources.ts';
import { executionHooks } from '../../src/lifecycles/snapshot/kinds.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { type ClusterStand, openWholeCluster, run } from './cluster-stand.ts';
import { startController } from './controller-program.ts';
import { stepsOn } from './kubectl-steps.ts';

const PROGRAM = resolve(process.env['LIFEHOOK_TEST_PROGRAM'] ?? 'dist/lifehook.js');
const LEASE = { namespace: 'default', name: 'lifehook-controller' };
const OF_UP = /^lifehook-up\//u;
const HOOKS = ['one', 'two', 'three', 'four'];
const PATIENCE_S = 90;

let cluster: ClusterStand;
const { ok, apply } = stepsOn(() => cluster);

beforeAll(async () => {
  cluster = await openWholeCluster();
});

afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
});

async function holder(): Promise<string> {
  const lease: Lease | null = await getOrNull(cluster.client, leases, LEASE);
  return lease?.spec?.holderIdentity ?? '';
}

const isHeldBy = (who: RegExp): Promise<string> =>
  eventually(
    `${LEASE.name} is held by ${who}`,
    async () => {
      const found = await holder().catch(() => '');
      return who.test(found) && found;
    },
    PATIENCE_S,
  );

/** Runs in the kubeconfig's namespace, which is the default for `lifehook controller`. */
function controller(...args: readonly string[]): Promise<{ code: number; stderr: string }> {
  const where = ['--kubeconfig', cluster.kubeconfig, '--metrics-address', '127.0.0.1:0'];
  return run(process.execPath, [PROGRAM, 'controller', ...where, ...args]);
}

/**
 * A separate controller that can be killed, and that survives the exit of the server. Resolves when it is a standby or
 * the leader.
 */
async function spawnController(...args: readonly string[]): Promise<ChildProcess> {
  const where = ['--kubeconfig', cluster.kubeconfig, '--metrics-address', '127.0.0.1:0'];
  const child = spawn(process.execPath, [PROGRAM, 'controller', ...where, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let log = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (log += text));
  await eventually('it has seen the Lease', async () => /LeaderSeen|LeadershipGained/u.test(log));
  return child;
}

const nameOf = ({ pid = 0 }: ChildProcess): RegExp => new RegExp(`^[^/]+-${pid}-`, 'u');

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const ended = new Promise((done) => child.once('exit', done));
  child.kill(signal);
  await ended;
}

const journalOf = (name: string): string => join(cluster.folder, `${name}.journal`);

const app = (name: string): string => `
apiVersion: v1
kind: Pod
metadata: { name: ${name} }
spec:
  terminationGracePeriodSeconds: 0
  containers: [{ name: db, image: none, command: [sh, -c, 'while :; do sleep 1; done'] }]
---
apiVersion: lifehook.dev/v1alpha1
kind: ExecutionHookTemplate
metadata: { name: ${name} }
preAction: { exec: { command: [sh, -c, 'echo freeze >>${journalOf(name)}'] } }
postAction: { exec: { command: [sh, -c, 'echo thaw >>${journalOf(name)}'] } }
expirationSeconds: 4
`;

const hook = (name: string): string => `
apiVersion: lifehook.dev/v1alpha1
kind: ExecutionHook
metadata: { name: ${name} }
spec: { executionHookTemplateName: ${name}, podContainerNamesList: [{ podName: ${name}, containerNames: [db] }] }`;

describe('lifehook up and lifehook controller', () => {
  it('run each postAction once, and one of the two stands by', async () => {
    await using beside = await startController(cluster, []);
    await apply(HOOKS.map(app).join('---'));
    const ready = HOOKS.map((name) => `pod/${name}`);
    await ok('wait', '--for=condition=Ready', ...ready, '--timeout=60s');
    await apply(HOOKS.map(hook).join('\n---'));
    for (const name of HOOKS) {
      const key = { namespace: 'default', name };
      await eventually(`${name} has ended`, async () => {
        const { status } = await cluster.client.get(executionHooks, key);
        return status?.postActionSucceed !== undefined;
      });
    }
    await ok('delete', 'eh', ...HOOKS, '--timeout=60s');
    const journals = HOOKS.map((name) => readFile(journalOf(name), 'utf8'));
    expect(await Promise.all(journals)).toEqual(HOOKS.map(() => 'freeze\nthaw\n'));
    await eventually('the one that waits names the leader', async () =>
      beside.log.find(({ msg, holder: seen }) => msg === 'LeaderSeen' && OF_UP.test(String(seen))),
    );
    expect(beside.log.map(({ msg }) => msg)).not.toContain('LeadershipGained');
    for (const name of HOOKS) {
      await cluster.client.delete(pods, { namespace: 'default', name }, { gracePeriodSeconds: 0 });
    }
  });

  it('refuses --no-leader-elect while the other one leads, with the name of the holder', async () => {
    const leader = await isHeldBy(OF_UP);
    const refused = await controller('--no-leader-elect');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(
      `LHK105: Another controller is the leader: ${leader} renews the Lease default/lifehook-controller`,
    );
    expect(await holder()).toBe(leader);
  });

  it.each([[['-n', 'kube-public']], [['-n', 'kube-public', '--namespaced']]])(
    'refuses a Lease in another namespace for the same objects: %j',
    async (flags) => {
      const leader = await isHeldBy(OF_UP);
      const refused = await controller(...flags);
      expect(refused.code).toBe(1);
      expect(refused.stderr).toContain(
        `LHK106: Another controller is the leader for the same objects: ${leader} renews the Lease default/`,
      );
      const own = { ...LEASE, namespace: 'kube-public' };
      expect(await getOrNull(cluster.client, leases, own)).toBe(null);
    },
  );

  it('leads again at once after kill -9, though another one waits for the Lease', async () => {
    const before = await isHeldBy(OF_UP);
    await using _beside = await startController(cluster, []);
    const lease: Lease = await cluster.client.get(leases, LEASE);
    await cluster.kill9();
    expect((await cluster.lifehook('up')).code).toBe(0);
    const after = await eventually('another life leads', async () => {
      const found = await holder();
      return found !== before && found;
    });
    expect(after).toMatch(OF_UP);
    const { spec }: Lease = await cluster.client.get(leases, LEASE);
    expect(spec?.leaseTransitions).toBe((lease.spec?.leaseTransitions ?? 0) + 1);
  });

  it('is followed by lifehook controller, and follows it, by SIGTERM and by kill -9', async () => {
    const first = await spawnController();
    await isHeldBy(OF_UP);
    expect((await cluster.lifehook('down')).code).toBe(0);
    expect((await cluster.lifehook('up', '--no-controllers')).code).toBe(0);
    await isHeldBy(nameOf(first));
    expect((await cluster.lifehook('down')).code).toBe(0);
    expect((await cluster.lifehook('up')).code).toBe(0);
    await isHeldBy(nameOf(first));
    const second = await spawnController();
    await end(first, 'SIGTERM');
    const next = await isHeldBy(new RegExp(`${OF_UP.source}|${nameOf(second).source}`, 'u'));
    if (OF_UP.test(next)) await cluster.kill9();
    await end(second, 'SIGKILL');
    expect((await cluster.lifehook('up')).code).toBe(0);
    await isHeldBy(OF_UP);
  });
});
