import { describe, expect, test } from 'vitest';

import { artifactIn, NO_HOOKS } from '../../../../test/fixtures/pipeline/build-stand.ts';
import { deployStand, moduleOf } from '../../../../test/fixtures/pipeline/deploy-stand.ts';
import { containerHook, shell } from '../../../../test/fixtures/pipeline/sample-hooks.ts';
import { ApiError, UnreachableError } from '../../../kube/api-error.ts';
import { pods } from '../../../kube/resources.ts';
import type { VerifyConfig } from '../config/model.ts';
import { readInventory } from '../deploy/inventory.ts';
import { runDelete } from '../drive/deploy.ts';
import type { PipelineHook, StageHooks } from '../hooks/model.ts';
import type { PhaseResult, PipelineSession } from '../session.ts';
import { runTests } from '../test/run-test.ts';
import { runVerify, verifyPod } from './run-verify.ts';

const cluster = deployStand();

const check = (name: string, command: readonly string[], timeoutSeconds = 200): VerifyConfig => ({
  name,
  timeoutSeconds,
  container: { name: 'c', image: 'web', command, args: [], env: [] },
  execution: 'kubernetesCluster',
});

interface Verified {
  readonly result: PhaseResult<null>;
  readonly lines: readonly string[];
  readonly session: PipelineSession;
}

async function verify(verifications: readonly VerifyConfig[]): Promise<Verified> {
  const s = cluster.session();
  const module = { ...moduleOf(s, 'm', {}), verify: verifications };
  const hooks = {
    ...NO_HOOKS,
    before: [shell('echo begin', { address: 'verify/before/0', phase: 'verify' })],
    finally: [shell('echo end', { address: 'verify/finally/0', phase: 'verify', when: 'finally' })],
  };
  const { config } = s.session;
  const ownHooks = { ...config.ownHooks, verify: hooks };
  const session = cluster.sessionOf(s, { config: { ...config, modules: [module], ownHooks } });
  const artifact = artifactIn(s.folder, 'web');
  const image = {
    module,
    artifact,
    image: 'web',
    reference: 'web:v1',
    id: 'sha256:1',
    cached: false,
  };
  const result = await runVerify(session, [image]);
  return { result, lines: s.lines(), session };
}

