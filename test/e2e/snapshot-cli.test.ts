/**
 * Snapshots as a user takes them: `lifehook up`, a claim, a pod, a template, `lifehook snapshot …`.
 * @module-tag kubectl
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { executionHooks } from '../../src/lifecycles/snapshot/kinds.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { type ClusterStand, type Ended, openWholeCluster, run } from './cluster-stand.ts';
import { stepsOn } from './kubectl-steps.ts';

const APP = `
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data, labels: { app: shop } }
spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Mi } } }
---
apiVersion: v1
kind: Pod
metadata: { name: db, labels: { app: shop } }
spec:
  terminationGracePeriodSeconds: 0
  containers:
    - name: db
      image: none
      command: [sh, -c, 'echo rows >"$LIFEHOOK_VOLUME_DATA/rows"; while :; do sleep 1; done']
      volumeMounts: [{ name: data, mountPath: data }]
  volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
---
apiVersion: lifehook.dev/v1alpha1
kind: ExecutionHookTemplate
metadata: { name: freeze }
preAction: { exec: { command: [sh, -c, 'touch "$LIFEHOOK_VOLUME_DATA/frozen"'] } }
postAction: { exec: { command: [sh, -c, 'rm "$LIFEHOOK_VOLUME_DATA/frozen"'] }, actionTimeoutSeconds: 5 }
probe: { exec: { command: [sh, -c, 'test -e "$LIFEHOOK_VOLUME_DATA/frozen"'] } }
expirationSeconds: 60
`;

let cluster: ClusterStand;
const { ok } = stepsOn(() => cluster);

beforeAll(async () => {
  cluster = await openWholeCluster();
  expect((await cluster.apply(APP)).stderr).toBe('');
  await ok('wait', '--for=condition=Ready', 'pod/db', '--timeout=60s');
});

afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
});

function snapshot(...args: readonly string[]): Promise<Ended> {
  const program = process.env['LIFEHOOK_TEST_PROGRAM'] ?? 'dist/lifehook.js';
  return run(process.execPath, [program, 'snapshot', ...args, '--kubeconfig', cluster.kubeconfig]);
}

async function runsList(): Promise<string> {
  const program = process.env['LIFEHOOK_TEST_PROGRAM'] ?? 'dist/lifehook.js';
  const args = ['runs', 'list', '--lifecycle', 'snapshot', '--kubeconfig', cluster.kubeconfig];
  const { code, stdout } = await run(process.execPath, [program, ...args]);
  expect(code).toBe(0);
  return stdout;
}

async function createHook(name: string, template: string): Promise<void> {
  const manifest = `
apiVersion: lifehook.dev/v1alpha1
kind: ExecutionHook
metadata: { name: ${name}, namespace: default }
spec: { executionHookTemplateName: ${template}, podContainerNamesList: [{ podName: db, containerNames: [db] }] }`;
  expect((await cluster.apply(manifest)).stderr).toBe('');
}

/** Creates a hook without a snapshot, as a user may do. */
async function freezeByHand(name: string): Promise<void> {
  await createHook(name, 'freeze');
  await ok('wait', `--for=jsonpath={.status.preActionSucceed}=true`, `eh/${name}`, '--timeout=60s');
}

