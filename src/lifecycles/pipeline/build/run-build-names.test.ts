/** Tests the names of images in manifests if a tag is given to one image after another. */
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';

import {
  artifactIn,
  type BuildStand,
  buildStand,
  customBuilder,
} from '../../../../test/fixtures/pipeline/build-stand.ts';
import { sha256 } from '../../../platform/digests.ts';
import type { ImagePort } from '../session.ts';
import { runBuild } from './run-build.ts';

const stands: BuildStand[] = [];

afterEach(() => {
  for (const one of stands.splice(0)) one.remove();
});

/** Builds an image as two files in `images`: one is named by the image's name, the other by its id. */
const BUILD =
  'echo built >> ../log; cp src ../images/$IMAGE; cp src ../images/sha256:$(sha256sum <src | cut -c1-64)';

interface Store {
  readonly stand: BuildStand;
  /** The name of the image in manifests, after a build of this content. */
  readonly nameOf: (content: string) => Promise<string | undefined>;
  readonly contentOf: (name: string) => string;
  readonly builds: () => number;
}

function openStore(): Store {
  const state = { folder: '' };
  const fileOf = (name: string): string =>
    `${state.folder}/images/${name.slice(name.indexOf('@') + 1)}`;
  const contentOf = (name: string): string => readFileSync(fileOf(name), 'utf8');
  const images: ImagePort = {
    importImage: () => Promise.reject(new Error('no folder is built here')),
    idOf: (name) =>
      Promise.resolve(existsSync(fileOf(name)) ? `sha256:${sha256(contentOf(name))}` : null),
    tag: (existing, name) => {
      copyFileSync(fileOf(existing), fileOf(name));
      return Promise.resolve();
    },
  };
  const stand = buildStand({
    images,
    artifactsIn: (folder) => [
      artifactIn(`${folder}/web`, 'web', { builder: customBuilder(BUILD) }),
    ],
  });
  state.folder = stand.folder;
  stands.push(stand);
  stand.write('images/.keep', '');
  return {
    stand,
    contentOf,
    nameOf: async (content) => {
      stand.write('web/src', content);
      const result = await runBuild(stand.session);
      if (result.outcome !== 'Succeeded') throw new Error(result.message);
      return result.value[0]?.reference;
    },
    builds: () => readFileSync(`${state.folder}/log`, 'utf8').trim().split('\n').length,
  };
}

const withDigest = (content: string): string => `web:latest@sha256:${sha256(content)}`;

test('a reference carries the digest once its tag moved to another image, also in later builds', async () => {
  const { nameOf, contentOf, builds } = openStore();
  expect(await nameOf('one')).toBe('web:latest');
  expect(await nameOf('one')).toBe('web:latest');
  expect(await nameOf('two')).toBe(withDigest('two'));
  expect(await nameOf('two')).toBe(withDigest('two'));
  expect(builds()).toBe(2);
  expect(contentOf('web:latest')).toBe('two');
});

test('an image that still exists gets its tag back without a build, and a missing one is built again', async () => {
  const { nameOf, contentOf, builds } = openStore();
  await nameOf('one');
  await nameOf('two');
  // The first image was known by its tag alone.
  expect(await nameOf('one')).toBe(withDigest('one'));
  expect(builds()).toBe(3);
  expect(await nameOf('two')).toBe(withDigest('two'));
  expect(builds()).toBe(3);
  expect(contentOf('web:latest')).toBe('two');
});

test('an image under a second tag that never moved has a reference without a digest', async () => {
  const { stand, nameOf } = openStore();
  await nameOf('one');
  await nameOf('two');
  const options = { ...stand.session.options, tag: 'v2' };
  const result = await runBuild({ ...stand.session, options });
  expect(result).toMatchObject({ value: [{ reference: 'web:v2', cached: true }] });
});
