import { expect, test } from 'vitest';

import {
  artifactIn,
  buildStand,
  customBuilder,
} from '../../../../test/fixtures/pipeline/build-stand.ts';
import { choosePlatforms } from './choose-platforms.ts';
import type { Artifact, ModuleConfig } from './model.ts';

function modulesWith(...artifacts: readonly Partial<Artifact>[]): readonly ModuleConfig[] {
  const builder = customBuilder('true');
  const stand = buildStand({
    artifacts: artifacts.map((more, index) =>
      artifactIn('/p', `image-${index}`, { builder, ...more }),
    ),
  });
  stand.remove();
  return stand.session.config.modules;
}

const platformsOf = ([module]: readonly ModuleConfig[]): unknown =>
  module?.build.artifacts.map(({ platforms }) => platforms);

test('an image is built for the platforms of the command line that it may be built for', () => {
  const modules = modulesWith({}, { platforms: ['linux/amd64', 'linux/386'] });
  const chosen = choosePlatforms(modules, ['linux/amd64', 'linux/arm64']);
  expect(chosen.problems).toEqual([]);
  expect(platformsOf(chosen.modules)).toEqual([['linux/amd64', 'linux/arm64'], ['linux/amd64']]);
  expect(choosePlatforms(modules, [])).toEqual({ modules, problems: [] });
});

test('a platform for which an image is not built, and one of a folder, are refused at the image', () => {
  const folder = { kind: 'folder', path: '.', ignore: [], env: {} } as const;
  const modules = modulesWith({ platforms: ['linux/amd64'] }, { builder: folder });
  const { problems } = choosePlatforms(modules, ['linux/arm64']);
  expect(problems).toMatchObject([
    { code: 'LHL137', message: expect.stringContaining('image-0 is built for linux/amd64 alone') },
    { code: 'LHL137', at: { line: 5 }, message: expect.stringContaining('image-1 is a folder') },
  ]);
});