describe('lifehook snapshot', () => {
  it('plan prints the claims and containers of a snapshot, and changes nothing', async () => {
    const { code, stdout } = await snapshot('plan', '--claim', 'data', '--template', 'freeze');
    expect(stdout).toMatch(/^Cut:\nCLAIM +IN USE/u);
    expect(stdout).toMatch(/data +yes +lifehook\.dev\/local +local +creationTime/u);
    expect(stdout).toMatch(/db +db +lifehook/u);
    expect(stdout).toContain('Nothing was changed; the snapshot could be taken.');
    expect(code).toBe(0);
    expect(await ok('get', 'appsnap,eh,vs', '-o', 'name')).toBe('');
  });

  it('plan reports a missing claim and exits with 1', async () => {
    const { code, stdout } = await snapshot('plan', '--claim', 'other');
    expect(stdout).toContain('Obstacle: NoClaim: claim other does not exist');
    expect(code).toBe(1);
    for (const wrong of [['plan'], ['create', 'nothing']])
      expect(await snapshot(...wrong)).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/LHS402/u),
      });
  });

  it('create takes a snapshot and prints its verdict, and status and list print it again', async () => {
    const made = await snapshot('create', 'one', '--claim', 'data', '--template', 'freeze');
    expect(made.stdout).toMatch(/Freezing\n[^]*Completed\n/u);
    expect(made.stdout).toContain('verdict   ApplicationConsistent (FrozenAtCut)');
    expect(made.stdout).toMatch(/db +db +yes +post +AfterFreeze=Frozen AfterCut=Frozen/u);
    expect(made.code).toBe(0);
    expect((await snapshot('status', 'one')).stdout).toBe(
      made.stdout.slice(made.stdout.indexOf('Appl')),
    );
    expect((await snapshot('list')).stdout).toMatch(
      /default +one +Completed +ApplicationConsistent +FrozenAtCut +\d+ ms/u,
    );
    expect(await ok('get', 'eh', '-o', 'name')).toBe('');
  });

  it('plan and create refuse a template or recipe that does not exist, also where no pod uses the claim', async () => {
    const idle = `
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: idle }
spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Mi } } }`;
    expect((await cluster.apply(idle)).stderr).toBe('');
    await ok('wait', '--for=jsonpath={.status.phase}=Bound', 'pvc/idle', '--timeout=60s');
    for (const claim of ['data', 'idle']) {
      for (const command of [['plan'], ['create', 'wrong']]) {
        const template = await snapshot(...command, '--claim', claim, '--template', 'freze');
        expect(template).toMatchObject({ code: 2, stdout: '' });
        expect(template.stderr).toContain('LHS408');
        expect(template.stderr).toContain('Did you mean "freeze"?');
        const recipe = await snapshot(...command, '--claim', claim, '--recipe', 'mariadb-lok');
        expect(recipe).toMatchObject({ code: 2, stdout: '' });
        expect(recipe.stderr).toContain('LHS501');
      }
    }
    expect(await ok('get', 'appsnap', '-o', 'name')).not.toContain('wrong');
  });

  it('create exits with 5 below the required level, and runs list comes to the same result', async () => {
    const args = ['--claim', 'idle', '--template', 'freeze'];
    const below = await snapshot('create', 'below', ...args);
    expect(below.stdout).toContain('verdict   CrashConsistent (NotInUse)');
    expect(below.stderr).toMatch(/LHS410: The verdict on default\/below is CrashConsistent/u);
    expect(below.code).toBe(5);
    const requiring = ['--require', 'CrashConsistent', '-o', 'json'];
    const accepted = await snapshot('create', 'accepted', ...args, ...requiring);
    expect(accepted).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(accepted.stdout)).toMatchObject({
      required: 'CrashConsistent',
      reached: true,
      snapshot: { status: { verdict: { value: 'CrashConsistent', reason: 'NotInUse' } } },
    });
    const unasked = await snapshot('create', 'unasked', '--claim', 'idle');
    expect(unasked.code).toBe(0);
    const runs = await runsList();
    expect(runs).toMatch(/ below +default\/below +\d* +Failed \(CrashConsistent\)/u);
    expect(runs).toMatch(/ accepted +default\/accepted +\d* +Succeeded \(CrashConsistent\)/u);
    expect(runs).toMatch(/ unasked +default\/unasked +\d* +Succeeded \(CrashConsistent\)/u);
  });

  it('a hook waits for a template that is created later', async () => {
    await createHook('early', 'late');
    const reason = `{.status.conditions[?(@.type=="Frozen")].reason}`;
    await ok('wait', `--for=jsonpath=${reason}=TemplateNotFound`, 'eh/early', '--timeout=60s');
    const template = APP.slice(APP.lastIndexOf('---')).replace('name: freeze', 'name: late');
    expect((await cluster.apply(template)).stderr).toBe('');
    await ok('wait', '--for=jsonpath={.status.preActionSucceed}=true', 'eh/early', '--timeout=60s');
    await ok('delete', 'eh', 'early', '--timeout=60s');
  });

  it('the message of a snapshot names the cause of its hook', async () => {
    const manifest = `
apiVersion: lifehook.dev/v1alpha1
kind: ApplicationSnapshot
metadata: { name: no-template, namespace: default }
spec:
  source: { persistentVolumeClaimNames: [data] }
  executionHookInfos: [{ executionHookTemplateName: none }]`;
    expect((await cluster.apply(manifest)).stderr).toBe('');
    await ok(
      'wait',
      '--for=jsonpath={.status.phase}=Failed',
      'appsnap/no-template',
      '--timeout=90s',
    );
    const { stdout } = await snapshot('status', 'no-template');
    expect(stdout).toMatch(
      /ExecutionHook no-template-\S+: TemplateNotFound: There is no ExecutionHookTemplate none /u,
    );
    expect(stdout).not.toContain('has failed');
  });

  it('thaw --all thaws every frozen hook', async () => {
    await freezeByHand('by-hand');
    expect((await snapshot('list')).stdout).toMatch(/Frozen now:\n[^]*by-hand +db +db/u);
    expect(await snapshot('thaw', '--all')).toMatchObject({ code: 0, stdout: 'Thawed 1 of 1.\n' });
    expect(await snapshot('thaw', '--all')).toMatchObject({
      code: 0,
      stdout: 'Nothing is frozen.\n',
    });
    await ok('delete', 'eh', 'by-hand', '--timeout=60s');
  });

  it('list and thaw skip a hook whose preAction failed where nothing is to be undone', async () => {
    const manifest = `
apiVersion: lifehook.dev/v1alpha1
kind: ExecutionHook
metadata: { name: fails, namespace: default }
spec:
  podContainerNamesList: [{ podName: db, containerNames: [db] }]
  preAction: { exec: { command: ['false'] }, actionTimeoutSeconds: 1 }`;
    expect((await cluster.apply(manifest)).stderr).toBe('');
    await ok(
      'wait',
      '--for=jsonpath={.status.preActionSucceed}=false',
      'eh/fails',
      '--timeout=60s',
    );
    expect((await snapshot('list')).stdout).not.toContain('Frozen now');
    expect(await snapshot('thaw', 'fails')).toMatchObject({
      code: 0,
      stdout: 'Nothing is frozen.\n',
    });
    await ok('delete', 'eh', 'fails', '--timeout=60s');
  });

  it('release marks a failed thaw as done by hand, and its hook is deleted', async () => {
    await freezeByHand('stuck');
    await ok('exec', 'db', '--', 'sh', '-c', 'rm "$LIFEHOOK_VOLUME_DATA/frozen"');
    expect((await snapshot('release', 'stuck', '--by', 'ann')).stderr).toContain('LHS406');
    await ok('delete', 'eh', 'stuck', '--wait=false');
    await untilPostFailed('stuck');
    const released = await snapshot('release', 'stuck', '--by', 'ann');
    expect(released.stdout).toBe(
      'ann has marked the thaw of pod db, container db as done by hand.\n',
    );
    await ok('wait', '--for=delete', 'eh/stuck', '--timeout=60s');
  });

  it('status, thaw and create fail with a code for missing or existing names', async () => {
    expect((await snapshot('status', 'none')).stderr).toContain('LHS401');
    expect((await snapshot('thaw', 'none')).stderr).toContain('LHS404');
    expect((await snapshot('thaw')).stderr).toContain('LHS405');
    const again = await snapshot('create', 'one', '--claim', 'data', '--no-wait');
    expect(again.stderr).toMatch(/LHK010.*"one" already exists/u);
  });
});

async function untilPostFailed(name: string): Promise<void> {
  await eventually(`the thaw of ${name} has failed`, async () => {
    const { status } = await cluster.client.get(executionHooks, { namespace: 'default', name });
    return status?.postActionSucceed === false;
  });
}
