import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { nodePlatform } from '../../../../src/platform/node-platform.ts';
import { nodeTrees } from '../../../../src/platform/trees.ts';
import { type LetEnter, makeLetEnter } from './let-enter.ts';

describe('letEnter', { tags: 'root' }, () => {
  let outer: string;
  let cluster: string;
  let letEnter: LetEnter;
  const modeOf = async (path: string): Promise<string> => {
    const { mode, gid } = await stat(path === '' ? cluster : join(cluster, path));
    return `${(mode & 0o7777).toString(8)} ${gid}`;
  };
  const enter = (gid: number, ...paths: readonly string[]): Promise<void> =>
    letEnter(
      { uid: 1_000, gid, groups: [] },
      paths.map((path) => join(cluster, path)),
    );

  beforeEach(async () => {
    outer = await mkdtemp(join(tmpdir(), 'lifehook-enter-'));
    await chmod(outer, 0o711);
    cluster = join(outer, 'local');
    letEnter = makeLetEnter({ clusterFolder: cluster, platform: nodePlatform, trees: nodeTrees });
    await mkdir(join(cluster, 'pods/one/volumes/work'), { recursive: true });
    await mkdir(join(cluster, 'pods/other/volumes'), { recursive: true });
    await mkdir(join(cluster, 'api'));
    await writeFile(join(cluster, 'token'), '', { mode: 0o600 });
    for (const path of ['', 'pods/one', 'pods/other']) await chmod(join(cluster, path), 0o700);
  });

  afterEach(async () => {
    await rm(outer, { recursive: true });
  });

  test('CLUS-E1, CLUS-E2, CLUS-E3: lets only one group enter the directories on the path, and closes the others', async () => {
    await enter(1_000, 'pods/one/volumes/work');
    expect(await modeOf('')).toBe('710 1000');
    expect(await modeOf('pods')).toBe('710 1000');
    expect(await modeOf('pods/one')).toBe('710 1000');
    expect(await modeOf('pods/one/volumes')).toBe('755 0');
    expect(await modeOf('pods/other')).toBe('700 0');
    expect(await modeOf('api')).toBe('700 0');
    expect(await modeOf('token')).toBe('600 0');
  });

  test('CLUS-E2: lets all users enter only the directories that two groups need', async () => {
    await Promise.all([
      enter(1_000, 'pods/one/volumes/work'),
      enter(2_000, 'pods/other/volumes/x'),
      enter(1_000, 'pods/one/volumes/work'),
    ]);
    expect(await modeOf('')).toBe('711 1000');
    expect(await modeOf('pods')).toBe('711 1000');
    expect(await modeOf('pods/one')).toBe('710 1000');
    expect(await modeOf('pods/other')).toBe('710 2000');
  });

  test('CLUS-E4: refuses a cluster below a directory that the user may not enter, and changes no mode', async () => {
    await chmod(outer, 0o700);
    await expect(enter(1_000, 'pods/one/volumes/work')).rejects.toMatchObject({
      reason: 'CreateContainerConfigError',
      message: expect.stringContaining(`user 1000, who may not enter ${outer},`),
    });
    expect(await modeOf('')).toBe('700 0');
  });

  test('changes no directory outside of the cluster', async () => {
    await letEnter({ uid: 1_000, gid: 1_000, groups: [] }, ['/etc/hosts', `${cluster}-other/x`]);
    expect(await modeOf('')).toBe('700 0');
  });
});
