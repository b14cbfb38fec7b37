/**
 * The timeline that `lifehook up` serves: a freeze while it lasts, a snapshot with its verdict, and hooks of pods.
 * @module-tag kubectl
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Bar, BarPage } from '../../src/timeline/bar.ts';
import { type ClusterStand, openWholeCluster } from './cluster-stand.ts';
import { startController } from './controller-program.ts';
import { SERVE, stepsOn } from './kubectl-steps.ts';

const PROGRAM = resolve(process.env['LIFEHOOK_TEST_PROGRAM'] ?? 'dist/lifehook.js');
const API = 'apiVersion: lifehook.dev/v1alpha1';
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
  terminationGracePeriodSeconds: 5
  containers:
    - name: db
      image: none
      command: [sh, -c, 'while :; do sleep 1; done']
      lifecycle:
        preStop: { exec: { command: [sh, -c, 'echo draining; exit 3'] } }
      volumeMounts: [{ name: data, mountPath: data }]
  volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
---
${API}
kind: ExecutionHookTemplate
metadata: { name: freeze }
preAction: { exec: { command: [sh, -c, 'echo locked'] } }
postAction: { exec: { command: ['true'] } }
`;
const HOOK = `
${API}
kind: ExecutionHook
metadata: { name: by-hand }
spec: { executionHookTemplateName: freeze, podContainerNamesList: [{ podName: db, containerNames: [db] }] }`;
const SNAPSHOT = `
${API}
kind: ApplicationSnapshot
metadata: { name: nightly }
spec: { source: { persistentVolumeClaimNames: [data] }, executionHookInfos: [{ executionHookTemplateName: freeze }] }`;
const WEB = `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  strategy: { type: Recreate }
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      terminationGracePeriodSeconds: 1
      containers:
        - { name: main, image: none, command: [sh, -c, '${SERVE}'], env: [{ name: VERSION, value: one }] }
---
${API}
kind: DeploymentLifecycle
metadata: { name: web }
spec:
  deploymentName: web
  recreate:
    pre:
      failurePolicy: Ignore
      execNewPod: { containerName: main, command: [sh, -c, 'echo backup failed; exit 7'] }
    mid: { execNewPod: { containerName: main, command: [sh, -c, 'echo to $VERSION'] } }
    post: { execNewPod: { containerName: main, command: ['true'] } }
`;

let cluster: ClusterStand;
let cookie: string;
const { ok, apply, field } = stepsOn(() => cluster);

beforeAll(async () => {
  cluster = await openWholeCluster();
  await apply(APP);
  await ok('wait', '--for=condition=Ready', 'pod/db', '--timeout=60s');
  const answer = await fetch(await link());
  cookie = (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
});

afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
});

async function link(): Promise<string> {
  const { stdout } = await cluster.lifehook('status');
  return /timeline +(\S+)/.exec(stdout)?.[1] ?? '';
}

async function origin(): Promise<string> {
  return new URL(await link()).origin;
}

async function page(): Promise<BarPage> {
  const answer = await fetch(`${await origin()}/api/bars`, { headers: { cookie } });
  expect(answer.status).toBe(200);
  return (await answer.json()) as BarPage;
}

const bars = async (which: Partial<Bar>): Promise<readonly Bar[]> => {
  const entries = Object.entries(which);
  const all = (await page()).bars;
  return all.filter((bar) => entries.every(([name, value]) => bar[name as keyof Bar] === value));
};

const patient = { timeout: 60_000 };

describe('the timeline of a local cluster', () => {
  it('shows a frozen target with its next step, and how it was thawed', async () => {
    await apply(HOOK);
    const frozen = { kind: 'frozen', run: 'by-hand' } as const;
    await expect
      .poll(() => bars(frozen), patient)
      .toMatchObject([
        {
          lane: 'default/db/db',
          endMs: null,
          next: 'lifehook snapshot thaw -n default by-hand',
        },
      ]);
    await expect
      .poll(() => bars({ point: 'preAction' }), patient)
      .toMatchObject([{ outcome: 'Succeeded', stdout: 'locked\n', exitCode: 0 }]);
    await ok('delete', 'eh', 'by-hand');
    await expect
      .poll(() => bars(frozen), patient)
      .toMatchObject([{ outcome: 'Succeeded', evidence: { 'thawed by': 'its postAction' } }]);
  });

  it('shows a snapshot with its verdict, and its cut on the track of the frozen container', async () => {
    await apply(SNAPSHOT);
    await ok(
      'wait',
      '--for=jsonpath={.status.phase}=Completed',
      'appsnap/nightly',
      '--timeout=60s',
    );
    const verdict = await field('appsnap/nightly', '.status.verdict.value');
    await expect
      .poll(() => bars({ kind: 'phase', lane: 'default/nightly', name: 'nightly' }), patient)
      .toMatchObject([{ evidence: { verdict: expect.stringContaining(`${verdict}: `) } }]);
    // The page has the span of the hook and the span of the snapshot from two watches, in any order.
    await expect
      .poll(() => bars({ kind: 'frozen', run: 'nightly' }), patient)
      .toMatchObject([{ endMs: expect.any(Number) }]);
    await expect.poll(() => bars({ kind: 'cut', lane: 'default/db/db' }), patient).toHaveLength(1);
    const [frozen] = await bars({ kind: 'frozen', run: 'nightly' });
    const [cut] = await bars({ kind: 'cut', lane: 'default/db/db' });
    expect(cut?.startMs).toBeGreaterThanOrEqual(frozen?.startMs ?? Number.NaN);
    expect(cut?.startMs).toBeLessThanOrEqual(frozen?.endMs ?? Number.NaN);
    expect((await page()).sources).toEqual([
      { name: 'cluster local', problem: null },
      { name: 'pods of local', problem: null },
    ]);
  });

  it('shows a rollout with its phases, its hooks and the output of a failed hook', async () => {
    await apply(WEB);
    await ok('wait', '--for=condition=Armed', 'deploymentlifecycle/web', '--timeout=60s');
    await ok('set', 'env', 'deployment/web', 'VERSION=two');
    const done = '--for=jsonpath={.status.rollout.phase}=Done';
    await ok('wait', done, 'deploymentlifecycle/web', '--timeout=60s');
    const web = { lifecycle: 'rollout', lane: 'default/web' } as const;
    const whole = { ...web, name: 'rollout 2' };
    await expect.poll(() => bars(whole), patient).toMatchObject([{ outcome: 'Succeeded' }]);
    const inOrder = async (): Promise<readonly Bar[]> =>
      (await bars(web)).toSorted((a, b) => a.startMs - b.startMs);
    const hooks = async (): Promise<readonly Bar[]> =>
      (await inOrder()).filter(({ kind }) => kind === 'hook');
    // The hooks are from another watch than the rollout.
    await expect.poll(hooks, patient).toMatchObject([
      { point: 'pre', outcome: 'Failed', exitCode: 7, stdout: 'backup failed', run: 'rollout 2' },
      { point: 'mid', outcome: 'Succeeded', exitCode: 0, stdout: 'to two' },
      { point: 'post', outcome: 'Succeeded', exitCode: 0 },
    ]);
    const phases = (await inOrder()).filter(
      ({ kind, name }) => kind === 'phase' && name !== 'rollout 2',
    );
    const points = phases.map(({ point }) => point);
    expect(points).toEqual(['Pre', 'Draining', 'Mid', 'Releasing', 'Progressing', 'Post']);
    // Each phase ends where the next begins; the last one ends when the rollout ends.
    const [rollout] = await bars(whole);
    const begins = phases.map(({ startMs }) => startMs);
    expect(phases.map((phase) => phase.endMs)).toEqual([...begins.slice(1), rollout?.endMs]);
  });

  it('shows pod hooks with their output, also after a restart at the same address', async () => {
    await ok('delete', 'pod', 'db');
    const preStop = { lifecycle: 'pod', point: 'preStop' } as const;
    await expect
      .poll(() => bars(preStop), patient)
      .toMatchObject([{ lane: 'default/db/db', exitCode: 3, stdout: 'draining\n' }]);
    const before = { origin: await origin(), bars: await bars({}) };
    const last = `${(await page()).seq}`;
    expect((await cluster.lifehook('down')).code).toBe(0);
    expect((await cluster.lifehook('up')).code).toBe(0);
    expect(await origin()).toBe(before.origin);
    await expect
      .poll(() => bars(preStop), patient)
      .toEqual(before.bars.filter(({ point }) => point === 'preStop'));
    const frozen = before.bars.find(({ kind, run }) => kind === 'frozen' && run === 'nightly');
    await expect.poll(() => bars({ id: frozen?.id ?? '' }), patient).toHaveLength(1);
    const headers = { cookie, 'last-event-id': last };
    const events = await fetch(`${before.origin}/api/events`, { headers });
    const reader = events.body?.pipeThrough(new TextDecoderStream()).getReader();
    let reported = '';
    while (!reported.includes('event: ')) reported += (await reader?.read())?.value ?? '';
    await reader?.cancel();
    expect(reported).toContain('event: reset');
  });

  it('is served by a second controller, which logs a link on request', async () => {
    const address = ['--timeline-address', '127.0.0.1:0'];
    await using controller = await startController(cluster, address);
    const links = (): string[] =>
      controller.log.flatMap(({ msg, link: one }) => (msg === 'Timeline' ? [String(one)] : []));
    await expect.poll(links, patient).toHaveLength(1);
    const [first = ''] = links();
    const login = await fetch(first);
    const own = { cookie: login.headers.get('set-cookie')?.split(';')[0] ?? '' };
    const url = `${new URL(first).origin}/api/bars?lifecycle=snapshot`;
    const whole = async (): Promise<readonly Bar[]> =>
      ((await (await fetch(url, { headers: own })).json()) as BarPage).bars;
    const [nightly] = await bars({ name: 'nightly' });
    await expect.poll(whole, patient).toContainEqual(nightly);
    // A request through a forwarded port gets a link with that port.
    const { port } = new URL(first);
    const said = await (await fetch(first.replace('127.0.0.1', 'localhost'))).text();
    expect(said).toContain('the log of this controller has one');
    await expect
      .poll(links, patient)
      .toEqual([first, expect.stringContaining(`//localhost:${port}/login`)]);
    expect((await fetch(first)).status).toBe(401);
    expect((await fetch(links()[1] ?? '')).status).toBe(200);
    expect(links()).toHaveLength(2);
    // An open page must not keep the program alive.
    const opened = await fetch(`${new URL(first).origin}/api/events`, { headers: own });
    expect(opened.status).toBe(200);
    expect((await controller.end()).code).toBe(0);
  });

  it('has a link in the log of a controller with log level error', async () => {
    const addresses = ['--timeline-address', '127.0.0.1:0', '--metrics-address', '127.0.0.1:0'];
    const quiet = ['--log-level', 'error', '--kubeconfig', cluster.kubeconfig];
    const args = [PROGRAM, 'controller', ...addresses, ...quiet];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      const log = createInterface({ input: child.stdout });
      const [line] = (await once(log, 'line', {
        signal: AbortSignal.timeout(patient.timeout),
      })) as [string];
      expect(JSON.parse(line)).toMatchObject({
        msg: 'Timeline',
        link: expect.stringContaining('/login?token='),
      });
    } finally {
      child.kill();
      await once(child, 'exit');
    }
  });

  it('is exported by lifehook ui from another process, with the same spans', async () => {
    const file = join(cluster.folder, 'incident.json');
    const options = ['--kubeconfig', cluster.kubeconfig, '--records', cluster.folder];
    const ended = await cluster.lifehook('ui', '--export', file, ...options);
    expect([ended.code, ended.stderr]).toEqual([0, '']);
    const { bars: exported } = JSON.parse(await readFile(file, 'utf8')) as BarPage;
    const [preStop] = await bars({ point: 'preStop' });
    expect(exported).toContainEqual(preStop);
    expect(exported).toContainEqual((await bars({ name: 'nightly' }))[0]);
  });
});
