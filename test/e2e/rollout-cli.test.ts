/**
 * Rollout hooks as a user runs them: `lifehook up`, a Deployment, its hooks, `lifehook rollout …`.
 * @module-tag kubectl
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { type ClusterStand, type Ended, openWholeCluster, run } from './cluster-stand.ts';
import { stepsOn } from './kubectl-steps.ts';

const SERVE = 'trap "exit 0" TERM; while :; do sleep 1 & wait $!; done';

const app = (version: string): string => `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: default, labels: { lifehook.dev/gated: "true" } }
spec:
  replicas: 1
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web }, annotations: { version: ${version} } }
    spec:
      serviceAccountName: default
      containers:
        - name: web
          image: none
          command: [sh, -c, '${SERVE}']
          env: [{ name: DATABASE, value: shop }]
`;

/** A lifecycle whose pre hook fails for v2, waits for v3, and succeeds for every other version. */
const HOOKS = `
apiVersion: lifehook.dev/v1alpha1
kind: DeploymentLifecycle
metadata: { name: web, namespace: default }
spec:
  deploymentName: web
  rollingUpdate:
    pre:
      failurePolicy: Abort
      execNewPod:
        containerName: web
        command:
          - sh
          - -c
          - 'trap "exit 143" TERM; echo "migrating $DATABASE for rollout $LIFEHOOK_ROLLOUT"; case $LIFEHOOK_ROLLOUT in 2) exit 7;; 4) sleep 600 & wait $!;; esac'
`;

/** A lifecycle for the Deployment of that name; its pre hook is not retried. */
function hooksOf(name: string, hook: object): string {
  const execNewPod = { containerName: name, ...hook };
  return JSON.stringify({
    apiVersion: 'lifehook.dev/v1alpha1',
    kind: 'DeploymentLifecycle',
    metadata: { name, namespace: 'default' },
    spec: {
      deploymentName: name,
      rollingUpdate: { pre: { failurePolicy: 'Abort', execNewPod } },
    },
  });
}

let cluster: ClusterStand;
const { ok, apply } = stepsOn(() => cluster);

beforeAll(async () => {
  cluster = await openWholeCluster();
  await apply(HOOKS);
  await apply(app('v1'));
});

afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
});

function rollout(...args: readonly string[]): Promise<Ended> {
  const program = process.env['LIFEHOOK_TEST_PROGRAM'] ?? 'dist/lifehook.js';
  const where = ['--kubeconfig', cluster.kubeconfig];
  return run(process.execPath, [program, 'rollout', ...args, ...where]);
}

interface Reported {
  readonly number: number;
  readonly phase: string;
  readonly hooks: readonly { readonly attempts: readonly { readonly exitCode?: number }[] }[];
}

async function status(): Promise<Reported> {
  return JSON.parse((await rollout('status', 'web', '-o', 'json')).stdout) as Reported;
}

