import type { Job, JobSpec } from 'kubernetes-types/batch/v1.js';
import { describe, expect, test } from 'vitest';

import { NO_HOOKS } from '../../../../test/fixtures/pipeline/build-stand.ts';
import { config, deployStand, moduleOf } from '../../../../test/fixtures/pipeline/deploy-stand.ts';
import { fastPlatform } from '../../../../test/fixtures/pipeline/fast-platform.ts';
import { containerHook, shell } from '../../../../test/fixtures/pipeline/sample-hooks.ts';
import { getOrNull } from '../../../kube/get-or-null.ts';
import type { KubeObject } from '../../../kube/object.ts';
import { deployments, jobs, makeResource } from '../../../kube/resources.ts';
import type { PipelineHook, StageHooks } from '../hooks/model.ts';
import { checkStatus } from './check-status.ts';
import { FoundKinds } from './find-kinds.ts';
import { requireTarget, runDeploy } from './run-deploy.ts';

const cluster = deployStand();

function web(probe: object = {}): KubeObject {
  const labels = { app: 'web' };
  const spec = { containers: [{ name: 'c', image: 'web:1', ...probe }] };
  const template = { metadata: { labels }, spec };
  const whole = { spec: { replicas: 2, selector: { matchLabels: labels }, template } };
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, ...whole };
}

function job(command: string[], more: Partial<JobSpec> = {}): Job {
  const template = {
    spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i', command }] },
  };
  const spec = { backoffLimit: 0, template, ...more };
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'j' },
    spec,
  };
}

const deployHook = (script: string, more: Partial<PipelineHook> = {}): PipelineHook => ({
  ...shell(script),
  phase: 'deploy',
  when: 'after',
  address: 'deploy/kubectl/after/0',
  ...more,
});

