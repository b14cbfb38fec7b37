/**
 * `lifehook down` while a hook keeps a target frozen by a lock that outlives the target's process.
 * @module-tag kubectl
 */
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';

import { type ClusterStand, openWholeCluster } from './cluster-stand.ts';

const manifest = (marker: string, postAction: string): string => `
apiVersion: v1
kind: Pod
metadata: { name: db }
spec:
  terminationGracePeriodSeconds: 0
  containers:
    - { name: db, image: none, command: [sleep, '1000'] }
---
apiVersion: lifehook.dev/v1alpha1
kind: ExecutionHook
metadata: { name: night }
spec:
  lockScope: Kernel
  preAction: { exec: { command: [touch, '${marker}'] } }
  postAction: { exec: { command: [sh, -c, '${postAction}'] } }
  expirationSeconds: 3600
  podContainerNamesList: [{ podName: db, containerNames: [db] }]
`;

/** Freezes a target; returns the path of a file that exists as long as the lock. */
async function freeze(cluster: ClusterStand, postAction: string): Promise<string> {
  const marker = join(cluster.folder, 'frozen');
  const applied = await cluster.apply(manifest(marker, postAction.replace('MARKER', marker)));
  expect(applied).toMatchObject({ code: 0 });
  const frozen = '--for=jsonpath={.status.preActionSucceed}=true';
  expect(await cluster.kubectl('wait', frozen, 'eh/night', '--timeout=60s')).toMatchObject({
    code: 0,
  });
  expect(existsSync(marker)).toBe(true);
  return marker;
}

it('down thaws what is frozen before it ends the containers', async () => {
  await using cluster = await openWholeCluster();
  const marker = await freeze(cluster, 'rm MARKER');
  const { code, stdout } = await cluster.lifehook('down');
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout:
      'Thawed before the cluster stops: default/db, container db (hook night).\nThe cluster "local" is down.\n',
  });
  expect(existsSync(marker)).toBe(false);
});

it('down refuses with the names of what stays frozen, and continues with --leave-frozen', async () => {
  await using cluster = await openWholeCluster();
  const marker = await freeze(cluster, 'test ! -e MARKER');
  const refused = await cluster.lifehook('down', '--thaw-timeout', '2s');
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(
    /LHA109: The cluster "local" was not stopped, since these are still frozen: default\/db, container db \(hook night\)\. .*--leave-frozen/u,
  );
  expect(await cluster.kubectl('get', 'pod', 'db')).toMatchObject({ code: 0 });
  const left = await cluster.lifehook('down', '--leave-frozen');
  expect(left).toMatchObject({ code: 0, stdout: 'The cluster "local" is down.\n' });
  expect(left.stderr).toContain('Left frozen: default/db, container db (hook night).');
  await rm(marker);
});

it('down refuses where no controller is there to thaw', async () => {
  await using cluster = await openWholeCluster();
  await freeze(cluster, 'rm MARKER');
  await cluster.kill9();
  expect(await cluster.lifehook('up', '--no-controllers')).toMatchObject({ code: 0 });
  const refused = await cluster.lifehook('down', '--thaw-timeout', '2s');
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toContain('default/db, container db (hook night)');
  await cluster.lifehook('down', '--leave-frozen');
});

it('down refuses where the cluster was killed and its containers still run', async () => {
  await using cluster = await openWholeCluster();
  await freeze(cluster, 'rm MARKER');
  await cluster.kill9();
  for (const args of [[], ['--delete']]) {
    const refused = await cluster.lifehook('down', ...args);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(/LHA109: .* default\/db, container db \(hook night\)\./u);
  }
  const left = await cluster.lifehook('down', '--leave-frozen');
  expect(left.stdout).toContain('stopped 1 leftover container');
  // Succeeds, because no container runs and so there is nothing to thaw first.
  expect((await cluster.lifehook('down')).code).toBe(0);
  await cluster.lifehook('down', '--delete', '--leave-frozen');
});
