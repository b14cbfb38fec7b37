import { expect, test } from 'vitest';

import { NO_HOOKS } from '../../../../test/fixtures/pipeline/build-stand.ts';
import { config, deployStand } from '../../../../test/fixtures/pipeline/deploy-stand.ts';
import { getOrNull } from '../../../kube/get-or-null.ts';
import { namespaces } from '../../../kube/resources.ts';
import type { HelmRelease } from '../config/model.ts';

const cluster = deployStand();

function releaseIn(namespace: string): HelmRelease {
  return {
    name: 'shop',
    namespace,
    createNamespace: true,
    skipTests: false,
    useHelmSecrets: false,
    valuesFiles: [],
    setValues: {},
    setValueTemplates: {},
    setFiles: {},
    overrides: null,
    skipBuildDependencies: false,
  };
}

const helm = (one: HelmRelease) => ({
  releases: [one],
  flags: { global: [], template: [], depBuild: [] },
  hooks: NO_HOOKS,
});

test('a module whose deployer is ignored is not deployed, and what it deployed before stays', async () => {
  const s = cluster.session();
  await cluster.deploy(s, [config('a')]);
  const result = await cluster.deploy(s, [config('b')], { rules: { kubectl: null } });
  expect(result).toEqual({ outcome: 'Succeeded', value: { namespaces: [], objects: [] } });
  expect([await cluster.isThere('a'), await cluster.isThere('b')]).toEqual([true, false]);
  expect(s.events).toContainEqual(
    expect.objectContaining({ phase: 'deploy', status: 'Skipped', subject: 'm' }),
  );
});

test('the namespace of a release is created only where that is asked for, and is never deleted', async () => {
  const space = `made-by-${cluster.space}`;
  const release = releaseIn(space);
  const there = (): Promise<unknown> =>
    getOrNull(cluster.server.client, namespaces, { name: space });
  const s = cluster.session();
  const without = { ...release, createNamespace: false };
  expect(
    await cluster.deploy(s, [config('a', space)], { rules: { helm: helm(without) } }),
  ).toMatchObject({
    outcome: 'Failed',
  });
  expect(await there()).toBeNull();
  const made = await cluster.deploy(s, [config('a', space)], { rules: { helm: helm(release) } });
  expect(made).toMatchObject({ outcome: 'Succeeded' });
  expect(await cluster.isThere('a', space)).toBe(true);
  await cluster.deploy(s, [], { rules: { helm: helm(without) } });
  expect(await there()).not.toBeNull();
});

test('a deployment fails, and reports its end, when the namespace of a release is refused', async () => {
  const s = cluster.session();
  const result = await cluster.deploy(s, [config('a')], {
    rules: { helm: helm(releaseIn('A_B')) },
  });
  expect(result).toMatchObject({
    outcome: 'Failed',
    message: expect.stringContaining('LHL411: Namespace A_B could not be created'),
  });
  expect(s.events).toContainEqual(expect.objectContaining({ phase: 'deploy', status: 'Failed' }));
});
