import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

import { buildStand } from '../../../../test/fixtures/pipeline/build-stand.ts';
import { whileReading } from '../../../../test/fixtures/pipeline/while-reading.ts';
import { nodePlatform } from '../../../platform/node-platform.ts';
import { posixError } from '../../../platform/posix-error.ts';
import type { Files } from '../../../platform/platform.ts';
import { BuildCache } from './build-cache.ts';
import { openCache } from './plan-build.ts';

const { files } = nodePlatform;

function cachePath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'lifehook-cache-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  return join(folder, 'state/build-cache.json');
}

const open = (path: string, from = files): Promise<BuildCache> =>
  BuildCache.open({ path, files: from, alone: (change) => change() });

const image = (id: string): { id: string; reference: string; pushed: boolean } => ({
  id,
  reference: `${id}:v1`,
  pushed: false,
});

test('an image that another session has forgotten stays forgotten', async () => {
  const path = cachePath();
  await (await open(path)).add('k1', image('web'));
  const [first, second] = [await open(path), await open(path)];
  await first.forget('web');
  await second.add('k2', image('api'));
  const now = await open(path);
  expect([now.find('k1'), now.find('k2')]).toEqual([null, image('api')]);
});

test('images that two sessions add at once are both kept', async () => {
  const path = cachePath();
  const [first, second] = [await open(path), await open(path)];
  await Promise.all([first.add('k1', image('web')), first.add('k2', image('db'))]);
  await second.add('k3', image('api'));
  const now = await open(path);
  expect(['k1', 'k2', 'k3'].map((key) => now.find(key)?.id)).toEqual(['web', 'db', 'api']);
});

test('an image is kept that another session adds between the read and the write of a change', async () => {
  const stand = buildStand();
  onTestFinished(() => {
    stand.remove();
  });
  const { session } = stand;
  await whileReading('build-cache.json', {
    session,
    // The first read is that of the opening.
    time: 2,
    change: async (mine) => (await openCache(mine)).add('k1', image('web')),
    meanwhile: async (timers) => {
      const platform = { ...session.platform, timers };
      await (await openCache({ ...session, platform })).add('k2', image('api'));
    },
  });
  const now = await openCache(session);
  expect([now.find('k1'), now.find('k2')]).toEqual([image('web'), image('api')]);
});

test('an image is forgotten that another session has added since', async () => {
  const path = cachePath();
  const [first, second] = [await open(path), await open(path)];
  await first.add('k1', image('web'));
  await second.forget('web');
  expect((await open(path)).find('k1')).toBeNull();
});

test('a cache that could not be read loses no images to the next build', async () => {
  const path = cachePath();
  await (await open(path)).add('k1', image('web'));
  let fails = true;
  const flaky: Files = {
    ...files,
    read: (from) => (fails ? Promise.reject(posixError('EMFILE', from)) : files.read(from)),
  };
  const cache = await open(path, flaky);
  expect(cache.find('k1')).toBeNull();
  fails = false;
  await cache.add('k2', image('api'));
  expect((await open(path)).find('k1')).toEqual(image('web'));
});

test('a cache that can never be read is replaced by the images of the session', async () => {
  const path = cachePath();
  await (await open(path)).add('k1', image('web'));
  const denied: Files = { ...files, read: (from) => Promise.reject(posixError('EACCES', from)) };
  const cache = await open(path, denied);
  await cache.add('k2', image('api'));
  await cache.add('k3', image('db'));
  const now = await open(path);
  expect(['k2', 'k3'].map((key) => now.find(key)?.id)).toEqual(['api', 'db']);
});