describe('verifications', () => {
  test('run in pods that are deleted afterwards, with before and finally hooks', async () => {
    const { result, lines, session } = await verify([check('a', ['true']), check('b', ['true'])]);
    expect(result).toEqual({ outcome: 'Succeeded', value: null });
    expect(lines).toEqual(['verify/before/0: begin', 'verify/finally/0: end']);
    expect((await readInventory(session)).scopes).toEqual({});
    expect((await cluster.server.client.list(pods, { namespace: cluster.space })).items).toEqual(
      [],
    );
  });

  test('run container hooks in deployed pods, as tests do', async () => {
    const s = cluster.session();
    const hook = (phase: 'verify' | 'test'): PipelineHook =>
      containerHook({ command: ['x'], podName: 'web' }, { address: `${phase}/before/0`, phase });
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'web' },
      spec: { containers: [{ name: 'c', image: 'web:1' }] },
    };
    expect((await cluster.deploy(s, [pod])).outcome).toBe('Succeeded');
    cluster.asked.length = 0;
    const { config } = s.session;
    const around = (phase: 'verify' | 'test'): StageHooks => ({
      ...NO_HOOKS,
      before: [hook(phase)],
    });
    const ownHooks = { ...config.ownHooks, verify: around('verify'), test: around('test') };
    const module = { ...moduleOf(s, 'm', {}), verify: [check('a', ['true'])] };
    const session = cluster.sessionOf(s, { config: { ...config, modules: [module], ownHooks } });
    expect((await runTests(session, [])).outcome).toBe('Succeeded');
    expect(cluster.asked).toEqual(['web/c']);
    expect((await runVerify(session, [])).outcome).toBe('Succeeded');
    expect(cluster.asked).toEqual(['web/c', 'web/c']);
  });

  test('fail with the exit code of the first failure, and still run finally hooks', async () => {
    const failing = check('a', ['sh', '-c', 'exit 7']);
    const { result, lines } = await verify([failing, check('b', ['true'])]);
    expect(result).toMatchObject({ outcome: 'Failed', exitCode: 7 });
    expect(result).toMatchObject({ message: expect.stringContaining('The verification a failed') });
    expect(lines).toContain('verify/finally/0: end');
  });

  test('fail at their timeout with exit code 124, and have their pod deleted', async () => {
    const { result } = await verify([check('a', ['serve'], 1)]);
    expect(result).toMatchObject({ outcome: 'Failed', exitCode: 124 });
    expect((await cluster.server.client.list(pods, { namespace: cluster.space })).items).toEqual(
      [],
    );
  });

  test('fail at once when their container cannot start before a user fixes something', async () => {
    const s = cluster.session();
    const module = { ...moduleOf(s, 'm', {}), verify: [check('a', ['serve'], 1)] };
    const { target, ...rest } = cluster.sessionOf(s);
    if (target === null) throw new Error('the stand has a cluster');
    const waiting = { reason: 'ImagePullBackOff', message: 'there is no image web' };
    const containerStatuses = [{ name: 'c', restartCount: 0, state: { waiting } }];
    const client = Object.assign(Object.create(target.client) as typeof target.client, {
      get: () => Promise.resolve({ status: { phase: 'Pending', containerStatuses } }),
    });
    const config = { ...s.session.config, modules: [module] };
    const session: PipelineSession = { ...rest, config, target: { ...target, client } };
    expect(await runVerify(session, [])).toMatchObject({
      outcome: 'Failed',
      exitCode: 1,
      message: expect.stringContaining('ImagePullBackOff: there is no image web') as unknown,
    });
  });

  test('have a result of their own, and a warning, when their pod cannot be deleted', async () => {
    const s = cluster.session();
    const module = { ...moduleOf(s, 'm', {}), verify: [check('a', ['sh', '-c', 'exit 7'])] };
    const { target, ...rest } = cluster.sessionOf(s);
    if (target === null) throw new Error('the stand has a cluster');
    const refuse = (): Promise<never> =>
      Promise.reject(new ApiError(403, { reason: 'Forbidden', message: 'no right to delete' }));
    const client = { ...target.client, delete: refuse };
    for (const name of ['create', 'get', 'list'] as const) {
      Object.assign(client, { [name]: target.client[name].bind(target.client) });
    }
    const config = { ...s.session.config, modules: [module] };
    const session = { ...rest, config, target: { ...target, client } } as PipelineSession;
    expect(await runVerify(session, [])).toMatchObject({ outcome: 'Failed', exitCode: 7 });
    expect(s.events).toContainEqual(expect.objectContaining({ type: 'Warning', code: 'LHL414' }));
  });

  test('leave nothing that `delete` does not find, even if the session is killed', async () => {
    const s = cluster.session();
    const module = { ...moduleOf(s, 'm', {}), verify: [check('a', ['true'])] };
    const { target, ...rest } = cluster.sessionOf(s);
    if (target === null) throw new Error('the stand has a cluster');
    const client = Object.assign(Object.create(target.client) as typeof target.client, {
      create: async (...given: Parameters<typeof target.client.create>) => {
        await target.client.create(...given);
        throw new Error('killed');
      },
      delete: () => Promise.reject(new Error('killed')),
    });
    const config = { ...s.session.config, modules: [module] };
    const session: PipelineSession = { ...rest, config, target: { ...target, client } };
    const podNames = async (): Promise<readonly (string | undefined)[]> => {
      const { items } = await target.client.list(pods, { namespace: cluster.space });
      return items
        .filter(({ metadata }) => metadata?.deletionTimestamp === undefined)
        .map(({ metadata }) => metadata?.name);
    };
    await expect(runVerify(session, [])).rejects.toThrow('killed');
    expect(await podNames()).toEqual([`verify-0-${session.runId}`]);
    await runDelete(cluster.sessionOf(s));
    expect(await podNames()).toEqual([]);
  });

  test('are interrupted, not failed, when an interruption ends their request', async () => {
    const s = cluster.session();
    const module = { ...moduleOf(s, 'm', {}), verify: [check('a', ['true'])] };
    const { target, ...rest } = cluster.sessionOf(s);
    if (target === null) throw new Error('the stand has a cluster');
    const interrupt = new AbortController();
    const client = Object.assign(Object.create(target.client) as typeof target.client, {
      create: () => {
        interrupt.abort('SIGINT');
        return Promise.reject(new UnreachableError('interrupted', { sent: false }));
      },
      delete: () => Promise.reject(new Error('nothing was created')),
    });
    const config = { ...s.session.config, modules: [module] };
    const hooks = { ...rest.hooks, signal: interrupt.signal };
    const session: PipelineSession = { ...rest, hooks, config, target: { ...target, client } };
    const result = { outcome: 'Cancelled', exitCode: 130 };
    expect(await runVerify(session, [])).toMatchObject(result);
  });

  test('have an end in the events when they reject', async () => {
    const s = cluster.session();
    const module = { ...moduleOf(s, 'm', {}), verify: [check('a', ['true'])] };
    const { target, ...rest } = cluster.sessionOf(s);
    if (target === null) throw new Error('the stand has a cluster');
    const client = Object.assign(Object.create(target.client) as typeof target.client, {
      create: () => Promise.reject(new Error('broken')),
      delete: () => Promise.resolve(),
    });
    const config = { ...s.session.config, modules: [module] };
    const session: PipelineSession = { ...rest, config, target: { ...target, client } };
    await expect(runVerify(session, [])).rejects.toThrow('broken');
    expect(s.events.filter(({ type }) => type === 'PhaseEvent')).toMatchObject([
      { phase: 'verify', status: 'InProgress' },
      { phase: 'verify', status: 'Failed', message: 'broken' },
    ]);
  });

  test('run the image of this build', () => {
    const references = new Map([['web', 'web:v1']]);
    const place = { name: 'v', namespace: 'n', project: 'p', runId: 'r', references };
    expect(verifyPod(check('a', []), place).spec?.containers).toEqual([
      { name: 'c', image: 'web:v1' },
    ]);
  });
});
