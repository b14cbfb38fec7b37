import { describe, expect, test } from 'vitest';

import { artifactIn, NO_HOOKS } from '../../../../test/fixtures/pipeline/build-stand.ts';
import { deployStand, moduleOf } from '../../../../test/fixtures/pipeline/deploy-stand.ts';
import { containerHook, shell } from '../../../../test/fixtures/pipeline/sample-hooks.ts';
import { pods } from '../../../kube/resources.ts';
import type { VerifyConfig } from '../config/model.ts';
import type { PipelineHook, StageHooks } from '../hooks/model.ts';
import type { PhaseResult } from '../session.ts';
import { runTests } from '../test/run-test.ts';
import { runVerify, verifyPod } from './run-verify.ts';

const cluster = deployStand();

const check = (name: string, command: readonly string[], timeoutSeconds = 200): VerifyConfig => ({
  name,
  timeoutSeconds,
  container: { name: 'c', image: 'web', command, args: [], env: [] },
  execution: 'kubernetesCluster',
});

async function verify(
  verifications: readonly VerifyConfig[],
): Promise<{ readonly result: PhaseResult<null>; readonly lines: readonly string[] }> {
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
  return { result, lines: s.lines() };
}

describe('verifications', () => {
  test('run in pods that are deleted afterwards, with before and finally hooks', async () => {
    const { result, lines } = await verify([check('a', ['true']), check('b', ['true'])]);
    expect(result).toEqual({ outcome: 'Succeeded', value: null });
    expect(lines).toEqual(['verify/before/0: begin', 'verify/finally/0: end']);
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

  test('run the image of this build', () => {
    const references = new Map([['web', 'web:v1']]);
    const place = { name: 'v', namespace: 'n', runId: 'r', references };
    expect(verifyPod(check('a', []), place).spec?.containers).toEqual([
      { name: 'c', image: 'web:v1' },
    ]);
  });
});