describe('runDeploy', () => {
  test('PIPE-CASE33: applies objects in order, waits until they are ready, and passes their namespaces to after hooks', async () => {
    const s = cluster.session();
    const other = `a-${cluster.space}`;
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: other } };
    const script = 'echo "$SKAFFOLD_NAMESPACES $SKAFFOLD_RUN_ID"';
    const result = await cluster.deploy(s, [web(), config('a', other), namespace], {
      hooks: { after: [deployHook(script)] },
    });
    expect(result).toMatchObject({
      outcome: 'Succeeded',
      value: { namespaces: [other, cluster.space] },
    });
    expect(s.lines()).toContain(
      `deploy/kubectl/after/0: ${other},${cluster.space} ${s.session.runId}`,
    );
    const made = await cluster.server.client.get(deployments, {
      namespace: cluster.space,
      name: 'web',
    });
    expect(made.status?.availableReplicas).toBe(2);
    expect(made.metadata).toMatchObject({
      labels: {
        'skaffold.dev/run-id': s.session.runId,
        'lifehook.dev/pipeline': s.session.runId,
        'app.kubernetes.io/managed-by': 'lifehook',
      },
    });
    expect(made.metadata?.managedFields?.map(({ manager }) => manager)).toContain('lifehook');
  });

  test('PIPE-CASE32: runs a before container hook in the pods of an earlier deployment', async () => {
    const s = cluster.session();
    const action = { command: ['x'], podName: 'web-*', containerName: 'c' };
    const hook = containerHook(action, { address: 'deploy/kubectl/before/0', when: 'before' });
    await cluster.deploy(s, [web()], { hooks: { before: [hook] } });
    expect(cluster.asked).toEqual([]);
    await cluster.deploy(s, [web()], { hooks: { before: [hook] } });
    expect(cluster.asked).toHaveLength(2);
  });

  test('PIPE-CASE42: deploys module by module, each with its own hooks', async () => {
    const s = cluster.session();
    const of = (name: string): StageHooks => ({
      ...NO_HOOKS,
      before: [deployHook('echo x', { address: `${name}:before`, when: 'before' })],
      after: [deployHook('echo x', { address: `${name}:after` })],
    });
    const manifests = ['m1', 'm2'].map((name) => ({
      module: moduleOf(s, name, { hooks: of(name) }),
      objects: [config(name)],
      text: '',
    }));
    await runDeploy(cluster.sessionOf(s), { manifests });
    expect(s.lines()).toEqual([
      'm1:before: x',
      `deploy: ConfigMap ${cluster.space}/m1 applied`,
      'm1:after: x',
      'm2:before: x',
      `deploy: ConfigMap ${cluster.space}/m2 applied`,
      'm2:after: x',
    ]);
  });

  test('applies nothing after a before hook failed, and returns the exit code of the hook', async () => {
    const s = cluster.session();
    const hooks = {
      before: [deployHook('exit 3', { when: 'before' })],
      finally: [deployHook('echo last', { address: 'f', when: 'finally' })],
    };
    expect(await cluster.deploy(s, [config('a')], { hooks })).toMatchObject({ exitCode: 3 });
    expect(await cluster.isThere('a')).toBe(false);
    expect(s.lines()).toContain('f: last');
  });

  test('fails at the status check deadline, names the object that is not ready, and runs no after hooks', async () => {
    const s = cluster.session();
    const hooks = {
      after: [deployHook('echo after')],
      onError: [deployHook('echo undo', { address: 'e', when: 'onError' })],
    };
    const probe = { readinessProbe: { exec: { command: ['false'] } } };
    await cluster.deploy(s, [web(probe)], { rules: { statusCheck: false } });
    const key = { namespace: cluster.space, name: 'web' };
    const unavailable = async (): Promise<number | undefined> =>
      (await cluster.server.client.get(deployments, key)).status?.unavailableReplicas;
    await expect.poll(unavailable, { timeout: 20_000 }).toBe(2);
    const result = await cluster.deploy(s, [web(probe)], {
      hooks,
      rules: { statusCheckDeadlineSeconds: 1 },
    });
    expect(result).toMatchObject({ outcome: 'Failed', exitCode: 1 });
    expect(result).toMatchObject({
      message: expect.stringContaining(`Deployment ${cluster.space}/web: 0 of 2 replicas are`),
    });
    expect(s.lines()).toContain('e: undo');
    expect(s.lines()).not.toContain('deploy/kubectl/after/0: after');
  });

  test('fails as soon as a Job failed, or at the deadline when failures are tolerated until then', async () => {
    const s = cluster.session();
    const result = await cluster.deploy(s, [job(['false'])]);
    expect(result).toMatchObject({ message: expect.stringContaining(`Job ${cluster.space}/j`) });
    expect(result).toMatchObject({ message: expect.stringContaining('1 of its objects failed.') });
    const tolerant = { tolerateFailuresUntilDeadline: true, statusCheckDeadlineSeconds: 1 };
    const late = await cluster.deploy(s, [job(['false'])], { rules: tolerant });
    expect(late).toMatchObject({ message: expect.stringContaining('after 1 s') });
    await cluster.server.client.delete(jobs, { namespace: cluster.space, name: 'j' });
  });

  test.each([
    [0, /j: it was deleted .*ttlSecondsAfterFinished is 0.*not known/u],
    [1, /j: it was deleted .*ttlSecondsAfterFinished is 1.*not known/u],
    [3_600, /j: it was deleted$/mu],
    [undefined, /j: it was deleted$/mu],
  ])('says why a Job with a ttlSecondsAfterFinished of %s may be missing', async (seconds, why) => {
    const s = cluster.session();
    const session = cluster.sessionOf(s);
    const target = requireTarget(session);
    const context = { session, target, kinds: new FoundKinds(target.client) };
    const metadata = { name: 'j', namespace: cluster.space };
    const more = seconds === undefined ? {} : { ttlSecondsAfterFinished: seconds };
    const rules = { statusCheckDeadlineSeconds: 600, tolerateFailuresUntilDeadline: false };
    const missing = { ...job(['true'], more), metadata };
    const result = await checkStatus([missing], rules, context);
    expect(result).toMatchObject({ outcome: 'Failed', message: expect.stringMatching(why) });
  });

  test('applies a custom resource together with its CustomResourceDefinition', async () => {
    const s = cluster.session();
    const plural = 'wheels';
    const kind = 'Wheel';
    const names = { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` };
    const schema = { openAPIV3Schema: { type: 'object' } };
    const version = { name: 'v1', served: true, storage: true, schema };
    const definition = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `${plural}.test.dev` },
      spec: { group: 'test.dev', scope: 'Cluster', names, versions: [version] },
    };
    const wheel = { apiVersion: 'test.dev/v1', kind, metadata: { name: 'w' } };
    expect(await cluster.deploy(s, [wheel, definition])).toMatchObject({ outcome: 'Succeeded' });
    const resource = makeResource({ apiVersion: 'test.dev/v1', kind, plural, namespaced: false });
    expect(await getOrNull(cluster.server.client, resource, { name: 'w' })).not.toBeNull();
  });

  test('warns about a DaemonSet instead of waiting for it when the local cluster runs no pod of it', async () => {
    const s = cluster.session();
    const labels = { app: 'd' };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const spec = { selector: { matchLabels: labels }, template };
    const daemons = { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { name: 'd' }, spec };
    const none = (): Promise<never> => Promise.reject(new Error('nothing is built here'));
    const { target } = cluster.sessionOf(s);
    if (target === null) throw new Error('the stand has a target');
    const images = { importImage: none, idOf: none, tag: none };
    const session = { target: { ...target, images } };
    expect(await cluster.deploy(s, [daemons], { session })).toMatchObject({ outcome: 'Succeeded' });
    const message = `DaemonSet ${cluster.space}/d is only stored: the local cluster runs no pods for it.`;
    expect(s.events).toContainEqual({ type: 'Warning', code: 'LHL418', message });
    const waiting = await cluster.deploy(s, [daemons], {
      rules: { statusCheckDeadlineSeconds: 1 },
    });
    expect(waiting).toMatchObject({
      message: expect.stringContaining(`DaemonSet ${cluster.space}/d`),
    });
  });

  test('reports the end of a module whose objects cannot be recorded', async () => {
    const s = cluster.session();
    const { files } = fastPlatform;
    let writes = 0;
    const replace: typeof files.replace = (...given) => {
      writes += 1;
      // The project and the objects are recorded before the module begins.
      return writes <= 2 ? files.replace(...given) : Promise.reject(new Error('ENOSPC'));
    };
    const platform = { ...fastPlatform, files: { ...files, replace } };
    const deploying = cluster.deploy(s, [config('a')], { session: { platform } });
    await expect(deploying).rejects.toThrow('ENOSPC');
    expect(s.events.filter(({ type }) => type === 'PhaseEvent')).toMatchObject([
      { phase: 'deploy', status: 'InProgress' },
      { phase: 'deploy', status: 'Failed', message: 'ENOSPC' },
    ]);
  });

  test('names the object and the reason when the cluster refuses it', async () => {
    const s = cluster.session();
    const unknown = { apiVersion: 'nowhere.dev/v1', kind: 'Thing', metadata: { name: 'a' } };
    expect(await cluster.deploy(s, [unknown])).toMatchObject({
      message: expect.stringContaining(`LHL410: Thing ${cluster.space}/a cannot be applied`),
    });
    expect(await cluster.deploy(s, [config('A_B')])).toMatchObject({
      message: expect.stringContaining(
        `LHL411: ConfigMap ${cluster.space}/A_B could not be applied`,
      ),
    });
  });
});

test('runDeploy without a cluster rejects and points to lifehook up', async () => {
  const s = cluster.session();
  await expect(runDeploy({ ...s.session, target: null }, { manifests: [] })).rejects.toThrow(
    'lifehook up',
  );
});
