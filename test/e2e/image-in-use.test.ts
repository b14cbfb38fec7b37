/**
 * An image whose containers still run is not removed.
 * @module-tag kubectl
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { eventually } from '../fixtures/api-cases/eventually.ts';
import { type Ended, openCluster } from './cluster-stand.ts';

test('image remove refuses an image while a container uses it, also after the cluster was killed', async () => {
  await using cluster = await openCluster();
  const { folder } = cluster;
  const lifehook = (...args: readonly string[]): Promise<Ended> => cluster.lifehook(...args);
  const kubectl = (...args: readonly string[]): Promise<Ended> => cluster.kubectl(...args);
  await mkdir(join(folder, 'app'));
  expect((await lifehook('image', 'import', join(folder, 'app'), 'app:v1')).code).toBe(0);
  await kubectl('run', 'user', '--image=app:v1', '--command', '--', 'sleep', '1000');
  await eventually('it runs', async () =>
    (await kubectl('get', 'pod', 'user')).stdout.includes('Running'),
  );
  const refused = async (): Promise<void> => {
    const { code, stderr } = await lifehook('image', 'remove', 'app:v1');
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/LHN307/);
    expect(stderr).toContain('The image app:v1 is in use by container user of pod default/user.');
  };
  await refused();
  await cluster.kill9();
  await refused();
  expect((await lifehook('up')).code).toBe(0);
  await kubectl('delete', 'pod', 'user', '--now');
  const { code, stderr } = await lifehook('image', 'remove', 'app:v1');
  expect([code, stderr]).toEqual([0, '']);
  expect((await lifehook('image', 'list')).stdout).not.toContain('app:v1');
});
