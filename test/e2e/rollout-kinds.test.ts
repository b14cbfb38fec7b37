/**
 * The rollout kinds on the local cluster, with their rules.
 * @module-tag kubectl
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';

import { eventually } from '../fixtures/api-cases/eventually.ts';
import { fullLifecycle } from '../fixtures/rollout/full-lifecycle.ts';
import { refusalOf, refusals, storedKinds, written } from '../fixtures/rollout/stored-kinds.ts';
import { type ClusterStand, openCluster } from './cluster-stand.ts';
import { stepsOn } from './kubectl-steps.ts';

let stand: ClusterStand;
const { ok, apply, fails } = stepsOn(() => stand);

const open = async (): Promise<void> => {
  stand = await openCluster();
  await ok('apply', '-f', 'deploy/crds/lifehook-crds.yaml');
  await eventually('the kinds are served', async () => {
    const { code } = await stand.kubectl('get', 'dlc,hr');
    return code === 0;
  });
};

describe('the rollout kinds', () => {
  beforeAll(open);
  afterAll(() => stand[Symbol.asyncDispose]());

  it('are stored with every field as written', async () => {
    expect(await storedKinds(stand.client, 'default')).toEqual(written);
  });

  it.each(refusals)('refuse $title', async ({ spec, says }) => {
    expect(await refusalOf(stand.client, 'default', spec)).toContain(says);
  });

  it('have short names, a category, columns and an explanation', async () => {
    expect(await ok('get', 'dlc')).toMatch(
      /^NAME +DEPLOYMENT +PHASE +NUMBER +ARMED +AGE\nfull +web +Failed +2 +True +/,
    );
    expect(await ok('get', 'hr')).toMatch(
      /^NAME +DEPLOYMENT +ROLLOUT +STAGE +PHASE +ATTEMPTS +AGE\nfull +web +2 +pre +Failed +1 +/,
    );
    expect(await ok('get', 'lifehook', '-o', 'name')).toContain('deploymentlifecycle');
    expect(await ok('explain', 'dlc.spec.recreate.mid.execNewPod.volumes')).toContain(
      'Volumes of the template that the pod has too',
    );
  });

  it('are unchanged when kubectl applies, reads and applies them again', async () => {
    const { metadata } = fullLifecycle;
    const named = { ...fullLifecycle, metadata: { ...metadata, name: 'applied' } };
    await apply(stringify(named));
    const read = JSON.parse(await ok('get', 'dlc', 'applied', '-o', 'json')) as { spec: unknown };
    expect(read.spec).toEqual(fullLifecycle.spec);
    expect(await apply(stringify(named))).toContain('unchanged');
  });

  it.each([
    ['mid', { execNewPod: { containerName: 'web' } }, 'a rolling update run side by side'],
    [
      'post',
      { failurePolicy: 'Abort', execNewPod: { containerName: 'web' } },
      'nothing is left to abort: use Retry or Ignore',
    ],
  ])('refuse %s of a RollingUpdate (ROLL-C9)', async (stage, hook, says) => {
    const spec = { deploymentName: 'web', rollingUpdate: { [stage]: hook } };
    expect(await refusalOf(stand.client, 'default', spec)).toContain(says);
  });

  it('refuse a change of deploymentName', async () => {
    const patch = '{"spec":{"deploymentName":"other"}}';
    const said = await fails('patch', 'dlc', 'full', '--type=merge', '-p', patch);
    expect(said).toContain('the Deployment of a DeploymentLifecycle cannot be changed');
  });
});
