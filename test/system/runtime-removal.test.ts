/**
 * Tests a `mount` process that outlives its killed node: it may mount late, onto a newer container's directory.
 * Both containers have the same name. Needs root, since the mounts are real.
 */
import { spawnSync } from 'node:child_process';
import { mkdir, readdir } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import {
  containersFolder,
  REMOVED_PREFIX,
  removeFolder,
} from '../../packages/local-cluster/src/testing.ts';
import type { RuntimeWorld } from '../../packages/local-cluster/src/index.ts';
import type { Files } from '../../src/platform/platform.ts';
import { openStand, type Stand } from '../e2e/runtime-stand.ts';

let stand: Stand;
let containers: string;

beforeEach(async () => {
  stand = await openStand('process');
  containers = containersFolder(stand.world);
});

afterEach(async () => {
  for (const name of await readdir(containers)) {
    spawnSync('umount', ['--lazy', `${containers}/${name}/rootfs`]);
  }
  await stand[Symbol.asyncDispose]();
});

describe('a root filesystem that is mounted late', () => {
  it('is unmounted when it appears after its directory was renamed for removal', async () => {
    const folder = await makeFolder('late');
    const { files } = stand.world.platform;
    const rename: Files['rename'] = async (from, to) => {
      await files.rename(from, to);
      mountAt(to);
    };
    await removeFolder({ world: withFiles({ rename }), folder });
    expect(await readdir(containers)).toEqual([]);
  });

  it('is unmounted when it appears while its directory is being removed', async () => {
    const folder = await makeFolder('later');
    const { files } = stand.world.platform;
    let tries = 0;
    const remove: Files['remove'] = async (path) => {
      tries += 1;
      if (tries === 1) mountAt(path);
      await files.remove(path);
    };
    await removeFolder({ world: withFiles({ remove }), folder });
    expect([tries, await readdir(containers)]).toEqual([2, []]);
  });

  it('is unmounted when the next node starts, in a directory that a killed node left half removed', async () => {
    mountAt(await makeFolder(`${REMOVED_PREFIX}1-left`));
    await stand.reopen();
    expect(await readdir(containers)).toEqual([]);
  });

  it('fails the removal after 3 attempts when its directory stays busy', async () => {
    const folder = await makeFolder('busy');
    let tries = 0;
    const remove = (): Promise<void> => {
      tries += 1;
      return Promise.reject(new Error('busy'));
    };
    const world = withFiles({ remove });
    await expect(removeFolder({ world, folder })).rejects.toThrow('busy');
    expect(tries).toBe(3);
  });
});

async function makeFolder(name: string): Promise<string> {
  await mkdir(`${containers}/${name}/rootfs`, { recursive: true });
  return `${containers}/${name}`;
}

function mountAt(folder: string): void {
  const mounted = spawnSync('mount', ['-t', 'tmpfs', 'tmpfs', `${folder}/rootfs`]);
  expect(mounted.status).toBe(0);
}

function withFiles(some: Partial<Files>): RuntimeWorld {
  const { world } = stand;
  const { platform } = world;
  return { ...world, platform: { ...platform, files: { ...platform.files, ...some } } };
}