describe('lifehook rollout', () => {
  it('watch follows the first rollout to its end', async () => {
    const { code, stdout, stderr } = await rollout('watch', 'web', '--timeout', '120');
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^Rollout 1\n/u);
    expect(stdout).toContain('pre, attempt 1: Succeeded after');
    expect(stdout).toContain('| migrating shop for rollout 1');
    expect(stdout).toMatch(/^ {2}Done$/mu);
    expect(code).toBe(0);
  });

  it('check proves the gate', async () => {
    const { code, stdout } = await rollout('check', 'web');
    expect(stdout).toMatch(/dry run +ok +a dry run of a changed template was returned paused/u);
    expect(stdout).toMatch(/mutating webhook +ok +fails closed, at https:\/\/127\.0\.0\.1/u);
    expect(stdout).toMatch(/ReplicaSets +ok +judged at https:\/\/127\.0\.0\.1/u);
    expect(stdout).toContain('The gate is armed');
    expect(code).toBe(0);
  });

  it('plan prints steps and hooks of the next rollout, and changes nothing', async () => {
    const before = await ok(
      'get',
      'deployment',
      'web',
      '-o',
      'jsonpath={.metadata.resourceVersion}',
    );
    const { code, stdout } = await rollout('plan', 'web');
    expect(stdout).toContain(
      'steps      Pre > Release > Progress (until all new pods are available) > Done',
    );
    expect(stdout).toMatch(/Hook pre: Abort, within 600 s\n[^]*env +LIFEHOOK_NAMESPACE.*DATABASE/u);
    expect(stdout).toContain('Nothing was changed.');
    expect(code).toBe(0);
    const after = await ok(
      'get',
      'deployment',
      'web',
      '-o',
      'jsonpath={.metadata.resourceVersion}',
    );
    expect(after).toBe(before);
  });

  it('plan of a manifest prints the difference to the template', async () => {
    const program = process.env['LIFEHOOK_TEST_PROGRAM'] ?? 'dist/lifehook.js';
    const args = ['rollout', 'plan', 'web', '-f', '-', '--kubeconfig', cluster.kubeconfig];
    const planned = await run(process.execPath, [program, ...args], app('v2'));
    expect(planned.stdout).toMatch(
      / {2}change +template [0-9a-f]{12} > [0-9a-f]{12}\n +metadata\.annotations\.version\n +rollout +2, direction Rollout/u,
    );
    const same = await run(process.execPath, [program, ...args], app('v1'));
    expect(same.stdout).toContain(
      'change     none: the template is the same, and nothing is rolled out',
    );
    const other = await run(
      process.execPath,
      [program, ...args],
      app('v1').replace('web', 'other'),
    );
    expect(other).toMatchObject({ code: 1, stderr: expect.stringMatching(/LHR409/u) });
  });

  it('plan of a manifest drops a field that kubectl apply would drop', async () => {
    const program = process.env['LIFEHOOK_TEST_PROGRAM'] ?? 'dist/lifehook.js';
    const args = ['rollout', 'plan', 'web', '-f', '-', '--kubeconfig', cluster.kubeconfig];
    const bare = app('v1').replace(/ +env: .*\n/u, '');
    const planned = await run(process.execPath, [program, ...args], bare);
    expect(planned.stdout).toMatch(/ > [0-9a-f]{12}\n +spec\.containers\[0\]\.env\n/u);
    expect(planned.stdout).not.toMatch(/env .*DATABASE/u);
    expect(planned.stdout).toContain('rollout    2, direction Rollout');
  });

  it('plan of a manifest uses the lifecycle that the manifest has', async () => {
    const program = process.env['LIFEHOOK_TEST_PROGRAM'] ?? 'dist/lifehook.js';
    const args = ['rollout', 'plan', 'web', '-f', '-', '--kubeconfig', cluster.kubeconfig];
    const hooks = HOOKS.replace('pre:', 'post:').replace('Policy: Abort', 'Policy: Ignore');
    const files = `${hooks}---${app('v2')}`;
    const { stdout, stderr, code } = await run(process.execPath, [program, ...args], files);
    expect([stderr, code]).toEqual(['', 0]);
    expect(stdout).toContain(
      'steps      Release > Progress (until all new pods are available) > Post',
    );
    expect(stdout).not.toContain('Hook pre');
    expect(stdout).toContain('Hook post: Ignore');
    expect((await rollout('plan', 'web')).stdout).toContain('Hook pre: Abort');
  });

  it('status and watch report a failed hook, and exit with 3', async () => {
    await apply(app('v2'));
    const watched = await rollout('watch', 'web', '--timeout', '120');
    expect(watched.stdout).toMatch(/pre, attempt 1: Failed exit 7/u);
    expect(watched.code).toBe(3);
    const { code, stdout } = await rollout('status', 'web');
    expect(code).toBe(3);
    expect(stdout).toMatch(/phase +Held/u);
    expect(stdout).toContain('Last lines of pre, attempt 1:\n  migrating shop for rollout 2\n');
    expect(stdout).toContain('lifehook rollout retry web -n default');
    expect((await status()).hooks[0]?.attempts[0]?.exitCode).toBe(7);
    expect((await rollout('status', 'web', '-o', 'yaml')).stdout).toContain('phase: Held\n');
  });

  it('retry repeats the rollout with a new number', async () => {
    const { code, stdout } = await rollout('retry', 'web', '--wait', '--timeout', '120');
    expect(stdout).toContain('Rollout 2 will be retried with a new number.\n');
    expect(stdout).toContain('| migrating shop for rollout 3');
    expect(code).toBe(0);
    expect(await status()).toMatchObject({ number: 3, phase: 'Done' });
    expect((await rollout('retry', 'web')).stderr).toContain('LHR405');
  });

  it('abort stops the running rollout, and exits with 1', async () => {
    expect((await rollout('abort', 'web')).stderr).toContain('LHR408');
    await apply(app('v4'));
    const timed = await rollout('watch', 'web', '--timeout', '1');
    expect(timed.code).toBe(124);
    expect((await rollout('retry', 'web')).stderr).toContain('LHR406');
    const { code, stdout } = await rollout('abort', 'web', '--wait', '--timeout', '120');
    expect(stdout).toContain('Held: AbortedByUser');
    expect(code).toBe(1);
  });

  it('history lists all rollouts with their outcomes and their past phases', async () => {
    const { code, stdout } = await rollout('history', 'web');
    const rows = stdout.split('\n').map((line) => line.split(/ {2,}/u).slice(0, 5));
    expect(rows.slice(1, 5)).toEqual([
      ['4', '-', 'Rollout', 'Held (AbortedByUser)', expect.stringMatching(/^Aborted/u)],
      ['3', '2', 'Rollout', 'Done (Completed)', expect.stringMatching(/^Succeeded/u)],
      ['2', '2', 'Rollout', 'Held (PreHookFailed)', expect.stringMatching(/^Failed/u)],
      ['1', '1', 'Rollout', 'Done (Completed)', expect.stringMatching(/^Succeeded/u)],
    ]);
    expect(stdout).toMatch(/\n1 .*Pre [\d.]+ s, .*Progressing [\d.]+ s/u);
    expect(code).toBe(0);
  });

  it('status fails with a code for a missing Deployment, and for one without a lifecycle', async () => {
    expect((await rollout('status', 'none')).stderr).toContain('LHR401');
    await ok('create', 'deployment', 'free', '--image=none', '--', 'sleep', '1');
    expect((await rollout('status', 'free')).stderr).toContain('LHR402');
  });

  it('status gives advice that fits a first rollout that is held', async () => {
    await apply(hooksOf('first', { command: ['sh', '-c', 'exit 7'] }));
    await apply(app('v1').replaceAll('web', 'first'));
    expect((await rollout('watch', 'first', '--timeout', '120')).code).toBe(3);
    const { stdout } = await rollout('status', 'first');
    expect(stdout).toMatch(/Next: .*Nothing was released before it, so no pod runs/u);
    expect(stdout).toContain('kubectl delete deployment first -n default');
    expect(stdout).not.toContain('the template that runs');
  });

  it("status, watch and an Event show the scheduler's reason for a hook pod without a place", async () => {
    const overrides = { nodeSelector: { 'lifehook.dev/no-such': 'node' } };
    await apply(hooksOf('nowhere', { command: ['true'], overrides }));
    await apply(app('v1').replaceAll('web', 'nowhere'));
    const reason = /Unschedulable: 0\/1 nodes are available: 1 node\(s\) didn't match/u;
    await vi.waitFor(
      async () => {
        expect((await rollout('status', 'nowhere')).stdout).toMatch(
          new RegExp(`waits for +the hook pre: .*which waits: ${reason.source}`, 'u'),
        );
      },
      { timeout: 120_000, interval: 500 },
    );
    const { stdout } = await rollout('watch', 'nowhere', '--timeout', '1');
    expect(stdout).toMatch(new RegExp(`pre, attempt 1: waits: ${reason.source}`, 'u'));
    const field = 'involvedObject.name=nowhere,reason=HookWaiting';
    expect(await ok('get', 'events', '--field-selector', field)).toMatch(reason);
  });
});
